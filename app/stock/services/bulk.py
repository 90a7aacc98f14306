"""Bulk update: all lines of a delivery, withdrawal or transfer apply, or none."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from app.divisions import Site, Store
from app.errors import Invalid
from app.stock.queries import levels
from app.stock.rules import bulk as rules
from app.stock.rules.bulk import Action, BulkLine
from app.stock.services.items import check_destination, transfer_steps
from app.stock.services.ledger import Context, Step, apply_steps, check_list_was


@dataclass(frozen=True)
class BulkChange:
    """What a bulk update did: its operation, and per item its name, amount before and after."""

    operation: int
    lines: list[tuple[str, int, int]]


def bulk_update(
    store: Store,
    action: Action,
    lines: Sequence[BulkLine],
    *,
    auto_create: bool,
    destination: Site | None = None,
    team: str,
    on: date,
    versions: Collection[int] | None = None,
    by: int,
) -> BulkChange:
    """Apply all lines in one operation; lines of the same item are summed.

    `versions` are those of the store's list that the caller has seen, None where that doesn't
    matter. Raises LinesRefused, which says which lines can't be applied and why, Invalid, and
    PreconditionFailed.
    """
    if not lines:
        raise Invalid("Add at least one item.", "lines")
    summed = rules.sum_lines(lines)
    present = levels.items_named(store, [line.name for line in summed])
    if action is Action.TRANSFER:
        check_destination(store, destination)
    found = rules.find_items(action, summed, present, auto_create=auto_create)
    if action is Action.TRANSFER:
        moving = [(item, quantity) for item, quantity in found if item]
        steps = transfer_steps(store, destination, moving)
    else:
        steps = [Step(store, rules.plan_bulk(action, summed, found))]
    booked = apply_steps(steps, Context(by=by, on=on, team=team))
    check_list_was(store, versions)
    here = booked.lines[: len(summed)]
    return BulkChange(
        booked.operation_id,
        [(line.after.name, line.before.amount, line.after.amount) for line in here],
    )
