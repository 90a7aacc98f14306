"""Signing in, and throttling of guesses."""

import pytest
from argon2 import PasswordHasher

from app import create_app
from app.accounts.services import sessions, users
from app.db import db, transaction
from app.divisions import Division
from tests import factories
from tests.databases import settings_for
from tests.person import PASSWORD, Person

WRONG = "not the password"

pytestmark = pytest.mark.usefixtures("keeper")


@pytest.fixture
def keeper(in_app):
    return in_app(factories.user, "Keeper", Division.GFM)


def fail(person, times, username="keeper", **options):
    for _ in range(times):
        page = person.submit(person.open("/login"), username=username, password=WRONG, **options)
    return page


def test_the_username_counts_whatever_its_case(person):
    page = person.sign_in(" KEEPER ")
    assert page.path == "/dashboard"
    assert page.all(".tag") == ["GFM"]
    assert page.all(".who") == ["Keeper"]


def test_a_wrong_pair_is_refused_and_keeps_the_name(person):
    for username, password in (
        ("keeper", WRONG),
        ("nobody", PASSWORD),
        ("", ""),
        ("x" * 5000, "y"),
    ):
        page = person.sign_in(username, password)
        assert (page.status, page.errors) == (422, ["Invalid credentials"]), username
        assert page.title.startswith("Error: "), username
        assert page.fields()["username"] == username
        assert page.fields()["password"] == "", username


def test_a_disabled_account_cannot_sign_in(app, person):
    with app.app_context(), transaction():
        users.disable("keeper")
    assert person.sign_in("keeper").errors == ["Invalid credentials"]


class CountingHasher(PasswordHasher):
    """Counts how often it computes a hash, to make one or to compare one."""

    computed = 0

    def hash(self, *arguments, **options):
        self.computed += 1
        return super().hash(*arguments, **options)

    def verify(self, *arguments):
        self.computed += 1
        return super().verify(*arguments)


def test_a_sign_in_hashes_once_whatever_name_is_tried(app, strong_hasher, monkeypatch):
    assert strong_hasher.hash("x").split("$")[:4] == ["", "argon2id", "v=19", "m=19456,t=2,p=1"]
    with app.app_context():
        factories.user("leaver")
        with transaction():
            users.disable("leaver")
    for cookie in ("", "x", ":".join(["e30.aSBJ.mark"] * 50)):
        computed = {}
        for name in ("keeper", "leaver", "nobody", "", "x" * 5000):
            counting = CountingHasher(1, 8, 1)
            monkeypatch.setattr(sessions, "hasher", counting)
            with app.app_context():
                attempt = sessions.authenticate(name, WRONG, "192.0.2.1", browser_cookie=cookie)
                with transaction():
                    assert sessions.open_session(attempt) is None
            computed[name] = counting.computed
        assert set(computed.values()) == {1}, computed


def test_after_5_failures_even_the_right_password_is_refused_for_the_window(app, person, clock):
    assert fail(person, 5).errors == ["Invalid credentials"]
    page = Person(app).sign_in("KEEPER")
    assert page.status == 429
    assert page.errors == ["Too many failed attempts. Try again in 15 minutes."]
    assert 890 <= int(page.headers["Retry-After"]) <= 901
    clock(minutes=15, seconds=1)
    assert person.sign_in("keeper").path == "/dashboard"


def test_signing_in_clears_earlier_failures(app, person):
    fail(person, 4)
    assert person.sign_in("keeper").path == "/dashboard"
    assert fail(Person(app), 4).errors == ["Invalid credentials"]


def test_an_unknown_name_is_throttled_like_an_existing_one(person):
    assert fail(person, 5, username="nobody").status == 422
    assert fail(person, 1, username="nobody").status == 429


def test_a_forged_forwarding_header_does_not_make_another_address(app, person, monkeypatch):
    monkeypatch.setattr("app.accounts.rules.MAX_FAILURES_PER_ADDRESS", 3)
    for number in range(3):
        header = {"X-Forwarded-For": f"198.51.100.{number}"}
        fail(person, 1, username=f"guess{number}", headers=header)
    page = fail(person, 1, username="guess9", headers={"X-Forwarded-For": "198.51.100.77"})
    assert page.status == 429


