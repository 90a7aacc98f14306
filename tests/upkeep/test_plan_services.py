"""Plans of what is due."""

from datetime import date, timedelta

import pytest

from app import dates
from app.db import transaction
from app.due.queries import due as queries
from app.due.queries.due import items_of
from app.due.queries.plans import get_plan
from app.due.rules.fields import Anchor, Applies, DoneResult, DueKind
from app.due.rules.next_due import Proposed
from app.due.services import due as services
from app.due.services import plans
from app.errors import Conflict, Invalid
from app.events.queries import events_of
from tests.upkeep import due_steps as steps
from tests.upkeep.due_steps import KEY, REG, VANS, add, done, edit, on, open_of, read, save

ONE_VAN = {"applies": Applies.VEHICLES, "regs": [REG]}
TWO_VANS = {"applies": Applies.VEHICLES, "regs": VANS[:2]}


def end(by, plan):
    """Withdraw a plan."""
    with transaction():
        plans.withdraw_plan(plan, revision=0, by=by)


def test_a_plan_makes_items_for_its_vehicles(fleet, today):
    change = save(fleet)
    first = dates.format_day(today + timedelta(days=19))
    assert change.summary == f"Makes 3 items, the first on {first}."
    assert open_of("lm20abc") == [(DueKind.INSPECTION, today + timedelta(days=56), None)]


def test_what_a_plan_does_must_be_confirmed_as_it_was_shown(fleet):
    with pytest.raises(plans.NeedsConfirmation) as refused:
        save(fleet, confirmed="")
    assert len(refused.value.effects.made) == 3
    assert open_of() == []
    save(fleet, confirmed=refused.value.effects.digest)
    assert len(open_of()) == 1


def test_a_plan_of_a_classification_ignores_its_case(fleet):
    change = save(fleet, applies=Applies.CLASSIFICATION, classification="vAN")
    assert change.summary.startswith("Makes 3 items")


def test_a_plan_takes_over_an_open_item_of_its_kind(fleet, today):
    item = add(fleet, today, kind=DueKind.INSPECTION)
    change = save(fleet)
    assert change.summary.endswith("Takes over 1 open item.")
    assert queries.get_item(item).plan_id == change.plan_id
    assert open_of() == [(DueKind.INSPECTION, today, None)]


def test_a_plan_of_another_kind_takes_over_what_has_its_name_only(fleet, today):
    add(fleet, today, kind=DueKind.OTHER, label="Cam belt")
    tail_lift = add(fleet, today, kind=DueKind.OTHER, label="Tail lift")
    change = save(fleet, kind=DueKind.OTHER, label="TAIL lift")
    assert change.summary.endswith("Takes over 1 open item.")
    of_plan = {item.id for item in items_of([KEY]) if item.plan_id == change.plan_id}
    assert of_plan == {tail_lift}


def test_a_change_of_a_plan_moves_what_follows_from_something_done(fleet, today):
    plan = save(fleet).plan_id
    item = items_of([KEY])[0].id
    done(fleet, item, done_on=today, next_due_on=today + timedelta(days=56))
    change = save(fleet, plan_id=plan, every_days=42)
    stay = "2 open items stay due as they are until something is done."
    assert change.summary == f"Moves 1 open item. {stay}"
    assert open_of() == [(DueKind.INSPECTION, today + timedelta(days=42), None)]
    assert open_of("lm20abc") == [(DueKind.INSPECTION, today + timedelta(days=56), None)]


def test_a_date_that_was_typed_stays_when_its_plan_changes(fleet, today):
    plan = save(fleet).plan_id
    item = items_of([KEY])[0].id
    typed = today + timedelta(days=50)
    done(fleet, item, done_on=today, next_due_on=typed)
    save(fleet, plan_id=plan, every_days=42)
    assert open_of() == [(DueKind.INSPECTION, typed, None)]


def test_a_plan_says_why_it_moves_nothing(fleet):
    plan = save(fleet).plan_id
    change = save(fleet, plan_id=plan, every_days=42)
    stay = "3 open items stay due as they are until something is done."
    assert change.summary == f"Changes no item: {stay}"
    assert save(fleet, plan_id=plan, revision=1, every_days=42).summary == "Changes no item."


