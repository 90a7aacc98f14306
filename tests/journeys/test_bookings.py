"""A van is booked, handed over by a check, and returned, with and without a script."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.db import transaction
from app.divisions import Division, Role
from app.fleet.rules.templates import FieldType, Template, TemplateField
from app.fleet.rules.vehicles import CHECK_TEMPLATES
from app.fleet.services.lists import replace_templates
from app.versions import version_of
from tests import factories
from tests.journeys.conftest import sign_in

FORM = Template(
    "daily",
    "Daily check",
    (
        TemplateField("LicensePlate", "Number plate", FieldType.PLATE, required=True),
        TemplateField("Mileage", "Mileage", FieldType.NUMBER, required=True),
    ),
)

pytestmark = pytest.mark.parametrize("product", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def yard(product):
    with product.app.app_context():
        factories.user("k.lee", Division.FLEET, roles=(Role.WORKER,))
        for reg in ("LK19 VTE", "LM20 ABC"):
            factories.vehicle(reg, classification="Van", odometer=47_300)
        with transaction():
            replace_templates([FORM], versions={version_of(CHECK_TEMPLATES)})


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_a_van_is_booked_handed_over_and_returned(new_context, width, has_script):
    page = new_context(width, java_script_enabled=has_script).new_page()
    sign_in(page, "k.lee", "/bookings")
    page.get_by_role("link", name="Book", exact=True).click()
    page.get_by_role("checkbox", name="Any Van").check()
    page.get_by_label("Purpose").fill("Tools to the Guildford site")
    page.get_by_role("button", name="Book", exact=True).last.click()
    expect(page.get_by_text("Booked a van (B-0001)")).to_be_visible()

    # Now, for two hours.
    page.get_by_role("link", name="Change", exact=True).click()
    now = page.evaluate("Date.now()")
    for label, hours in (("From", 0), ("To", 2)):
        moment = page.evaluate(
            "at => new Date(at).toLocaleString('sv', {timeZone: 'Europe/London'})",
            now + hours * 3_600_000,
        )
        page.get_by_label(label, exact=True).fill(moment[:16].replace(" ", "T"))
    page.get_by_role("button", name="Show what is free").click()
    expect(page.get_by_text("Free then: LK19 VTE, LM20 ABC.")).to_be_visible()
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_text(re.compile("B-0001 is a van from today"))).to_be_visible()

    page.goto("/bookings")
    _check(page, "Hand over", 47_310)
    expect(page.get_by_text("is handed over to k.lee until")).to_be_visible()
    page.goto("/bookings")
    _check(page, "Return", 47_352)
    expect(page.get_by_text("is back (B-0001)")).to_be_visible()
    page.goto("/bookings/B-0001")
    expect(page.get_by_text("47,352 miles (drove 42)")).to_be_visible()
    expect(page.locator(".both h2")).to_have_text(["Handover", "Return"])


def _check(page: Page, step: str, miles: int) -> None:
    """Take a step of the booking by the plain check form, as its link at the desk leads to it."""
    link = page.get_by_role("link", name=re.compile(f"{step}: B-0001"))
    page.goto(f"{link.get_attribute('href')}&plain=1")
    page.get_by_label("Mileage").fill(str(miles))
    page.get_by_role("button", name="Submit Check").click()
