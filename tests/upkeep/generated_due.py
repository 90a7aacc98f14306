"""What is due of a generated fleet: its plans, and years of items that were done."""

from datetime import date, timedelta
from typing import Any

from app import dates
from app.due.models import DueDone, DueItem, DueItemVehicle
from app.due.rules.fields import Anchor, Applies, Blocks, DoneResult, DueClosing, DueKind
from app.events.rules import EventKind
from app.fleet.rules.vehicles import plate_key
from tests.bench.calls import plate
from tests.upkeep.generated_rows import Rows, at, miles_on

PLANS = {
    DueKind.MOT: {"every_months": 12, "anchor": Anchor.DUE, "blocks": Blocks.BLOCK},
    DueKind.SERVICE: {"every_months": 12, "every_miles": 10_000},
    DueKind.INSPECTION: {"every_days": 56},
}
INTERVALS = {DueKind.MOT: 365, DueKind.SERVICE: 240, DueKind.INSPECTION: 56}
"""After how many days each kind is done again."""


def plan_values(kind: DueKind) -> dict[str, Any]:
    """Return the values of the plan of a kind."""
    return {
        "label": kind.value.title(),
        "label_key": kind.value,
        "kind": kind,
        "applies": Applies.ALL,
        "anchor": Anchor.DONE,
        "blocks": Blocks.WARN,
        **PLANS[kind],
    }


def add_due(
    rows: Rows, named: dict[str, str], kind: DueKind, plan_id: int, first: date, number: int
) -> None:
    """Add the items of a plan: each was done, and the last is open."""
    interval = timedelta(days=INTERVALS[kind])
    # One vehicle in twenty lets things run out for a while.
    last = dates.today() - timedelta(days=20 if number % 20 == 0 else 0)
    due_on = first + timedelta(days=number * 11 % interval.days)
    before: tuple[int, date] | None = None
    while True:
        is_open = due_on >= last
        item_id = rows.add(
            DueItem,
            **named,
            plan_id=plan_id,
            kind=kind,
            label=kind.value.title(),
            due_on=due_on,
            due_miles=miles_on(due_on, first) if kind is DueKind.SERVICE else None,
            opened_at=at(due_on - interval),
            closing=None if is_open else DueClosing.DONE,
            closed_at=None if is_open else at(due_on),
        )
        rows.add_event(EventKind.DUE_OPENED, "due_item", item_id, due_on - interval)
        if before:
            _add_done(rows, named, kind, before, item_id)
        if is_open:
            return
        before = item_id, due_on
        due_on += interval


def _add_done(
    rows: Rows, named: dict[str, str], kind: DueKind, item: tuple[int, date], next_id: int
) -> None:
    item_id, day = item
    rows.add(
        DueDone,
        due_item_id=item_id,
        reg_key=named["reg_key"],
        kind=kind,
        done_on=day,
        result=DoneResult.PASS,
        next_item_id=next_id,
        cost=5_485,
        recorded_by=rows.by,
        recorded_at=at(day),
    )
    rows.add_event(EventKind.DUE_DONE, "due_item", item_id, day)


def add_insurance(rows: Rows, vehicles: int, today: date) -> None:
    """Add an item that all vehicles share."""
    item_id = rows.add(
        DueItem,
        kind=DueKind.INSURANCE,
        label="Insurance",
        due_on=today + timedelta(days=90),
        opened_at=at(today),
    )
    for number in range(1, vehicles + 1):
        reg = plate(number)
        rows.add(DueItemVehicle, due_item_id=item_id, reg=reg, reg_key=plate_key(reg))
