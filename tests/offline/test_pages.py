"""What a browser needs without a connection: worker, shell, manifest and references."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from app import dates
from app.accounts.services import users
from app.db import transaction
from app.divisions import Division, Role
from app.stock.services import items
from tests import factories
from tests.person import Person

PUBLIC = ("/sw.js", "/offline", "/offline/move-stock", "/manifest.webmanifest")
BUILT = re.compile(r"/static/built/[\w.-]+")
DIALOG = Path(__file__).parents[2] / "widgets/src/offline/move-dialog/dialog.html"


@pytest.fixture
def off(app):
    """Switch work without a connection off."""
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], offline=False)


@pytest.fixture
def keeper(signed_in) -> Person:
    return signed_in("keeper")


def test_worker_shell_and_manifest_are_the_same_for_everybody(person, keeper):
    for path in PUBLIC:
        mine, theirs = keeper.client.get(path), person.client.get(path)
        assert mine.status_code == theirs.status_code == 200, path
        assert mine.data == theirs.data, path
        assert "keeper" not in mine.text, path
        assert 'csrf_token"' not in mine.text, path
        assert "Set-Cookie" not in theirs.headers, path


def test_the_shell_has_a_language_a_title_a_heading_and_a_way_past_its_header(person):
    shell = person.open("/offline").html
    assert shell.html["lang"] == "en-GB"
    assert shell.title.get_text() == "No connection · Quartermaster"
    assert [heading.get_text() for heading in shell.select("h1")] == [
        "This page needs a connection"
    ]
    first = shell.select_one("a[href], button, input")
    assert (first["href"], first.get_text()) == ("#main", "Skip to content")
    assert shell.select_one("main#main")


def test_they_are_requested_each_time_and_not_sent_again(person):
    for path in PUBLIC:
        reply = person.client.get(path)
        assert "no-cache" in reply.headers["Cache-Control"], path
        tag = {"If-None-Match": reply.headers["ETag"]}
        assert person.client.get(path, headers=tag).status_code == 304, path


def test_the_worker_keeps_all_files_of_the_shell(person):
    worker = person.client.get("/sw.js")
    assert worker.headers["Content-Type"].startswith("text/javascript")
    files = set(BUILT.findall(worker.text))
    used = set(BUILT.findall(person.client.get("/offline").text))
    assert used
    assert used <= files
    for file in sorted(files):
        reply = person.client.get(file, buffered=True)
        assert reply.status_code == 200, file
        # The worker keeps nothing without these (widgets/src/offline/precache.ts).
        assert reply.headers["Cross-Origin-Resource-Policy"] == "same-origin", file
        expected = "text/css" if file.endswith(".css") else "text/javascript"
        assert reply.mimetype == expected, file
    assert person.client.get("/offline").headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not any(re.search("api-docs|bulk-update|sha2", file) for file in files)


def test_the_worker_and_what_it_fetches_beside_a_lists_files_weigh_at_most_150_kb(app, person):
    bundles = app.extensions["bundles"]
    files = set(BUILT.findall(person.client.get("/sw.js").text))
    for entry in ("app.css", "work.css", "boot.js", "lists.js"):
        files -= {bundles.url(entry), *bundles.import_urls(entry)}
    brotli = {"Accept-Encoding": "br"}
    addresses = ["/sw.js", "/offline", "/offline/move-stock", *files]
    replies = [person.client.get(each, headers=brotli, buffered=True) for each in addresses]
    assert {reply.headers["Content-Encoding"] for reply in replies} == {"br"}
    assert sum(len(reply.data) for reply in replies) <= 150 * 1024


def test_the_manifest_names_icons_of_their_sizes(person):
    manifest = person.client.get("/manifest.webmanifest")
    assert manifest.mimetype == "application/manifest+json"
    described = manifest.get_json(force=True)
    assert (described["name"], described["start_url"]) == ("Quartermaster", "/")
    assert described["display"] == "standalone"
    assert {icon["purpose"] for icon in described["icons"]} == {"any", "maskable"}
    icons = {icon["src"]: icon["sizes"] for icon in described["icons"]}
    icons |= {"/static/img/icon-180.png": "180x180"}
    for address, size in icons.items():
        reply = person.client.get(address, buffered=True)
        assert "{}x{}".format(*Image.open(BytesIO(reply.data)).size) == size, address


def test_pages_name_the_manifest_and_prepare_the_browser_once_somebody_is_signed_in(person, keeper):
    page = person.open("/login")
    assert page.html.select_one("link[rel=manifest]")["href"] == "/manifest.webmanifest"
    assert page.html.select_one("link[rel=apple-touch-icon]")
    assert not page.html.body.has_attr("data-later")
    assert "forget" in page.html.main["data-forget"]
    assert "register" in keeper.open("/dashboard").html.body["data-later"]


def test_the_policy_allows_our_own_worker_and_manifest(person):
    policy = person.client.get("/login").headers["Content-Security-Policy"]
    # A worker is a script.
    assert "script-src 'self'" in policy
    assert "worker-src" not in policy
    assert "manifest-src 'self'" in policy


@pytest.mark.own_app
@pytest.mark.usefixtures("off")
def test_switched_off_the_worker_is_replaced_by_one_that_removes_itself(person, keeper):
    worker = person.client.get("/sw.js")
    assert "unregister" in worker.text
    assert "/static/built/" not in worker.text
    assert not keeper.open("/dashboard").html.body.has_attr("data-later")


@pytest.mark.own_app
def test_switching_off_reaches_browsers_that_have_the_worker(app, person):
    tag = {"If-None-Match": person.client.get("/sw.js").headers["ETag"]}
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], offline=False)
    assert person.client.get("/sw.js", headers=tag).status_code == 200


def test_signing_out_clears_pages_but_not_what_is_not_sent(keeper):
    reply = keeper.submit(keeper.open("/dashboard"), "header form[action='/logout']", follow=False)
    assert reply.headers["Clear-Site-Data"] == '"cache"'


@pytest.fixture
def trader(app, person):
    with app.app_context():
        factories.user("trader", Division.GFM, Division.GPM)
        factories.team("Kitchen")
        factories.item("Red heart", 5, category="Heart")
        factories.item("Spanner", 2, store=factories.GPM)
    person.sign_in("trader", follow=False)
    person.submit(person.open("/choose"), division=Division.GFM, follow=False)
    return person


def read(person: Person, path: str, **headers: str) -> dict:
    reply = person.client.get(path, headers={"Accept": "application/json"} | headers)
    assert reply.status_code == 200, reply.text
    return json.loads(reply.data)


def test_a_stores_reference_has_its_stock_and_what_its_dialogs_offer(trader):
    reference = read(trader, "/inventory/main/reference")
    assert [row[1:] for row in reference["rows"]] == [["Red heart", 5, "Heart", 250, "pcs"]]
    assert (reference["divisionLabel"], reference["siteLabel"]) == ("GFM", "Main")
    assert [site["value"] for site in reference["destinations"]] == ["guildford", "northern"]
    assert reference["count"]["sheet"] == "/inventory/main/count-sheet"


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("/inventory/main/reference", "GFM's stock"),
        ("/gpm/inventory/main/reference", "GPM's data"),
        ("/fleetChecks/reference", "the fleet"),
    ],
)
def test_a_viewers_reference_says_why_they_change_nothing_until_they_may(app, trader, path, what):
    def set_role(change: Callable[..., object]) -> None:
        with app.app_context(), transaction():
            change("trader", [Division.GFM, Division.GPM], [], [Role.WORKER, Role.MANAGER])

    assert read(trader, path)["viewOnly"] == ""
    with app.app_context(), transaction():
        users.grant("trader", [Division.GFM, Division.GPM], [], [Role.VIEWER])
    tag = trader.client.get(path).headers["ETag"]
    set_role(users.revoke)
    refused = read(trader, path, **{"If-None-Match": tag})["viewOnly"]
    assert refused.startswith(f"You can look at {what}, but not change it.")
    set_role(users.grant)
    assert read(trader, path)["viewOnly"] == ""


def test_a_reference_is_read_without_switching_the_division(trader):
    reference = read(trader, "/gpm/inventory/main/reference")
    assert [row[1] for row in reference["rows"]] == ["Spanner"]
    assert reference["teams"] == ["Kitchen"]
    assert reference["destinations"] == []
    assert read(trader, "/fleetChecks/reference")["props"]["division"] == "gpm"
    assert trader.client.get("/session", headers={"Accept": "application/json"}).json["chosen"] == (
        "gfm"
    )


def test_a_reference_is_refused_to_a_page_of_somebody_else(in_app, trader):
    other = in_app(factories.user, "keeper")
    for path in ("/inventory/main/reference", "/fleetChecks/reference"):
        reply = trader.client.get(
            path, headers={"Accept": "application/json", "Outbox-User": str(other)}
        )
        assert (reply.status_code, reply.json["code"]) == (403, "other_user"), path


def test_an_unchanged_reference_is_a_304_until_what_it_shows_changes(in_app, trader):
    def status(path: str, tag: str) -> int:
        return trader.client.get(path, headers={"If-None-Match": tag}).status_code

    for path, change in {
        "/inventory/main/reference": lambda: factories.item("Blue heart", 1),
        "/gpm/inventory/main/reference": lambda: factories.team("Garden"),
        "/fleetChecks/reference": lambda: factories.vehicle("LK19 VTE"),
    }.items():
        tag = trader.client.get(path).headers["ETag"]
        assert status(path, tag) == 304, path
        in_app(change)
        assert status(path, tag) == 200, path


def test_a_store_without_stock_checks_has_none_in_its_reference(app, trader):
    with app.app_context(), transaction():
        items.offer_count(factories.MAIN, is_offered=False)
    assert read(trader, "/inventory/main/reference")["count"] is None


def test_the_browsers_tests_have_the_dialog_that_the_server_sends(person):
    dialog = person.client.get("/offline/move-stock").text
    for changing, kept in ((r"-[A-Z0-9]{8}\.js", ".js"), (str(dates.today()), "2026-11-20")):
        dialog = re.sub(changing, kept, dialog)
    assert dialog == DIALOG.read_text()