def test_a_plan_renames_its_items_but_for_those_that_have_a_name_of_their_own(fleet, today):
    plan = save(fleet).plan_id
    own = items_of([KEY])[0].id
    edit(fleet, own, today, label="Yard check")
    change = save(fleet, plan_id=plan, label="Walkaround")
    assert change.summary == "Renames 2 open items."
    labels = {key: items_of([key])[0].terms.label for key in (KEY, "lm20abc")}
    assert labels == {KEY: "Yard check", "lm20abc": "Walkaround"}


def test_a_plan_with_open_items_keeps_its_kind(fleet):
    plan = save(fleet, **ONE_VAN).plan_id
    with pytest.raises(Invalid, match="End it, and add a plan") as refused:
        save(fleet, plan_id=plan, kind=DueKind.TYRES)
    assert refused.value.field == "kind"
    steps.withdraw(fleet, items_of([KEY])[0].id)
    save(fleet, plan_id=plan, kind=DueKind.TYRES, **ONE_VAN)
    assert [kind for kind, *_ in open_of()] == [DueKind.TYRES]


def test_a_mileage_goes_once_its_plan_counts_none_unless_it_was_typed(fleet, today):
    for reg in (REG, "LM20 ABC"):
        read(fleet, 10_000, today, reg=reg)
    plan = save(fleet, every_miles=5000, **TWO_VANS).plan_id
    typed = items_of(["lm20abc"])[0].id
    edit(fleet, typed, today, regs=["LM20 ABC"], due_miles=14_000)
    assert save(fleet, plan_id=plan, **TWO_VANS).summary.startswith("Moves 1 open item.")
    assert open_of() == [(DueKind.INSPECTION, today + timedelta(days=28), None)]
    assert open_of("lm20abc") == [(DueKind.INSPECTION, today, 14_000)]


def test_a_mileage_that_a_plan_made_goes_however_its_item_was_changed_otherwise(fleet, today):
    for reg in VANS:
        read(fleet, 10_000, today, reg=reg)
    plan = save(fleet, every_miles=5000).plan_id
    snoozed, moved = (items_of([key])[0].id for key in (KEY, "lm20abc"))
    with transaction():
        until = today + timedelta(days=3)
        services.snooze_item(snoozed, until, reason="Garage is full", revision=0, by=fleet)
    edit(fleet, moved, today, regs=["LM20 ABC"], due_miles=15_000)
    save(fleet, plan_id=plan, every_miles=5000, label="Walkaround")
    change = save(fleet, plan_id=plan, revision=1, label="Walkaround")
    assert change.summary == "Moves 3 open items."
    dues = [open_of(key)[0][1:] for key in (KEY, "lm20abc", "ef70lkp")]
    days = (today + timedelta(days=days) for days in (38, 0, 19))
    assert dues == [(day, None) for day in days]


def test_what_was_typed_before_a_plan_took_it_over_stays(fleet, today):
    read(fleet, 10_000, today)
    item = add(fleet, today, kind=DueKind.INSPECTION, due_miles=12_000)
    plan = save(fleet, every_miles=5000, **ONE_VAN).plan_id
    assert queries.get_item(item).plan_id == plan
    save(fleet, plan_id=plan, **ONE_VAN)
    assert open_of() == [(DueKind.INSPECTION, today, 12_000)]


def test_a_day_or_mileage_that_was_typed_stays_where_the_other_follows_its_plan(fleet, today):
    for reg in VANS[:2]:
        read(fleet, 10_000, today, reg=reg)
    plan = save(fleet, every_miles=5000, **TWO_VANS).plan_id
    typed = today + timedelta(days=50)
    entered = {
        KEY: {"next_due_on": typed, "next_due_miles": Proposed()},
        "lm20abc": {"next_due_miles": 14_000, "next_due_on": Proposed()},
    }
    for key, values in entered.items():
        done(fleet, items_of([key])[0].id, done_on=today, done_miles=10_000, **values)
    assert open_of() == [(DueKind.INSPECTION, typed, 15_000)]
    save(fleet, plan_id=plan, every_days=42, every_miles=7000, **TWO_VANS)
    assert open_of() == [(DueKind.INSPECTION, typed, 17_000)]
    moved = today + timedelta(days=42)
    assert open_of("lm20abc") == [(DueKind.INSPECTION, moved, 14_000)]


