"""Two hosts of the product, with one database and one bucket, behind a proxy."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app import create_app
from app.db import db
from app.divisions import Division
from tests import factories
from tests.databases import Copies, settings_for
from tests.person import PASSWORD, Caller, Person
from tests.photos.object_server import bucket_server
from tests.photos.photo_files import address, jpeg, send
from tests.server.proxy import Proxy
from tests.serving import serving

pytestmark = pytest.mark.slow

LIST = "/api/gfm/inventory/main"


@pytest.fixture(scope="module")
def bucket():
    with pytest.MonkeyPatch.context() as patch, bucket_server(patch) as objects:
        yield objects


@pytest.fixture(scope="module")
def product(postgresql: Copies, bucket, tmp_path_factory):
    """Two hosts, each with one worker, so that each request meets another process."""
    folders = [tmp_path_factory.mktemp(f"host-{number}") for number in range(2)]
    url = postgresql.fresh()
    app = create_app(settings_for(url, folders[0], photo_store="s3://photos/of/ours"))
    with app.app_context():
        factories.user("keeper")
        factories.user("driver", Division.FLEET)
        factories.item("Red heart", 100)
    with app.app_context():
        db.engine.dispose()
    settings = {"PHOTO_STORE": "s3://photos/of/ours", "PROXY_HOPS": "1"}

    def host(folder: Path):
        return serving(url, folder, "--workers", "1", settings=settings)

    with ThreadPoolExecutor(2) as pool:
        contexts = [host(folder) for folder in folders]
        ports = list(pool.map(lambda context: context.__enter__(), contexts))
        yield app, Proxy(*ports)
        list(pool.map(lambda context: context.__exit__(None, None, None), contexts))
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def app(product):
    return product[0]


@pytest.fixture
def proxy(product):
    return product[1]


@pytest.fixture
def keeper(proxy):
    keeper = Person(proxy)
    keeper.sign_in("keeper")
    return keeper


def stock_of(page):
    return {name: amount for name, amount, *_ in page.rows()}


def amount(app, name="Red heart"):
    with app.app_context():
        return factories.amount(name)


def test_a_form_of_one_host_is_applied_once_by_both(app, proxy, keeper):
    before = amount(app)
    with proxy.through(0):
        opened = keeper.open(keeper.open("/inventory/main").link("Withdraw Red heart"))
    with proxy.through(1):
        applied = keeper.submit(opened, team="Kitchen", quantity="3")
    with proxy.through(0):
        again = keeper.submit(opened, team="Kitchen", quantity="3")
    for page in (applied, again):
        assert f"withdrew 3, {before - 3} left" in page.text
    assert amount(app) == before - 3


def test_no_host_shows_a_page_that_a_change_by_the_other_made_stale(app, proxy, keeper):
    for number in (0, 1):
        pages = []
        for host in (0, 1):
            with proxy.through(host):
                pages.append(keeper.open("/inventory/main"))
        assert pages[0].headers["ETag"] == pages[1].headers["ETag"]
        seen = {"If-None-Match": pages[0].headers["ETag"]}
        with proxy.through(number):
            assert keeper.open("/inventory/main", headers=seen).status == 304
            keeper.submit(keeper.open(pages[0].link("Withdraw Red heart")), team="Kitchen")
        with proxy.through(1 - number):
            page = keeper.open("/inventory/main", headers=seen)
        assert (page.status, stock_of(page)["Red heart"]) == (200, str(amount(app)))


def test_a_sheet_counted_from_one_host_is_applied_by_the_other_once(app, proxy, keeper):
    call = Caller(keeper)
    before = amount(app)
    with proxy.through(0):
        listed = call("GET", LIST)
    counted = {"ops": [{"type": "inc", "id": "Red heart", "delta": 7}]}
    headers = {"Idempotency_Key": "a-sheet", "If_Match": listed.headers["ETag"]}
    replies = []
    for number in (1, 0, 1):
        with proxy.through(number):
            replies.append(call("PATCH", LIST, counted, **headers))
    assert [reply.status_code for reply in replies] == [200, 200, 200]
    assert len({reply.data for reply in replies}) == 1
    assert amount(app) == before + 7
    with proxy.through(0):
        headers["Idempotency_Key"] = "another-sheet"
        assert call("PATCH", LIST, counted, **headers).status_code == 412


def test_one_key_sent_to_both_hosts_at_once_takes_effect_once(app, product, keeper):
    before, token = amount(app), Caller(keeper).token
    ports = product[1]._ports
    meeting = threading.Barrier(2)

    def deliver(port):
        host = Person(Proxy(port))
        host.client._cookies = keeper.client._cookies
        lines = [{"name": "Red heart", "qty": 1}]
        body = {"action": "delivery", "date": "2026-01-02", "lines": lines}
        meeting.wait(10)
        headers = {"Idempotency-Key": "at-once", "X-CSRFToken": token}
        return host.client.post(f"{LIST}/bulk", json=body, headers=headers)

    with ThreadPoolExecutor(2) as pool:
        replies = list(pool.map(deliver, ports))
    assert [reply.status_code for reply in replies] == [200, 200]
    assert replies[0].data == replies[1].data
    assert amount(app) == before + 1


def test_tokens_of_one_host_work_on_the_other_until_they_end_on_either(proxy):
    api = proxy.test_client()

    def post(host, path, body=None, token=""):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with proxy.through(host):
            return api.post(f"/api/auth/{path}", json=body, headers=headers)

    pair = post(0, "login", {"username": "keeper", "password": PASSWORD}).json
    refresh = {"refreshToken": pair["refreshToken"]}
    renewed = [post(host, "refresh", refresh).json for host in (1, 0)]
    assert renewed[0]["refreshToken"] == renewed[1]["refreshToken"]
    access = renewed[0]["accessToken"]
    headers = {"Authorization": f"Bearer {access}"}
    assert [api.get(LIST, headers=headers).status_code for _ in range(2)] == [200, 200]
    assert post(1, "logout", token=access).status_code == 204
    assert [api.get(LIST, headers=headers).status_code for _ in range(2)] == [401, 401]


def test_wrong_passwords_count_on_both_hosts_together(proxy):
    stranger = Person(proxy)
    tries = [stranger.sign_in("nobody", "wrong " * 3) for _ in range(6)]
    assert [page.status for page in tries] == [422] * 5 + [429]
    with proxy.through(0):
        assert stranger.sign_in("nobody", "wrong " * 3).status == 429
    with proxy.through(1):
        assert stranger.sign_in("nobody", "wrong " * 3).status == 429


def test_a_photo_sent_to_one_host_is_read_and_used_on_the_other(proxy, bucket):
    driver = Person(proxy)
    driver.sign_in("driver")
    call, photo = Caller(driver), jpeg()
    with proxy.through(0):
        assert send(call, photo).status_code == 201
    with proxy.through(1):
        assert call("GET", address(photo)).data in bucket.kept.values()
        assert send(call, photo).status_code == 200
        photos = [{"name": "front.jpg", "id": address(photo).rpartition("/")[2]}]
        body = {"reg": "LK19 VTE", "odometer": 1, "photos": photos}
        made = call("POST", "/api/fleet/checks", body)
        assert made.status_code == 201
    with proxy.through(0):
        read = call("GET", made.json["photos"][0]["url"])
        assert (read.status_code, read.mimetype) == (200, "image/jpeg")


def test_an_account_that_is_disabled_is_signed_out_on_both_hosts(app, proxy):
    with app.app_context():
        factories.user("leaver")
    leaver = Person(proxy)
    leaver.sign_in("leaver")
    assert [leaver.open("/inventory/main").status for _ in range(2)] == [200, 200]
    assert app.test_cli_runner().invoke(args=["users", "disable", "leaver"]).exit_code == 0
    assert [leaver.open("/inventory/main").path.partition("?")[0] for _ in range(2)] == [
        "/login",
        "/login",
    ]
