"""Plans of what is due, on both engines."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.errors import Conflict, Invalid
from app.upkeep.models.due import DueItem
from app.upkeep.queries import due as queries
from app.upkeep.queries.due import items_of
from app.upkeep.queries.plans import get_plan
from app.upkeep.rules.kinds import Applies, DueKind
from app.upkeep.services import plans
from app.upkeep.services.done import undo_done
from tests.upkeep.due_steps import KEY, REG, add, done, open_of, read, save


def test_a_plan_makes_items_for_its_vehicles(fleet, today):
    change = save(fleet)
    first = dates.format_day(today + timedelta(days=56))
    assert change.summary == f"Makes 3 items, the first on {first}."
    assert open_of() == [(DueKind.INSPECTION, today + timedelta(days=56), None)]


def test_what_a_plan_does_must_be_confirmed_as_it_was_shown(fleet):
    with pytest.raises(plans.NeedsConfirmation) as refused:
        save(fleet, confirmed="")
    assert len(refused.value.effects.made) == 3
    assert open_of() == []
    save(fleet, confirmed=refused.value.effects.digest)
    assert len(open_of()) == 1


def test_a_plan_takes_over_an_open_item_of_its_kind(fleet, today):
    item = add(fleet, today, kind=DueKind.INSPECTION)
    change = save(fleet)
    assert change.summary.endswith("Takes over 1 open item.")
    assert queries.get_item(item).plan_id == change.plan_id
    assert open_of() == [(DueKind.INSPECTION, today, None)]


def test_a_plan_of_another_kind_takes_over_what_has_its_name_only(fleet, today):
    add(fleet, today, kind=DueKind.OTHER, label="Cam belt")
    tail_lift = add(fleet, today, kind=DueKind.OTHER, label="Tail lift")
    change = save(fleet, kind=DueKind.OTHER, label="Tail lift")
    assert change.summary.endswith("Takes over 1 open item.")
    of_plan = {item.id for item in items_of([KEY]) if item.plan_id == change.plan_id}
    assert of_plan == {tail_lift}


def test_a_change_of_a_plan_moves_what_follows_from_something_done(fleet, today):
    plan = save(fleet).plan_id
    item = items_of([KEY])[0].id
    done(fleet, item, done_on=today, next_due_on=today + timedelta(days=56))
    change = save(fleet, plan_id=plan, every_days=42)
    assert change.summary == "Moves 1 open item."
    assert open_of() == [(DueKind.INSPECTION, today + timedelta(days=42), None)]
    assert open_of("lm20abc") == [(DueKind.INSPECTION, today + timedelta(days=56), None)]


def test_a_date_that_was_typed_stays_when_its_plan_changes(fleet, today):
    plan = save(fleet).plan_id
    item = items_of([KEY])[0].id
    typed = today + timedelta(days=50)
    done(fleet, item, done_on=today, next_due_on=typed)
    save(fleet, plan_id=plan, every_days=42)
    assert open_of() == [(DueKind.INSPECTION, typed, None)]


def test_a_plan_for_chosen_vehicles_withdraws_the_items_of_others(fleet):
    plan = save(fleet).plan_id
    change = save(fleet, plan_id=plan, applies=Applies.VEHICLES, regs={KEY: REG})
    assert change.summary == "Withdraws 2 open items."
    assert open_of("lm20abc") == []


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
    with transaction():
        plans.withdraw_plan(plan, revision=0, by=fleet)
    assert not get_plan(plan).is_active
    assert open_of() == []
    with pytest.raises(Conflict, match="was withdrawn"):
        save(fleet, plan_id=plan, revision=1)
    save(fleet)
    assert len(open_of()) == 1


def test_two_plans_cannot_have_one_label(fleet):
    save(fleet)
    with pytest.raises(Conflict, match="There is a plan"):
        save(fleet, label="8-WEEKLY inspection")


def test_a_plan_of_what_the_law_asks_for_counts_no_miles(fleet):
    with pytest.raises(Invalid, match="Tax runs out on a day") as refused:
        save(fleet, kind=DueKind.TAX, every_miles=5000)
    assert refused.value.field == "every_miles"


def test_one_vehicle_has_one_open_item_of_a_plan(fleet):
    save(fleet)
    plan = items_of([KEY])[0].plan_id
    rows = db.session.execute(select(DueItem).filter_by(plan_id=plan, reg_key=KEY)).scalars()
    assert len(rows.all()) == 1


def test_undo_is_refused_once_the_plan_has_made_another_item(fleet, today):
    plan = save(fleet).plan_id
    change = done(fleet, items_of([KEY])[0].id, done_on=today)
    with transaction():
        plans.make_missing_items(plan, by=fleet)
    with pytest.raises(Conflict, match="has 8-weekly inspection on its list"), transaction():
        undo_done(change.done_id, by=fleet)
    assert len(open_of()) == 1
