"""The import of pending deliveries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app import dates, names
from app.audit.services import record_import
from app.deliveries import queries, rules, services
from app.deliveries.rules import DeliveryOrder
from app.divisions import Division, Store
from app.errors import Invalid
from app.fields import fields_of, state_of
from app.lists import ListChange, grouped
from app.tables.csv_files import Cells, FileLines


@dataclass(frozen=True)
class DeliveryLine:
    """A delivery in a file, and its row; it has an `id` if it is pending already.

    `values` are those of DeliveryOrder that the file has, by name.
    """

    row: Cells
    id: int | None
    values: Mapping[str, Any]


def plan_import(
    division: Division, file: FileLines[DeliveryLine]
) -> tuple[Sequence[DeliveryOrder], Mapping[int, DeliveryOrder]]:
    """Return the orders to schedule, and changed ones by the ids of their deliveries.

    Refuses rows that don't fit what is pending.
    """
    pending = {row.id: row for row in queries.pending_deliveries(division)}
    new: list[DeliveryOrder] = []
    changed: dict[int, DeliveryOrder] = {}
    for line in (each for each in file.lines if each.row.is_valid):
        before, values = pending.get(line.id or 0), {"ordered_on": dates.today(), **line.values}
        if line.id and not before:
            line.row.refuse("delivery", f"There is no pending delivery {line.id}")
            continue
        current = state_of(DeliveryOrder, before) if before else DeliveryOrder(**values)
        order = replace(current, **line.values)
        try:
            rules.check_order(division, order)
        except Invalid as error:
            line.row.refuse(fields_of(DeliveryOrder)[error.field or ""].json, error.message)
        if before is None:
            new.append(order)
        elif order != current:
            changed[before.id] = order
    return new, changed


def import_deliveries(
    division: Division, file: FileLines[DeliveryLine], *, by: int | None
) -> ListChange:
    """Schedule and change pending deliveries; what comes from one supplier on a day is one order.

    Raises FileErrors, and Conflict while an earlier release could take them for GPM's.
    """
    new, changed = plan_import(division, file)
    file.rows.check()
    orders = grouped(((names.key(o.supplier), o.ordered_on, o.office), o) for o in new)
    for (_, _, office), lines in orders.items():
        services.add_lines(Store(division, office), lines, by=by)
    for id_, order in changed.items():
        services.edit(division, id_, order, revision=None, by=by)
    change = ListChange(len(new), len(changed), len(file.lines) - len(new) - len(changed))
    record_import(f"{division} deliveries", change, by=by)
    return change
