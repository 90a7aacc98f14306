"""GPM's teams, on a phone and at a desk."""

import pytest
from playwright.sync_api import expect

from app.divisions import Division
from tests import factories
from tests.factories import GPM
from tests.journeys.conftest import DESK, sign_in


@pytest.fixture(autouse=True)
def desk(product):
    with product.app.app_context():
        factories.user("trader", Division.GPM)
        factories.items([("GLASS JAR", 4)], store=GPM)
        factories.team("Kitchen")
        factories.key("K1", holder="Kitchen")


def withdraw(page, team):
    page.goto("/gpm/inventory/main")
    page.get_by_role("link", name="Withdraw GLASS JAR").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Team").fill(team)
    dialog.get_by_role("button", name="Withdraw").click()
    expect(dialog).to_be_hidden()


@DESK
def test_a_renamed_team_is_offered_by_its_new_name_and_history_keeps_the_old_one(
    new_context, width
):
    page = new_context(width).new_page()
    sign_in(page, "trader")
    withdraw(page, "Kitchen")

    page.goto("/teams")
    page.get_by_label("New team name").fill(" kitchen ")
    page.get_by_role("button", name="Add Team").click()
    expect(page.get_by_role("alert")).to_contain_text('Name already exists: "Kitchen"')
    page.get_by_role("link", name="Rename Kitchen").click()
    expect(page.get_by_label("New name", exact=True)).to_be_focused()
    page.get_by_label("New name", exact=True).fill("Canteen")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_text('Renamed "Kitchen" to "Canteen".')).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Canteen")).to_be_visible()

    page.goto("/keys")
    key = page.get_by_role("row").filter(has_text="K1")
    expect(key).to_contain_text("Canteen")
    expect(page.get_by_role("searchbox", name="Search keys")).to_be_focused()
    key.get_by_role("link", name="Return K1").click()
    page.get_by_role("dialog").get_by_role("button", name="Return").click()
    expect(page.locator("#live")).to_contain_text("K1 was returned by Canteen.")
    key.get_by_role("link", name="Hand over K1").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Kitchen")).to_be_hidden()
    page.get_by_role("dialog").get_by_role("button", name="Canteen").click()
    expect(page.locator("#live")).to_contain_text("K1 is with Canteen now.")
    expect(key).to_contain_text("Canteen since")
    page.goto("/gpm/inventory/main")
    page.get_by_role("link", name="Withdraw GLASS JAR").click()
    offers = page.locator("#team-offers option")
    expect(offers).to_have_count(1)
    expect(offers).to_have_attribute("value", "Canteen")
    page.get_by_role("dialog").get_by_role("link", name="Cancel").click()
    withdraw(page, "Canteen")
    page.goto("/gpm/history")
    names = page.get_by_role("row").filter(has_text="Withdrawal")
    expect(names.nth(0)).to_contain_text("Canteen")
    expect(names.nth(1)).to_contain_text("Kitchen")