def test_a_plan_of_months_keeps_the_day_on_which_it_was_saved(fleet):
    monthly = {"every_days": None, "every_months": 1, "anchor": Anchor.DUE}
    with on(date(2026, 1, 31)):
        save(fleet, **monthly, **ONE_VAN)
    for due_on, following in (
        (date(2026, 2, 28), date(2026, 3, 31)),
        (date(2026, 3, 31), date(2026, 4, 30)),
    ):
        with on(due_on):
            done(fleet, items_of([KEY])[0].id, done_on=due_on, next_due_on=Proposed())
        assert open_of() == [(DueKind.INSPECTION, following, None)]


def test_an_item_that_its_plan_moved_keeps_the_day_of_the_month_of_the_new_interval(fleet):
    with on(date(2026, 1, 1)):
        plan = save(fleet, every_days=30, anchor=Anchor.DUE, **ONE_VAN).plan_id
    with on(date(2026, 1, 31)):
        done(fleet, items_of([KEY])[0].id, done_on=date(2026, 1, 31), next_due_on=Proposed())
        assert open_of() == [(DueKind.INSPECTION, date(2026, 3, 2), None)]
        save(fleet, plan_id=plan, every_days=None, every_months=1, anchor=Anchor.DUE, **ONE_VAN)
    item = items_of([KEY])[0]
    assert item.terms.due_on == date(2026, 2, 28)
    with on(date(2026, 2, 28)):
        done(fleet, item.id, item.revision, done_on=date(2026, 2, 28), next_due_on=Proposed())
    assert open_of() == [(DueKind.INSPECTION, date(2026, 3, 31), None)]


def test_no_plan_gives_a_vehicle_a_second_mot_tax_or_insurance(fleet, today):
    add(fleet, today, kind=DueKind.INSURANCE, regs=VANS[:2])
    legal = {"kind": DueKind.INSURANCE, "every_days": None, "every_months": 12}
    with pytest.raises(plans.NeedsConfirmation) as refused:
        save(fleet, confirmed="", label="Policy", **legal)
    effects = refused.value.effects
    assert effects.summary.endswith("2 vehicles with such an item already: no second one.")
    assert [vehicle.reg for vehicle in effects.covered] == [REG, "LM20 ABC"]
    save(fleet, label="Policy", **legal)
    save(fleet, label="Another policy", **legal)
    assert [len(open_of(key)) for key in (KEY, "lm20abc", "ef70lkp")] == [1, 1, 1]


def test_a_plan_makes_items_of_vehicles_that_were_chosen_from_the_other_list(fleet, vehicle):
    vehicle("VAN 1", vans=True)
    change = save(fleet, applies=Applies.VEHICLES, regs=["VAN 1"])
    assert change.summary.startswith("Makes 1 item")
    assert len(open_of("van1")) == 1


def test_a_plan_for_chosen_vehicles_withdraws_the_items_of_others_and_names_them(fleet):
    plan = save(fleet).plan_id
    change = save(fleet, plan_id=plan, **ONE_VAN)
    assert change.summary == "Withdraws 2 open items."
    assert open_of("lm20abc") == []
    event = events_of(plans.SUBJECT, [plan])[-1]
    assert (event.before["vehicles"], event.after["vehicles"]) == ([], [KEY])


def test_a_plan_for_a_classification_leaves_out_other_vehicles(fleet, vehicle):
    vehicle("CAR 1", classification="Car")
    save(fleet, applies=Applies.CLASSIFICATION, classification="Car")
    assert open_of() == []
    assert len(open_of("car1")) == 1


def test_a_plan_by_miles_waits_for_a_mileage(fleet, today):
    read(fleet, 10_000, today)
    values = {"every_days": None, "every_miles": 12_000, "kind": DueKind.SERVICE}
    change = save(fleet, **values)
    assert change.summary == "Makes 1 item. 2 vehicles without a mileage: no item yet."
    read(fleet, 500, today, reg="LM20 ABC")
    with transaction():
        assert plans.make_missing_items(change.plan_id, by=fleet).summary == "Makes 1 item."
    assert open_of("lm20abc") == [(DueKind.SERVICE, None, 12_500)]


