"""The pages of what is due, and of readings."""

from datetime import timedelta

import pytest

from app.due.queries.due import items_of
from app.due.rules.fields import DueClosing, DueKind
from app.due.rules.next_due import add_months
from app.mileage.queries import current_mileage
from tests.upkeep import due_steps as steps
from tests.upkeep import rows
from tests.upkeep.due_steps import KEY, REG, send


@pytest.fixture
def van(vehicle):
    """Add a van to the list."""
    vehicle(REG, classification="Van")


@pytest.fixture
def item(in_app, van, manager_id, today):
    """Return a function that opens an item of the van so many days from today."""

    def item(days, kind=DueKind.MOT, **values):
        return in_app(steps.add, manager_id, today + timedelta(days=days), kind=kind, **values)

    return item


@pytest.fixture
def read(in_app, van, manager_id, today):
    """Return a function that records a reading so many days ago."""

    def read(miles, days):
        return in_app(steps.read, manager_id, miles, today - timedelta(days=days))

    return read


def test_the_list_is_in_the_order_of_worry(manager, item):
    item(-2)
    item(5, DueKind.TAX)
    item(20, DueKind.SERVICE)
    item(200, DueKind.INSPECTION)
    page = manager.open("/fleet/due")
    headings = [heading.get_text(" ", strip=True) for heading in page.html.select("h2")]
    assert headings == ["Overdue 1", "In 7 days 1", "In 30 days 1", "Later 1"]
    assert "2 days over" in page.html.select_one(".due-rows").get_text()
    tabs = [tab.get_text() for tab in page.html.select(".tabs a")]
    assert tabs == ["All (4)", "MOT (1)", "Tax (1)", "Service (1)", "Inspection (1)"]


def test_one_kind_and_one_part_can_be_shown(manager, item):
    item(-2)
    item(-3, DueKind.TAX)
    rows = manager.open("/fleet/due?kind=tax&group=overdue").html.select(".due-rows li")
    assert [row.select_one(".name").get_text(" ", strip=True) for row in rows] == ["LK19 VTE Tax"]


def test_a_closed_shared_item_names_its_vehicles(manager, in_app):
    item_id = in_app(rows.due_item, shared=(REG, "YD21 HMO"), closing=DueClosing.WITHDRAWN)
    assert f"{REG}, YD21 HMO" in manager.open(f"/fleet/due/{item_id}").text


def test_an_item_leads_to_its_vehicle_which_names_its_day_and_its_miles(manager, item, read):
    read(48_210, 0)
    page = manager.open(f"/fleet/due/{item(5, DueKind.SERVICE, due_miles=60_000)}")
    vehicle = manager.open(page.link(REG))
    assert "or in 11,790 miles" in vehicle.text


def test_a_vehicle_names_its_accepted_mileage_beside_another_one_that_was_sent(
    manager, vehicle, in_app, today
):
    vehicle_id = vehicle(REG, odometer=480_210)
    in_app(rows.reading, 48_210, REG, day=today)
    facts = " ".join(manager.open(f"/vehicles/{vehicle_id}").text.split())
    assert "48,210 miles (480,210 sent last)" in facts


def test_an_item_is_added_by_a_form_which_proposes_a_first_mot(manager, van, app, today):
    typed = {"regs": "lk19vte", "kind": "mot", "registered_on": "2024-02-29"}
    assert "Added MOT of LK19 VTE." in send(manager, "/fleet/due/add", **typed).text
    with app.app_context():
        assert items_of([KEY])[0].terms.due_on.isoformat() == "2027-02-28"


def test_a_proposal_that_was_left_for_another_day_is_refused(manager, item, today, app):
    item_id = item(5)
    reply = send(
        manager, f"/fleet/due/{item_id}/done", done_on=(today - timedelta(days=60)).isoformat()
    )
    assert "tested more than a month before expiry" in reply.text
    with app.app_context():
        assert [row.id for row in items_of([KEY])] == [item_id]
    manager.submit(reply)
    tested = today - timedelta(days=60)
    with app.app_context():
        [following] = items_of([KEY])
        assert following.terms.due_on == add_months(tested, 12) - timedelta(days=1)


