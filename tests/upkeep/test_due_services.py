"""What is due: items, what was done about them, and plans."""

from datetime import timedelta

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
from app.mileage.queries import current_mileage
from app.mileage.rules import ReadingSource
from tests.upkeep.due_steps import KEY, REG, VANS, add, done, edit, on, open_of, read, undo

FAILED = {"result": DoneResult.FAIL, "defects": ("Brake pipe",)}


def test_done_closes_an_item_and_opens_the_next_one_with_the_typed_date(fleet, today):
    item = add(fleet, today)
    typed = today + timedelta(days=360)
    change = done(fleet, item, done_on=today, next_due_on=typed, cost=5485, done_miles=48_210)
    assert open_of() == [(DueKind.MOT, typed, None)]
    assert queries.get_item(change.next_item_id).anchor_day == typed.day
    assert queries.get_item(item).closed_at
    assert not change.has_doubtful_reading
    assert current_mileage(KEY).miles == 48_210
    reading = db.session.execute(select(OdometerReading)).scalar_one()
    assert (reading.source, reading.source_id) == (ReadingSource.DUE, change.done_id)


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
    change = done(fleet, item, done_on=today, **FAILED)
    defect = db.session.execute(select(Defect)).scalar_one()
    assert (defect.reference, defect.severity) == (change.defects[0], Severity.STOP)
    assert defect.detail == "Brake pipe"
    assert KEY in current_times([KEY])
    assert [row.id for row in items_of([KEY])] == [item]
    with pytest.raises(Conflict, match=r"^k\.lee recorded a fail at"):
        done(fleet, item, done_on=today, **FAILED)


def test_who_comes_after_an_edit_reads_who_edited_and_not_who_recorded_a_fail(
    fleet, today, driver_id
):
    item, before = add(fleet, today), today - timedelta(days=9)
    with on(before):
        done(fleet, item, done_on=before, **FAILED)
    edit(driver_id, item, today + timedelta(days=1), revision=1)
    with pytest.raises(Conflict, match=r"^driver changed this item at \d+:\d\d\."):
        done(fleet, item, revision=1, done_on=today)


def test_a_refusal_names_the_day_of_what_was_not_done_today(fleet, today):
    item, before = add(fleet, today), today - timedelta(days=9)
    with on(before):
        done(fleet, item, done_on=before, **FAILED)
    with pytest.raises(Conflict, match=rf"a fail on {dates.format_day(before)} at 12:00\. Nothing"):
        done(fleet, item, done_on=today)
    with on(before):
        done(fleet, item, revision=1, done_on=before)
    with pytest.raises(Conflict, match=rf"as done on {dates.format_day(before)} at 12:00\."):
        done(fleet, item, revision=1, done_on=today)


def test_advisories_open_a_defect_each_and_close_the_item(fleet, today):
    long = "Front tyre worn, " * 20 + "both"
    lines = ("Oil leak", " oil  leak ", "", long)
    item = add(fleet, today)
    change = done(fleet, item, done_on=today, result=DoneResult.ADVISORIES, defects=lines)
    leak, worn = db.session.execute(select(Defect).order_by(Defect.id)).scalars()
    assert [leak.reference, worn.reference] == change.defects
    assert (leak.title, leak.severity, worn.severity) == ("Oil leak", *[Severity.ADVISORY] * 2)
    assert len(worn.title) <= 160
    assert worn.detail.startswith(long)
    assert db.session.execute(select(DefectSighting)).all() == []
    assert open_of() == []


def test_what_contradicts_itself_is_refused(fleet, today):
    items = {kind: add(fleet, today, kind=kind) for kind in (DueKind.MOT, DueKind.SERVICE)}
    items[DueKind.TAX] = add(fleet, today, kind=DueKind.TAX)
    advisories, failed = {"result": DoneResult.ADVISORIES}, {"result": DoneResult.FAIL}
    for kind, values, field in (
        (DueKind.TAX, failed, "result"),
        (DueKind.MOT, advisories, "defects"),
        (DueKind.MOT, failed, "defects"),
        (DueKind.MOT, failed | {"defects": (" ",)}, "defects"),
        (DueKind.MOT, advisories | {"defects": (" ",)}, "defects"),
        (DueKind.MOT, {"defects": ("Oil leak",)}, "result"),
        (DueKind.MOT, {"next_due_on": today}, "next_due_on"),
        (DueKind.MOT, {"next_due_miles": 60_000}, "next_due_miles"),
        (DueKind.SERVICE, {"done_miles": 50, "next_due_miles": 50}, "next_due_miles"),
    ):
        with pytest.raises(Invalid) as refused:
            done(fleet, items[kind], done_on=today, **values)
        assert refused.value.field == field, (kind, values)


def test_a_next_mileage_that_the_vehicle_has_run_is_refused(fleet, today):
    read(fleet, 92_000, today)
    item = add(fleet, today, kind=DueKind.SERVICE)
    for miles in (None, 920_000):
        with pytest.raises(Invalid, match=r"The next mileage must be more than 92,000\."):
            done(fleet, item, done_on=today, done_miles=miles, next_due_miles=92_000)


def test_a_next_mileage_counts_from_that_of_the_day_it_was_done(fleet, today):
    read(fleet, 92_000, today)
    item = add(fleet, today, kind=DueKind.SERVICE)
    before = today - timedelta(days=30)
    done(fleet, item, done_on=before, done_miles=80_000, next_due_miles=90_000)
    assert open_of() == [(DueKind.SERVICE, None, 90_000)]


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
    failed = done(fleet, item, done_on=today, **FAILED)
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


def test_an_item_needs_a_day_or_a_mileage_and_what_the_law_asks_for_a_day(fleet, today):
    with pytest.raises(Invalid, match="Enter a day, a mileage, or both"):
        add(fleet, kind=DueKind.SERVICE)
    for kind in (DueKind.MOT, DueKind.TAX, DueKind.INSURANCE):
        with pytest.raises(Invalid, match="Enter the day on which it runs out") as refused:
            add(fleet, kind=kind)
        assert refused.value.field == "due_on", kind
        with pytest.raises(Invalid, match=r"runs out on a day\. Leave the miles empty") as refused:
            add(fleet, today, kind=kind, due_miles=5)
        assert refused.value.field == "due_miles", kind


def test_a_vehicle_has_one_open_mot_and_is_in_a_list(fleet, today):
    add(fleet, today)
    with pytest.raises(Conflict, match="LK19 VTE has MOT on its list already"):
        add(fleet, today)
    with pytest.raises(Invalid, match="There is no vehicle NO1"):
        add(fleet, today, regs=("NO1",))


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


def test_overdue_items_that_block_stand_against_each_of_their_vehicles(fleet, today):
    before = today - timedelta(days=1)
    add(fleet, before)
    add(fleet, before, kind=DueKind.SERVICE)
    add(fleet, before, kind=DueKind.INSURANCE, regs=VANS[1:])
    expired = (("MOT", DueKind.MOT), ("insurance", DueKind.INSURANCE))
    mot, insurance = (Objection(f"Its {name} ran out yesterday", kind=k) for name, k in expired)
    assert objections([KEY, "lm20abc", "other"], today) == {KEY: [mot], "lm20abc": [insurance]}


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