def test_a_withdrawn_plan_stays_with_its_items_and_frees_its_label(fleet):
    plan = save(fleet).plan_id
    end(fleet, plan)
    assert not get_plan(plan).is_active
    assert open_of() == []
    with pytest.raises(Conflict, match="was withdrawn"):
        save(fleet, plan_id=plan, revision=1)
    save(fleet)
    assert len(open_of()) == 1


def test_a_plan_is_withdrawn_beside_one_whose_label_ends_in_its_number(fleet):
    plan = save(fleet, label="Eight").plan_id
    save(fleet, label=f"Eight {plan}")
    end(fleet, plan)
    assert not get_plan(plan).is_active


def test_undo_leaves_closed_what_a_withdrawn_plan_made(fleet, today):
    plan = save(fleet).plan_id
    item = items_of([KEY])[0].id
    change = done(fleet, item, done_on=today)
    end(fleet, plan)
    assert steps.undo(fleet, change).stays_closed == "its plan was withdrawn"
    assert open_of() == []


def test_two_plans_have_two_labels_and_what_the_law_asks_for_counts_no_miles(fleet):
    save(fleet)
    with pytest.raises(Conflict, match="There is a plan"):
        save(fleet, label="8-WEEKLY inspection")
    with pytest.raises(Invalid, match="Tax runs out on a day") as refused:
        save(fleet, kind=DueKind.TAX, every_miles=5000)
    assert refused.value.field == "every_miles"


def test_undo_is_refused_once_the_plan_has_made_another_item(fleet, today):
    plan = save(fleet).plan_id
    change = done(fleet, items_of([KEY])[0].id, done_on=today)
    with transaction():
        plans.make_missing_items(plan, by=fleet)
    with pytest.raises(Conflict, match="has 8-weekly inspection on its list"):
        steps.undo(fleet, change)
    assert len(open_of()) == 1


def test_a_plan_counts_its_first_mileage_from_no_typo(fleet, today):
    read(fleet, 48_000, today - timedelta(days=3))
    service = {"kind": DueKind.SERVICE, "label": "Service"}
    item = add(fleet, today, **service)
    assert done(fleet, item, done_on=today, done_miles=480_210).has_doubtful_reading
    save(fleet, every_days=None, every_miles=1000, **service, **ONE_VAN)
    assert open_of() == [(DueKind.SERVICE, None, 49_000)]


def test_a_change_of_a_plan_moves_a_mileage_that_follows_from_the_readings(fleet, today):
    vans = {KEY: None, "lm20abc": 10_000}
    for reg in VANS[:2]:
        read(fleet, 10_000, today, reg=reg)
    miles = TWO_VANS | {"every_days": None}
    plan = save(fleet, every_miles=1000, **miles).plan_id
    for key, entered in vans.items():
        item = items_of([key])[0].id
        done(fleet, item, done_on=today, done_miles=entered, next_due_miles=Proposed())
    read(fleet, 10_050, today, reg="LM20 ABC")
    save(fleet, plan_id=plan, every_miles=500, **miles)
    assert [open_of(key)[0][2] for key in vans] == [10_500, 10_500]


def test_a_plan_counts_nothing_from_a_failed_test(fleet, today):
    plan = save(fleet, **ONE_VAN).plan_id
    item = items_of([KEY])[0].id
    day = today - timedelta(days=9)
    done(fleet, item, done_on=day, result=DoneResult.FAIL, defects=["Brakes"])
    steps.withdraw(fleet, item, revision=1)
    with transaction():
        plans.make_missing_items(plan, by=fleet)
    assert open_of() == [(DueKind.INSPECTION, today + timedelta(days=56), None)]


def test_a_renamed_plan_remembers_what_was_done(fleet, today):
    day = today - timedelta(days=20)
    plan = save(fleet, **ONE_VAN).plan_id
    done(fleet, items_of([KEY])[0].id, done_on=day)
    save(fleet, plan_id=plan, label="Safety inspection", **ONE_VAN)
    assert open_of() == [(DueKind.INSPECTION, day + timedelta(days=56), None)]
