"""A list comes back with the filters that it was left with."""

from datetime import date

import pytest

from app import dates
from app.divisions import Division
from tests import factories
from tests.person import Person

FROM_MENU = {"Referer": "http://localhost/dashboard"}
LEFT = "/inventory/main?q=tea&category=Drinks&sort=-amount"


@pytest.fixture
def keeper(app, person):
    with app.app_context():
        factories.user("keeper", Division.GFM)
        factories.user("deputy", Division.GFM)
        factories.items([("Tea", 3)], category="Drinks")
    person.sign_in("keeper", follow=False)
    return person


def returned(person, path, headers=FROM_MENU):
    return person.open(path, headers=headers).path


def test_the_menu_leads_to_the_filters_and_the_order_that_were_left(keeper):
    keeper.open(f"{LEFT}&after=x&colour=red")
    assert returned(keeper, "/inventory/main") == LEFT
    assert keeper.open("/inventory/main", headers=FROM_MENU).link("Reset") == "/inventory/main"


def test_each_list_has_its_own(keeper):
    keeper.open(LEFT)
    keeper.open("/history?q=tea")
    assert returned(keeper, "/inventory/guildford") == "/inventory/guildford"
    assert returned(keeper, "/history") == "/history?q=tea"
    assert returned(keeper, "/inventory/main") == LEFT


@pytest.mark.parametrize("address", ["/inventory/main?q=cup", "/inventory/main?q="])
def test_an_address_with_filters_wins_and_is_remembered(keeper, address):
    keeper.open(LEFT)
    assert keeper.open(address, headers=FROM_MENU).path == address
    assert returned(keeper, "/inventory/main") == address.removesuffix("?q=")


@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true", "HX-Target": "list"}])
def test_reset_and_chips_of_the_list_itself_clear_them(keeper, htmx):
    keeper.open(LEFT)
    from_list = {"Referer": f"http://localhost{LEFT}"}
    assert returned(keeper, "/inventory/main", from_list | htmx) == "/inventory/main"
    assert returned(keeper, "/inventory/main") == "/inventory/main"


def test_a_filter_that_a_script_changes_is_remembered_too(keeper):
    keeper.fragment("/inventory/main?q=tea", "list")
    assert returned(keeper, "/inventory/main") == "/inventory/main?q=tea"


def test_an_address_that_is_typed_is_the_whole_list(keeper):
    keeper.open(LEFT)
    assert returned(keeper, "/inventory/main", {}) == "/inventory/main"


def test_somebody_else_at_the_device_starts_without_them(app, keeper):
    keeper.open(LEFT)
    deputy = Person(app)
    deputy.client = keeper.client
    keeper.submit(keeper.open("/dashboard"), "header form[method=post]")
    deputy.sign_in("deputy", follow=False)
    assert returned(deputy, "/inventory/main") == "/inventory/main"


def test_days_are_remembered_for_the_day(keeper, monkeypatch):
    keeper.open("/history?team=Shop&from=2026-01-01")
    assert returned(keeper, "/history") == "/history?team=Shop&from=2026-01-01"
    monkeypatch.setattr(dates, "today", lambda: date(2099, 1, 1))
    assert returned(keeper, "/history") == "/history?team=Shop"


def test_wrong_filters_a_long_query_and_a_forged_cookie_are_not_remembered(keeper):
    keeper.open("/history?from=yesterday")
    assert returned(keeper, "/history") == "/history"
    keeper.open(f"/history?q={'x' * 2000}")
    assert returned(keeper, "/history") == "/history"
    keeper.client.set_cookie("filters", "WzEsIjIwMjYiLHsicSI6InRlYSJ9XQ.forged", path="/history")
    assert returned(keeper, "/history") == "/history"


def test_a_page_that_is_unchanged_is_still_a_304_and_remembers(keeper):
    tag = keeper.open(LEFT).headers["ETag"]
    keeper.open("/inventory/main?q=cup")
    reply = keeper.client.get(LEFT, headers={"If-None-Match": tag})
    assert (reply.status_code, "Set-Cookie" in reply.headers) == (304, True)
    assert returned(keeper, "/inventory/main") == LEFT
    assert "Set-Cookie" not in keeper.open(LEFT).headers
