"""Vehicles in a real browser: finding, adding, editing, with scripts and their failures."""

import re

import pytest
from playwright.sync_api import expect

from app.divisions import Division
from tests import factories
from tests.journeys.conftest import DESK, PHONE, sign_in

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture
def page(product, new_context, width):
    with product.app.app_context():
        factories.user("driver", Division.FLEET)
        for n in range(40):
            factories.vehicle(f"LK{n:02d} VTE", make="Ford", status="In use")
        factories.vehicle("AB12 CDE", make="Fiat", status="Off the road", classification="Car")
    page = new_context(width).new_page()
    sign_in(page, "driver", path="/vehicles")
    return page


def test_typing_narrows_the_list_in_place_and_reset_brings_it_back(page, width):
    expect(page.locator("#rows tr")).to_have_count(25)
    page.get_by_role("searchbox").fill("fiat")
    expect(page.locator("#rows tr")).to_have_count(1)
    expect(page).to_have_url(re.compile("q=fiat"))
    expect(page.locator("#total")).to_have_text("1 match")
    page.get_by_role("link", name="Reset").click()
    expect(page.locator("#rows tr")).to_have_count(25)
    if width == "phone":
        page.get_by_role("button", name="Filters").click()
    page.get_by_label("Status", exact=True).select_option("Off the road")
    expect(page.locator("#rows tr")).to_have_count(1)


@DESK
def test_the_pager_leads_on_in_place(page):
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#rows tr")).to_have_count(16)
    page.go_back()
    expect(page.locator("#rows tr")).to_have_count(25)


@PHONE
def test_a_vehicle_is_added_in_the_dialog_and_then_edited(page):
    page.get_by_role("link", name="Add Vehicle").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reg").fill("lk01vte")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Vehicle LK01 VTE already exists.")
    dialog.get_by_label("Reg").fill("zz9 zzz")
    dialog.get_by_label("Status").fill("Off the road")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="ZZ9 ZZZ")).to_be_visible()
    expect(page.get_by_text("Added ZZ9 ZZZ.")).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Location").fill("Workshop")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved ZZ9 ZZZ.")).to_be_visible()
    expect(page.locator("#rows tr")).to_have_count(2)


@DESK
def test_a_lost_connection_reports_what_failed(page):
    page.context.set_offline(True)
    page.get_by_role("searchbox").fill("fiat")
    expect(page.get_by_role("alert")).to_contain_text("Failed to load vehicles. No connection.")
