"""What is due: items, what was done about them, and plans."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.defects.models import Defect, DefectSighting
from app.defects.queries.off_road import current_times
from app.defects.rules.fields import OffRoadReason
from app.defects.rules.off_road import Objection
from app.defects.services.off_road import take_off_road
from app.due.queries import due as queries
from app.due.queries.due import items_of, objections
from app.due.rules.due import DueState
from app.due.rules.fields import DoneResult, DueKind
from app.due.rules.next_due import Proposed
from app.due.services import due as services
from app.errors import AlreadyUndone, Conflict, EditConflict, Invalid
from app.events.queries import events_of
from app.fleet.rules.findings import Severity
from app.mileage.models import OdometerReading
from app.mileage.queries.readings import current_mileage
from app.mileage.rules import ReadingSource
from tests.upkeep.due_steps import KEY, REG, VANS, add, done, edit, open_of, read, undo

FAILED = {"result": DoneResult.FAIL, "defects": ("Brake pipe",)}


def test_done_closes_an_item_and_opens_the_next_one_with_the_typed_date(fleet, today):
    item = add(fleet, today)
    typed = today + timedelta(days=360)
    change = done(fleet, item, done_on=today, next_due_on=typed, cost=5485)
    assert open_of() == [(DueKind.MOT, typed, None)]
    following = queries.get_item(change.next_item_id)
    assert following.anchor_day == typed.day
    assert queries.get_item(item).closed_at


def test_the_next_day_of_a_late_mot_keeps_the_day_of_its_test(fleet, today):
    item = add(fleet, today - timedelta(days=40))
    change = done(fleet, item, done_on=today, next_due_on=Proposed())
    following = queries.get_item(change.next_item_id)
    assert following.anchor_day == following.due_on.day


def test_done_twice_names_who_was_first_and_changes_nothing(fleet, today):
    item = add(fleet, today)
    done(fleet, item, done_on=today, next_due_on=today + timedelta(days=365))
    with pytest.raises(Conflict, match=r"^k\.lee marked this as done at \d+:\d\d\. Nothing"):
        done(fleet, item, done_on=today)
    assert len(open_of()) == 1


def test_a_failed_test_leaves_the_item_open_and_stops_the_vehicle(fleet, today):
    item = add(fleet, today)
    change = done(fleet, item, done_on=today, result=DoneResult.FAIL, defects=("Brake pipe",))
    defect = db.session.execute(select(Defect)).scalar_one()
    assert (defect.reference, defect.severity) == (change.defects[0], Severity.STOP)
    assert defect.detail == "Brake pipe"
    assert KEY in current_times([KEY])
    assert [row.id for row in items_of([KEY])] == [item]
    with pytest.raises(Conflict, match=r"^k\.lee recorded a fail at"):
        done(fleet, item, done_on=today, result=DoneResult.FAIL)


def test_who_comes_after_an_edit_reads_who_edited_and_not_who_recorded_a_fail(
    fleet, today, driver_id
):
    item = add(fleet, today)
    with dates.as_of(dates.noon_in_london(today - timedelta(days=9))):
        done(fleet, item, done_on=today - timedelta(days=9), **FAILED)
    edit(driver_id, item, today + timedelta(days=1), revision=1)
    with pytest.raises(Conflict, match=r"^driver changed this item at \d+:\d\d\."):
        done(fleet, item, revision=1, done_on=today)


def test_a_refusal_names_the_day_of_what_was_not_done_today(fleet, today):
    item, before = add(fleet, today), today - timedelta(days=9)
    with dates.as_of(dates.noon_in_london(before)):
        done(fleet, item, done_on=before, **FAILED)
    with pytest.raises(Conflict, match=rf"a fail on {dates.format_day(before)} at 12:00\. Nothing"):
        done(fleet, item, done_on=today)
    with dates.as_of(dates.noon_in_london(before)):
        done(fleet, item, revision=1, done_on=before)
    with pytest.raises(Conflict, match=rf"as done on {dates.format_day(before)} at 12:00\."):
        done(fleet, item, revision=1, done_on=today)


def test_advisories_open_advisory_defects_and_close_the_item(fleet, today):
    item = add(fleet, today)
    lines = ("Front tyre worn", "Oil leak")
    done(fleet, item, done_on=today, result=DoneResult.ADVISORIES, defects=lines)
    found = db.session.execute(select(Defect).order_by(Defect.id)).scalars().all()
    assert [(d.title, d.severity) for d in found] == [(line, Severity.ADVISORY) for line in lines]
    assert open_of() == []


def test_an_advisory_that_a_test_names_twice_counts_once(fleet, today):
    lines = ("Oil leak", " oil  leak ", "")
    item = add(fleet, today)
    change = done(fleet, item, done_on=today, result=DoneResult.ADVISORIES, defects=lines)
    assert len(change.defects) == 1
    assert db.session.execute(select(DefectSighting)).all() == []


def test_an_advisory_longer_than_a_title_is_kept_whole(fleet, today):
    line = "Front tyre worn, " * 20 + "both"
    values = {"result": DoneResult.ADVISORIES, "defects": (line,)}
    done(fleet, add(fleet, today), done_on=today, **values)
    defect = db.session.execute(select(Defect)).scalar_one()
    assert len(defect.title) <= 160
    assert defect.detail.startswith(line)


@pytest.mark.parametrize(
    ("kind", "values", "field"),
    [
        (DueKind.TAX, {"result": DoneResult.FAIL}, "result"),
        (DueKind.MOT, {"result": DoneResult.ADVISORIES}, "defects"),
        (DueKind.MOT, {"result": DoneResult.FAIL}, "defects"),
        (DueKind.MOT, {"result": DoneResult.FAIL, "defects": (" ",)}, "defects"),
        (DueKind.MOT, {"result": DoneResult.ADVISORIES, "defects": (" ",)}, "defects"),
        (DueKind.MOT, {"defects": ("Oil leak",)}, "result"),
        (DueKind.MOT, {"next_due_on": date(2001, 1, 1)}, "next_due_on"),
        (DueKind.MOT, {"next_due_miles": 60_000}, "next_due_miles"),
        (DueKind.SERVICE, {"done_miles": 50, "next_due_miles": 50}, "next_due_miles"),
    ],
)
def test_what_contradicts_itself_is_refused(fleet, today, kind, values, field):
    item = add(fleet, today, kind=kind)
    with pytest.raises(Invalid) as refused:
        done(fleet, item, done_on=today, **values)
    assert refused.value.field == field


@pytest.mark.parametrize("done_miles", [None, 920_000])
def test_a_next_mileage_that_the_vehicle_has_run_is_refused(fleet, today, done_miles):
    read(fleet, 92_000, today)
    item = add(fleet, today, kind=DueKind.SERVICE)
    with pytest.raises(Invalid, match=r"The next mileage must be more than 92,000\."):
        done(fleet, item, done_on=today, done_miles=done_miles, next_due_miles=92_000)


def test_a_next_day_is_after_the_day_on_which_it_was_done(fleet, today):
    with pytest.raises(Invalid, match="Next due on must be after Done on") as why:
        done(fleet, add(fleet, today), done_on=today, next_due_on=today)
    assert why.value.field == "next_due_on"


def test_a_next_mileage_counts_from_that_of_the_day_it_was_done(fleet, today):
    read(fleet, 92_000, today)
    item = add(fleet, today, kind=DueKind.SERVICE)
    before = today - timedelta(days=30)
    done(fleet, item, done_on=before, done_miles=80_000, next_due_miles=90_000)
    assert open_of() == [(DueKind.SERVICE, None, 90_000)]


def test_done_books_the_mileage(fleet, today):
    item = add(fleet, today)
    assert not done(fleet, item, done_on=today, done_miles=48_210).has_doubtful_reading
    assert current_mileage(KEY).miles == 48_210


def test_a_doubtful_mileage_of_what_was_done_is_kept_and_not_used(fleet, today):
    read(fleet, 48_190, today - timedelta(days=3))
    item = add(fleet, today)
    assert done(fleet, item, done_on=today, done_miles=480_210).has_doubtful_reading
    assert current_mileage(KEY).miles == 48_190


def test_undo_opens_the_item_withdraws_the_next_and_voids_the_reading(fleet, today):
    item = add(fleet, today)
    change = done(
        fleet, item, done_on=today, done_miles=100, next_due_on=today + timedelta(days=365)
    )
    undo(fleet, change)
    assert open_of() == [(DueKind.MOT, today, None)]
    assert current_mileage(KEY) is None
    with pytest.raises(AlreadyUndone):
        undo(fleet, change)


def test_undo_is_refused_once_the_next_item_was_changed(fleet, today):
    item = add(fleet, today)
    change = done(fleet, item, done_on=today, next_due_on=today + timedelta(days=365))
    edit(fleet, change.next_item_id, today + timedelta(days=300))
    with pytest.raises(Conflict, match="What follows was changed"):
        undo(fleet, change)
    assert len(open_of()) == 1


def test_undo_of_a_failed_test_leaves_closed_what_was_done_since(fleet, today):
    item = add(fleet, today)
    failed = done(fleet, item, done_on=today, result=DoneResult.FAIL, defects=("Brake pipe",))
    following = today + timedelta(days=365)
    done(fleet, item, revision=1, done_on=today, next_due_on=following)
    undo(fleet, failed)
    assert open_of() == [(DueKind.MOT, following, None)]


def test_undo_is_refused_where_the_vehicle_has_another_open_item(fleet, today):
    change = done(fleet, add(fleet, today), done_on=today)
    add(fleet, today + timedelta(days=30))
    with pytest.raises(Conflict, match="LK19 VTE has MOT on its list already"):
        undo(fleet, change)
    assert len(open_of()) == 1


def test_an_item_needs_a_day_or_a_mileage(fleet):
    with pytest.raises(Invalid, match="Enter a day, a mileage, or both"):
        add(fleet, kind=DueKind.SERVICE)


@pytest.mark.parametrize("kind", [DueKind.MOT, DueKind.TAX, DueKind.INSURANCE])
def test_what_the_law_asks_for_is_due_on_a_day(fleet, today, kind):
    with pytest.raises(Invalid, match="Enter the day on which it runs out") as refused:
        add(fleet, kind=kind)
    assert refused.value.field == "due_on"
    with pytest.raises(Invalid, match=r"runs out on a day\. Leave the miles empty") as refused:
        add(fleet, today, kind=kind, due_miles=5)
    assert refused.value.field == "due_miles"


def test_a_vehicle_has_one_open_mot(fleet, today):
    add(fleet, today)
    with pytest.raises(Conflict, match="LK19 VTE has MOT on its list already"):
        add(fleet, today)


def test_a_vehicle_that_has_an_insurance_cannot_join_a_shared_one(fleet, today):
    shared = add(fleet, today, kind=DueKind.INSURANCE, regs=VANS[:2])
    add(fleet, today, kind=DueKind.INSURANCE, regs=VANS[2:])
    with pytest.raises(Conflict, match="EF70 LKP has insurance on its list"):
        edit(fleet, shared, today, regs=VANS)
    assert set(queries.get_row(shared).vehicles) == {KEY, "lm20abc"}


def test_the_events_of_a_shared_item_name_its_vehicles(fleet, today):
    shared = add(fleet, today, kind=DueKind.INSURANCE, regs=VANS[:2])
    edit(fleet, shared, today, regs=VANS[1:])
    event = events_of(services.SUBJECT, [shared])[-1]
    assert event.before["vehicles"] == [KEY, "lm20abc"]
    assert event.after["vehicles"] == ["ef70lkp", "lm20abc"]


def test_an_item_of_a_vehicle_in_no_list_is_refused(fleet, today):
    with pytest.raises(Invalid, match="There is no vehicle NO1"):
        add(fleet, today, regs=("NO1",))


def test_legal_items_cannot_be_snoozed_and_others_for_a_month(fleet, today):
    legal, other = add(fleet, today), add(fleet, today, kind=DueKind.SERVICE)

    def snooze(item, days):
        until = today + timedelta(days=days)
        with transaction():
            services.snooze_item(item, until, reason="Booked", revision=0, by=fleet)

    with pytest.raises(Invalid, match="MOT can't be put off"):
        snooze(legal, 1)
    with pytest.raises(Invalid, match="30 days at most"):
        snooze(other, 31)
    snooze(other, 30)
    assert queries.get_row(other).standing.state is DueState.SNOOZED


def test_who_edits_an_item_that_changed_meanwhile_is_refused(fleet, today):
    item = add(fleet, today)
    edit(fleet, item, today + timedelta(days=2))
    with pytest.raises(EditConflict):
        edit(fleet, item, today + timedelta(days=1))


def test_overdue_items_that_block_stand_against_the_vehicle(fleet, today):
    add(fleet, today - timedelta(days=1))
    add(fleet, today - timedelta(days=1), kind=DueKind.SERVICE)
    ran_out = Objection("Its MOT ran out yesterday", kind=DueKind.MOT)
    assert objections([KEY, "other"], today) == {KEY: [ran_out]}


def test_a_shared_insurance_stands_against_each_of_its_vehicles(fleet, today):
    add(fleet, today - timedelta(days=1), kind=DueKind.INSURANCE, regs=VANS)
    assert objections([KEY, "lm20abc"], today).keys() == {KEY, "lm20abc"}


def test_a_tax_that_sleeps_stands_against_the_return_once_it_ran_out(fleet, today):
    item = add(fleet, today - timedelta(days=1), kind=DueKind.TAX)
    with transaction():
        take_off_road(REG, OffRoadReason.SORN, by=fleet)
    assert queries.get_row(item).standing.state is DueState.ASLEEP
    ran_out = Objection("Its tax ran out yesterday", kind=DueKind.TAX)
    assert objections([KEY], today) == {KEY: [ran_out]}


def test_drivers_are_shown_what_is_due_soon(fleet, today):
    add(fleet, today + timedelta(days=6))
    assert queries.due_notices([KEY]) == {KEY: ["MOT runs out in 6 days."]}
    assert queries.due_notices(None) == {KEY: ["MOT runs out in 6 days."]}


def test_the_items_of_a_vehicle_that_leaves_close_and_shared_ones_go_on(fleet, today):
    own = add(fleet, today)
    shared = add(fleet, today, kind=DueKind.INSURANCE, regs=VANS)
    with transaction():
        services.close_for_vehicles_left([KEY], by=fleet)
    assert queries.get_item(own).closing == "vehicle_left"
    assert set(queries.get_row(shared).vehicles) == {"ef70lkp", "lm20abc"}


def test_a_forecast_rests_on_readings_in_use(fleet, today):
    read(fleet, 10_000, today - timedelta(days=20))
    read(fleet, 99_999, today - timedelta(days=15))
    read(fleet, 10_200, today)
    item = add(fleet, kind=DueKind.SERVICE, due_miles=10_300)
    standing = queries.get_row(item).standing
    assert standing.expected_on == today + timedelta(days=10)
    assert standing.basis.endswith("from 2 readings")


def test_readings_of_done_items_name_their_source(fleet, today):
    change = done(fleet, add(fleet, today), done_on=today, done_miles=7)
    reading = db.session.execute(select(OdometerReading)).scalar_one()
    assert (reading.source, reading.source_id) == (ReadingSource.DUE, change.done_id)
