"""Forms with a missing or stale CSRF token are refused and change nothing."""

import re

import pytest

from app.assets.services.moves import move_assets
from app.db import transaction
from app.divisions import Division
from tests import factories
from tests.bookings.steps import book, hours
from tests.person import PASSWORD, Person
from tests.upkeep import rows


def test_a_form_with_a_stale_token_is_rendered_as_typed_and_can_be_sent(app, person, item, stock):
    path = f"/inventory/main/items/{item}/action"
    sent = person.open(path).fields() | {"team": "Kitchen", "csrf_token": "stale"}
    page = person.post(path, sent)
    assert page.status == 422
    assert page.errors == ["This page was out of date. Check it and send it once more."]
    assert page.fields()["team"] == "Kitchen"
    assert stock() == 10
    assert "withdrew 1, 9 left" in person.submit(page).text


NAMED = {
    "<site>": "main",
    "<target>": "assets",
    "<reference(B):number>": "B-0001",
    "<reference(O):number>": "O-000<number>",
    "<any(vehicle, asset):kind>/<any_text:key>": "vehicle/lk19vte",
}
NO_COOKIE_READ = ("/api/auth/login", "/api/auth/refresh")


def changes(app):
    """List the addresses of all changes, with 1 and main as parameters."""
    rules = [rule.rule for rule in app.url_map.iter_rules() if "POST" in rule.methods]
    rules = [rule for rule in rules if rule not in NO_COOKIE_READ]
    number = re.compile(r"<(?!site).*?>")
    for named, value in NAMED.items():
        rules = [rule.replace(named, value) for rule in rules]
    return sorted(number.sub("2" if "gpm" in rule else "1", rule) for rule in rules)


@pytest.mark.writes_directly
@pytest.mark.usefixtures("item")
def test_every_change_requires_our_token(app, stock):
    with app.app_context():
        both = factories.user("both", Division.GFM, Division.GPM, Division.ASSETS)
        factories.item("Of GPM", store=factories.GPM)
        factories.vehicle()
        book(hours(9, 12), by=1)
        factories.key("K-1")
        asset = factories.asset()
        factories.apply_draft(factories.draft("item\nDesk\n", by=both), by=both)
        with transaction():
            move_assets([asset], "Attic", by=1)
        factories.check(by=1)
        rows.defect()
        rows.repair()
        rows.off_road()
        rows.reading(48_210)
        rows.plan()
        rows.done(rows.due_item())
        factories.delivery("Of GFM", division=Division.GFM)
        factories.delivery("Of GPM")
        factories.view(both)
    person = Person(app)
    person.sign_in("both", follow=False)
    person.submit(person.open("/choose"), division="gfm")
    for path in changes(app):
        sent = {"team": "K", "quantity": "1", "division": "gfm", "name": "x", "amount": "1"}
        status = person.post(path, sent, follow=False).status
        assert status == 302 if path == "/login" else status in (400, 422), (path, status)
    assert person.open("/dashboard").path == "/dashboard"
    assert stock() == 10


def test_sign_in_requires_the_token_and_keeps_the_username(in_app, person):
    in_app(factories.user, "keeper")
    page = person.post("/login?next=/inventory/main", {"username": "keeper", "password": PASSWORD})
    assert page.status == 422
    assert page.fields()["username"] == "keeper"
    assert person.submit(page, password=PASSWORD).path == "/inventory/main"


@pytest.mark.usefixtures("item")
def test_a_second_sign_in_page_left_open_leads_to_the_dashboard(person):
    assert person.post("/login", {"username": "keeper", "password": "x"}).path == "/dashboard"


@pytest.mark.usefixtures("item")
def test_logging_out_works_from_an_old_page_of_ours_and_from_no_other_site(person):
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert person.post("/logout", {}, headers=elsewhere).status == 400
    assert person.post("/logout", {}, headers={"Sec-Fetch-Site": "same-origin"}).path == "/login"


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost", 422),
        ("https://localhost", 422),
        ("http://elsewhere.example", 403),
        ("http://localhost.elsewhere.example", 403),
        ("null", 403),
    ],
)
def test_a_right_token_from_another_site_is_refused(person, item, origin, status):
    page = person.open(f"/inventory/main/items/{item}/action")
    reply = person.submit(page, headers={"Origin": origin}, quantity="0")
    assert reply.status == status
    assert ("sent from another site" in reply.text) is (status == 403)


@pytest.mark.parametrize("origin", ["http://[", "http://localhost:x[", "null", "\u00ff"])
def test_an_origin_that_is_no_address_is_another_site(person, origin):
    login = person.open("/login").fields() | {"username": "keeper", "password": "x"}
    assert person.client.post("/login", data=login, headers={"Origin": origin}).status_code == 403