TARGETS = [
    ("/inventory/northern", "/inventory/northern"),
    ("https://evil.example/", "/dashboard"),
    ("//evil.example/", "/dashboard"),
    ("/\\evil.example/", "/dashboard"),
    ("javascript:alert(1)", "/dashboard"),
    ("/\tevil", "/dashboard"),
]


def test_sign_in_goes_back_to_pages_of_this_site_alone(app):
    for target, lands in TARGETS:
        person = Person(app)
        login = person.open("/login", query_string={"next": target})
        data = login.fields() | {"username": "keeper", "password": PASSWORD}
        page = person.client.post("/login", query_string={"next": target}, data=data)
        assert page.location == lands, target


def test_a_page_opens_after_signing_in(person):
    login = person.open("/inventory/guildford?q=heart")
    assert login.path == "/login?next=/inventory/guildford?q%3Dheart"
    page = person.submit(login, username="keeper", password=PASSWORD)
    assert page.path == "/inventory/guildford?q=heart"


def test_signed_in_people_skip_the_sign_in(person):
    person.sign_in("keeper")
    assert person.open("/").path == "/dashboard"
    assert person.open("/login").path == "/dashboard"
    assert person.open("/no/such/page").path == "/dashboard"


def test_unknown_addresses_of_programs_are_404(person):
    for path in ("/api", "/api/nothing", "/static/nothing.js", "/favicon.ico"):
        assert person.client.get(path).status_code == 404, path


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_behind_a_proxy_the_address_is_the_one_that_the_proxy_reports(
    database_url, tmp_path, monkeypatch
):
    monkeypatch.setattr("app.accounts.rules.MAX_FAILURES_PER_ADDRESS", 2)
    behind = create_app(settings_for(database_url, tmp_path, proxy_hops=1))
    statuses = [
        fail(Person(behind), 1, username=f"guess{n}", headers={"X-Forwarded-For": address}).status
        for n, address in enumerate(["forged, 192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1"])
    ]
    assert statuses == [422, 422, 422, 429]
    with behind.app_context():
        db.engine.dispose()


def test_the_device_remembers_who_signed_in_last(person):
    login = person.open("/login")
    assert login.fields()["username"] == ""
    assert [each["name"] for each in login.html.select("[autofocus]")] == ["username"]
    person.sign_in(" KEEPER ")
    person.submit(person.open("/dashboard"), "header form[method=post]")
    login = person.open("/login")
    assert login.fields()["username"] == "Keeper"
    assert [each["name"] for each in login.html.select("[autofocus]")] == ["password"]


def test_scripts_find_what_they_add_to(person):
    improved = "form[data-fill-both][data-failure='Login failed'] button[data-show=password]"
    assert len(person.open("/login").html.select(improved)) == 1
    dashboard = person.sign_in("keeper")
    assert len(dashboard.html.select(".foot a[data-ping='/api/ping']")) == 1
    assert len(dashboard.html.select(".foot form[data-extend]")) == 1
    for path, failure in (
        ("/choose", "Update failed"),
        ("/change-password", "Failed to change password"),
    ):
        assert person.open(path).form()["data-failure"] == failure, path


def test_a_refused_sign_in_focuses_the_problem_and_remembers_nobody(person):
    page = person.sign_in("nobody", WRONG)
    assert [each.name for each in page.html.select("[autofocus]")] == ["div"]
    assert person.open("/login").fields()["username"] == ""


def test_only_the_sign_in_gets_the_cookies_that_outlast_a_session_and_no_script_can(person):
    typed = {"username": "keeper", "password": PASSWORD}
    page = person.submit(person.open("/login"), follow=False, **typed)
    for name in ("username", "browser"):
        [cookie] = [c for c in page.headers.getlist("Set-Cookie") if c.startswith(f"{name}=")]
        assert {"HttpOnly", "Path=/login", "SameSite=Lax"} <= set(cookie.split("; "))
