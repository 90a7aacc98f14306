"""A vehicle with failing brakes: off the road, repaired, tested, and back, on phone and desk."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from app import dates
from app.db import transaction
from app.divisions import Division, Role
from app.due.rules.fields import DueKind
from app.due.rules.next_due import Work, interval_of_kind, next_due
from app.due.services.due import DueValues, add_item
from app.fleet.rules.findings import Severity
from app.fleet.rules.templates import FieldType, Template, TemplateField
from app.fleet.rules.vehicles import CHECK_TEMPLATES
from app.fleet.services.lists import replace_templates
from app.mileage.services import add_reading
from app.versions import version_of
from tests import factories
from tests.attachments.files import pdf
from tests.journeys.checking import fill, submit
from tests.journeys.conftest import choose, sign_in, start

TODAY = dates.today()
RAN_OUT = TODAY - timedelta(days=1)
DRIVER, COORDINATOR, MANAGER = "driver", "coordinator", "manager"

BRAKES = TemplateField(
    "Brakes",
    "Brakes",
    FieldType.CHOICE,
    choices=("Good", "Soft", "Fail"),
    fails=("Fail",),
    severity=Severity.STOP,
)
FORM = Template(
    "daily",
    "Daily check",
    (
        TemplateField("Name", "Name", required=True),
        TemplateField("LicensePlate", "Number plate", FieldType.PLATE, required=True),
        TemplateField("Mileage", "Mileage", FieldType.NUMBER, required=True),
        BRAKES,
    ),
)


@pytest.fixture(autouse=True)
def fleet(product):
    """Add a vehicle whose MOT ran out yesterday, its form, two parts in stock and three people."""
    with product.app.app_context():
        driver_id = factories.user(DRIVER, Division.FLEET, roles=(Role.WORKER,))
        factories.user(COORDINATOR, Division.FLEET, Division.GFM, roles=(Role.WORKER,))
        factories.user(MANAGER, Division.FLEET)
        factories.vehicle("LK19 VTE", make="Ford", model="Transit", odometer=47_300)
        factories.item("Brake pads, front", 6, unit_price=20_00)
        factories.item("Brake fluid 1 l", 4, unit_price=25_00)
        with transaction():
            replace_templates([FORM], versions={version_of(CHECK_TEMPLATES)})
            day = TODAY - timedelta(days=40)
            add_reading("LK19 VTE", 47_300, day=day, by=driver_id)
            mot = DueValues(["LK19 VTE"], DueKind.MOT, due_on=RAN_OUT)
            add_item(mot, by=driver_id)


def test_failing_brakes_keep_a_vehicle_off_the_road_until_all_is_mended(
    product, new_context, width
):
    driver = new_context(width).new_page()
    _report_failing_brakes(driver)

    coordinator = new_context(width).new_page()
    start(coordinator, COORDINATOR)
    choose(coordinator, "Fleet")
    _book_in(coordinator)
    _record_the_repair(coordinator)
    assert product.amount("Brake pads, front") == 4
    assert product.amount("Brake fluid 1 l") == 3

    manager = new_context(width).new_page()
    sign_in(manager, MANAGER, "/fleet/defects/1")
    _sign_off(manager)
    _put_back_after_the_mot(manager)
    _look_at_the_costs(manager)

    # The next driver has the form afresh.
    driver.goto("/fleetChecks")
    fill(driver, mileage="48310")
    expect(driver.get_by_text("Last: 48,300")).to_be_visible()
    panel = driver.locator(".briefing")
    expect(panel).not_to_contain_text("Known")
    expect(driver.get_by_role("alert")).to_have_count(0)
    expect(panel).not_to_contain_text("MOT")
    driver.get_by_label("Brakes").select_option("Good")
    submit(driver)
    expect(driver.get_by_text("No defects. Kept as a nil-defect report.")).to_be_visible()


def _report_failing_brakes(page):
    """Fill in the form, which stops the driver before anything is sent, and send it."""
    sign_in(page, DRIVER, "/fleetChecks")
    fill(page)
    expect(page.locator(".briefing")).to_contain_text("ran out")
    page.get_by_label("Brakes").select_option("Fail")
    stop = page.get_by_role("alert")
    expect(stop).to_contain_text("Stop: do not drive LK19 VTE")
    submit(page)
    sent = "Stop: do not drive LK19 VTE. Brakes: Fail (D-0001)."
    expect(page.get_by_text(sent)).to_be_visible()


def _book_in(page):
    """Find the vehicle on the board, and book its defect into a garage."""
    page.goto("/fleet/off-road")
    row = page.get_by_role("row").filter(has_text="LK19 VTE")
    expect(row).to_contain_text("Brakes: fail (D-0001)")
    row.get_by_role("link", name="D-0001").click()
    page.wait_for_load_state()
    page.get_by_role("link", name="Book in").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Garage").fill("Kwik-Fix Guildford")
    dialog.get_by_role("button", name="Book in").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("listitem").and_(page.locator("[aria-current=step]"))).to_have_text(
        "Booked in"
    )


def _record_the_repair(page):
    """Record the repair with two parts from stock and its invoice."""
    page.get_by_role("link", name="Record the repair").click()
    expect(page.get_by_role("checkbox", name="D-0001 Brakes: Fail")).to_be_checked()
    expect(page.get_by_label("Garage")).to_have_value("Kwik-Fix Guildford")
    assert _fills_the_page(page)
    page.get_by_label("Labour").fill("35.00")
    for position, (item, quantity) in enumerate((("Brake pads, front", 2), ("Brake fluid 1 l", 1))):
        part = page.locator(".part-row").nth(position)
        part.get_by_label("Part").fill(item)
        part.get_by_label("From").select_option("GFM Main")
        part.get_by_label("Number").fill(str(quantity))
    invoice = {"name": "invoice.pdf", "mimeType": "application/pdf", "buffer": pdf()}
    page.get_by_label("Photos or PDF").set_input_files([invoice])
    page.get_by_role("button", name="Save the repair").click()
    expect(page.get_by_text("Saved R-0001: £100.00 in all.")).to_be_visible()
    page.get_by_role("link", name="R-0001").click()
    expect(page.get_by_role("link", name="2 × Brake pads, front")).to_be_visible()
    expect(page.get_by_role("link", name="invoice.pdf", exact=True)).to_be_visible()


def _fills_the_page(page):
    """Return whether the form is as wide as its page, also at a desk."""
    return page.evaluate("""() => {
      const [main, form] = ["main", "main form.form"].map((each) => document.querySelector(each));
      return form.clientWidth > 0.9 * parseFloat(getComputedStyle(main).width);
    }""")


def _sign_off(page):
    """Confirm that the brakes are mended."""
    page.get_by_role("link", name="Sign off").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The vehicle stays off the road until a manager puts it back.")
    dialog.get_by_role("button", name="Sign off").click()
    expect(dialog).to_be_hidden()


def _put_back_after_the_mot(page):
    """Be refused because the MOT ran out, record the test, and put the vehicle back."""
    page.goto("/fleet/off-road")
    expect(page.get_by_role("row").filter(has_text="LK19 VTE")).to_contain_text("Its MOT ran out")
    page.get_by_role("link", name="LK19 VTE").first.click()
    page.get_by_role("link", name="Put back on the road").click()
    page.get_by_role("button", name="Put back on the road").click()
    refusal = page.get_by_role("alert").filter(has_text="LK19 VTE can’t go back on the road")
    expect(refusal).not_to_contain_text("D-0001")
    refusal.get_by_role("link", name=re.compile("^Its MOT ran out")).click()
    page.get_by_role("link", name="Done").first.click()
    proposed = page.get_by_label("Next due on")
    expect(proposed).to_have_value(_next_mot().isoformat())
    assert _fills_the_page(page)
    page.get_by_label("Cost").fill("50.00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"Next due {dates.format_day(_next_mot())}.")).to_be_visible()
    page.goto("/fleet/off-road")
    expect(page.get_by_role("row").filter(has_text="LK19 VTE")).to_contain_text("ready")
    page.get_by_role("link", name="LK19 VTE").first.click()
    page.get_by_role("link", name="Put back on the road").click()
    page.get_by_role("button", name="Put back on the road").click()
    expect(page.get_by_text("LK19 VTE is back on the road.")).to_be_visible()


def _next_mot():
    rule = interval_of_kind(DueKind.MOT)
    return next_due(DueKind.MOT, rule, Work(TODAY, due_on=RAN_OUT, anchor_day=RAN_OUT.day)).on


def _look_at_the_costs(page):
    """See the cost of a mile on the vehicle's page and among the costs."""
    page.goto("/vehicles/1")
    expect(page.get_by_text("a mile")).to_be_visible()
    page.get_by_role("link", name="All costs").click()
    expect(page.get_by_text("£150.00 for 1,000 miles of 1 vehicle")).to_be_visible()
