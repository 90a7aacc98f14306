"""Vehicle checks sent once: after a lost reply, a sign-out, or in two tabs."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.divisions import Division
from tests import factories
from tests.journeys.checking import LONG, SUBMITTED, add_fleet, bar, checks, fill, pick, submit
from tests.journeys.conftest import DESK, PHONE, sign_in, sign_in_by_form, sign_out

KEPT = "Kept on this phone. It counts once it is sent."
SENT = re.compile(r"^Sent \d\d:\d\d")

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def fleet(product):
    add_fleet(product)


def lose_reply(page: Page) -> None:
    """Deliver the next check but drop its reply."""

    def deliver_without_reply(route):
        route.fetch()
        route.abort()

    page.route("**/api/fleet/checks", deliver_without_reply, times=1)
    submit(page)
    expect(page.get_by_text(KEPT)).to_be_visible()


@PHONE
def test_a_check_whose_reply_was_lost_is_sent_again_and_counts_once(new_context, width):
    context = new_context(width)
    page = context.new_page()
    sign_in(page, "driver", "/fleetChecks")
    fill(page)
    lose_reply(page)
    assert len(checks(context)) == 1
    expect(page.get_by_role("main").get_by_text(SENT)).to_be_visible(timeout=LONG)
    assert len(checks(context)) == 1


@DESK
def test_a_draft_in_two_tabs_makes_one_check_which_has_the_first_ones_notes(new_context, width):
    context = new_context(width)
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    sign_in(page, "driver", "/fleetChecks")
    fill(page)
    pick(page, "door.jpg")
    expect(bar(page)).to_contain_text("1 of 1 photo sent", timeout=LONG)
    expect(bar(page)).to_contain_text("Saved at")
    other = context.new_page()
    other.goto("/fleetChecks")
    expect(other.get_by_text(re.compile("^Draft started at"))).to_be_visible()
    lose_reply(page)
    other.get_by_label("Notes").fill("And a dent")
    submit(other)
    notice = other.get_by_text("Your first version was submitted").or_(
        other.get_by_text("This check was already sent.")
    )
    expect(notice).to_be_visible(timeout=LONG)
    expect(page.get_by_role("main").get_by_text(SENT)).to_be_visible(timeout=LONG)
    [check] = checks(context)
    assert (check["notes"], [sent["name"] for sent in check["photos"]]) == ("", ["door.jpg"])


@PHONE
def test_a_sign_out_in_the_middle_keeps_everything_for_its_person_alone(
    new_context, product, width
):
    with product.app.app_context():
        factories.user("second", Division.FLEET)
    context = new_context(width)
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    sign_in(page, "driver", "/fleetChecks")
    fill(page)
    page.get_by_label("Notes").fill("Mower strap worn")
    pick(page, "strap.jpg")
    expect(bar(page)).to_contain_text("1 of 1 photo sent", timeout=LONG)
    expect(bar(page)).to_contain_text("Saved at")
    sign_out(page)
    expect(page.get_by_label("Username")).to_be_visible()

    sign_in_by_form(page, "second", "/fleetChecks")
    expect(page.get_by_label("Name")).to_have_value("second")
    for label in ("Number plate", "Mileage", "Notes"):
        expect(page.get_by_label(label)).to_have_value("")
    expect(page.get_by_text("strap.jpg")).to_have_count(0)
    expect(page.get_by_text("Draft started at")).to_have_count(0)
    sign_out(page)
    expect(page.get_by_label("Username")).to_be_visible()

    sign_in_by_form(page, "driver", "/fleetChecks")
    expect(page.get_by_text(re.compile("^Draft started at"))).to_be_visible()
    expect(page.get_by_label("Notes")).to_have_value("Mower strap worn")
    expect(page.get_by_text("strap.jpg")).to_be_visible()
    submit(page)
    expect(page.get_by_text(SUBMITTED)).to_be_visible(timeout=LONG)
    [check] = checks(context)
    assert [sent["name"] for sent in check["photos"]] == ["strap.jpg"]