@pytest.mark.parametrize(("miles", "following"), [("48,300", 57_300), ("480,210", 57_210)])
def test_a_proposal_follows_the_day_and_the_mileage_that_fits_unless_it_was_changed(
    manager, van, read, today, app, in_app, miles, following
):
    read(48_210, 20)
    plan_id = in_app(rows.plan, every_months=None, every_days=70, every_miles=9_000)
    service = in_app(rows.due_item, REG, kind=DueKind.SERVICE, due_on=today, plan_id=plan_id)
    form = manager.open(f"/fleet/due/{service}/done")
    assert form.html.select_one("#next_due_miles")["value"] == "57210"
    on_a_day = {"done_on": (today - timedelta(days=9)).isoformat(), "done_miles": miles}
    wrong = send(manager, f"/fleet/due/{service}/done", cost="much", **on_a_day)
    proposed = today + timedelta(days=61)
    assert wrong.html.select_one("#next_due_on")["value"] == proposed.isoformat()
    assert "is done" in manager.submit(wrong, cost="80").text
    with app.app_context():
        (row,) = items_of([KEY])
        assert (row.terms.due_on, row.terms.due_miles) == (proposed, following)


def test_the_result_of_a_test_is_entered_without_taking_a_pass_for_granted(manager, item):
    form = manager.open(f"/fleet/due/{item(5)}/done")
    assert "tested in the last month before expiry, so the day stays." in form.text
    assert form.html.select_one("#next_due_on")["value"]
    assert form.all("footer") == ["Cancel Save"]
    assert "Result of the MOT" in form.text
    assert "MOT is done" not in form.text
    assert "Counts only if it passed." in form.text
    assert "With Fail the lines are the detail of one Stop defect." in form.text
    service = manager.open(f"/fleet/due/{item(5, DueKind.SERVICE)}/done").text
    assert "Service is done" in service
    assert "Counts only" not in service


def test_done_is_kept_once_with_cost_and_next_item(manager, item, today):
    item_id = item(5)
    send(manager, f"/fleet/due/{item_id}/done", cost="54.85", done_miles="48,210")
    page = manager.open(f"/fleet/due/{item_id}")
    assert "Closed (done)" in page.text
    assert "£54.85" in page.text
    assert manager.open("/fleet/due").html.select(".due-rows li")


def test_a_legal_item_offers_no_snooze(manager, item):
    assert "can’t be put off" in manager.open(f"/fleet/due/{item(5)}/snooze").text


def test_a_snooze_is_kept_with_its_reason(manager, item, today):
    item_id, until = item(5, DueKind.SERVICE), today + timedelta(days=3)
    send(manager, f"/fleet/due/{item_id}/snooze", until=str(until), reason="Booked")
    assert "Booked" in manager.open(f"/fleet/due/{item_id}").text


def test_a_month_is_a_table_of_days_that_says_in_words_what_is_overdue(manager, item, today):
    item(0)
    item(-1, DueKind.TAX)
    page = manager.open("/fleet/due/month")
    assert REG in page.html.select_one(".month .now").get_text()
    page = manager.open(f"/fleet/due/month?month={today - timedelta(days=1):%Y-%m}")
    assert f"{REG} Tax, overdue" in " ".join(page.text.split())
    page = manager.open(f"/fleet/due/month?month={today.year + 2}-01")
    assert f"Nothing is due in January {today.year + 2}." in page.text
    assert not page.html.select(".month")


def test_a_month_that_is_none_is_refused_with_the_reason(manager):
    form = "Month must be a year and a month, such as 2027-01."
    far = "Choose a month within 20 years of today."
    for month, problem in (("nonsense", form), ("2026-13", form), ("1900-01", far)):
        page = manager.open(f"/fleet/due/month?month={month}")
        assert page.status == 422, month
        assert problem in page.text, month


def test_doubtful_readings_are_first_and_are_decided(manager, read, app):
    read(48_190, 9)
    wrong = read(480_210, 5)
    page = manager.open(f"/fleet/readings?vehicle={KEY}")
    assert "Is 480,210 right? It was 48,190 on" in page.html.select_one(".doubtful").get_text()
    send(manager, f"/fleet/readings/{wrong}/void", reason="Typing error")
    assert not manager.open("/fleet/readings").html.select(".doubtful")
    with app.app_context():
        assert current_mileage(KEY).miles == 48_190


def test_accepting_names_what_has_to_be_void(manager, read):
    read(480_210, 9)
    right = read(48_210, 5)
    path = f"/fleet/readings/{right}/accept"
    assert "480,210 on" in manager.open(path).text
    send(manager, path, void_others="y")
    assert "48,210 miles" in manager.open(f"/fleet/readings?vehicle={KEY}").text


def test_who_did_it_may_be_a_garage_of_repairs(manager, in_app, item):
    in_app(rows.repair, REG, garage="Hartley")
    page = send(manager, f"/fleet/due/{item(5)}/done", garage="Hartly")
    assert (page.status, page.question[1:-1]) == (422, ["Hartley"])
