"""Deliver, withdraw and transfer stock: one item from a dialog, or many lines, all or none."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, ClassVar, NamedTuple

from app.divisions import SITES, Site, Store
from app.errors import Invalid
from app.idempotency import UNSTAMPED, Stamp
from app.stock.queries import operations
from app.stock.queries.locks import LockedStock, lock_items
from app.stock.rules import movements as rules
from app.stock.rules.items import DEFAULT_UNIT, stored_id
from app.stock.rules.movements import Action, PlannedLine, StockLine, SummedLine
from app.stock.rules.operations import LedgerLine
from app.stock.services.ledger import (
    OperationDetails,
    Step,
    check_base_version,
    record_operation,
)


class MovedItem(NamedTuple):
    """An item with its amount before and after, in its `unit`."""

    item_id: int
    name: str
    before: int
    after: int
    unit: str


@dataclass(frozen=True)
class MovementResult:
    """The effect of a delivery, withdrawal or transfer on its site's items; kept for replays."""

    operation: int
    items: list[MovedItem]
    record_version: ClassVar = 2

    def __post_init__(self) -> None:
        """Turn the stored items, which are lists, into tuples."""
        object.__setattr__(self, "items", [MovedItem(*item) for item in self.items])

    @classmethod
    def upgrade_record(cls, _version: int, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of today for a result stored by a dialog or a bulk update before."""
        if "lines" in values:
            items = [(0, *line, DEFAULT_UNIT) for line in values["lines"]]
        else:
            items = [tuple(values[name] for name in MovedItem._fields)]
        return {"operation": values["operation"], "items": items}


def deliver(
    store: Store,
    lines: Sequence[StockLine],
    *,
    auto_create: bool = False,
    team: str,
    on: date,
    by: int,
    stamp: Stamp = UNSTAMPED,
    versions: Collection[int] | None = None,
) -> MovementResult:
    """Take deliveries into stock.

    With `auto_create` a missing item is added, without a category or a price. `versions` and the
    errors are as in `withdraw`.
    """
    summed = _sum_lines(lines)
    stock = _lock([store], summed)
    planned = rules.plan_lines(
        Action.DELIVERY, rules.plan_delivery, summed, stock.at(store), auto_create=auto_create
    )
    details = OperationDetails(by=by, on=on, team=team, stamp=stamp)
    return _record(stock, [_step(store, planned)], details, versions)


def withdraw(
    store: Store,
    lines: Sequence[StockLine],
    *,
    team: str,
    on: date,
    reason: str = "",
    books_available: bool = False,
    by: int,
    stamp: Stamp = UNSTAMPED,
    versions: Collection[int] | None = None,
) -> MovementResult:
    """Take quantities out of stock, or with `books_available` whatever smaller amount is available.

    `reason` is the purpose in the ledger. `versions` are the versions of the store's list that the
    caller has read, None for any. Raises Invalid or Conflict with the refused lines, NotFound for
    an item's id, and PreconditionFailed.
    """
    summed = _sum_lines(lines)
    stock = _lock([store], summed)
    plan = partial(rules.plan_withdrawal, books_available=books_available)
    planned = rules.plan_lines(Action.WITHDRAWAL, plan, summed, stock.at(store))
    details = OperationDetails(by=by, on=on, team=team, reason=reason, stamp=stamp)
    return _record(stock, [_step(store, planned)], details, versions)


def transfer(
    store: Store,
    lines: Sequence[StockLine],
    *,
    destination: Site | None,
    team: str,
    on: date,
    books_available: bool = False,
    by: int,
    stamp: Stamp = UNSTAMPED,
    versions: Collection[int] | None = None,
) -> MovementResult:
    """Take quantities to another site of the division, in one operation.

    An item that the destination lacks is added there with its category and price.
    `books_available`, `versions` and the errors are as in `withdraw`; raises StepFailed if the
    destination can't take an item.
    """
    summed = _sum_lines(lines)
    target = check_destination(store, destination)
    stock = _lock([store, target], summed)
    plan = partial(rules.plan_dispatch, books_available=books_available)
    planned = rules.plan_lines(Action.TRANSFER, plan, summed, stock.at(store))
    steps = [
        _step(store, planned, reason=f"Transfer to {target.site}"),
        Step(
            target,
            rules.plan_arrivals(planned, stock.by_key(target)),
            reason=f"Transfer from {store.site}",
            failure="Transfer failed on destination site",
        ),
    ]
    details = OperationDetails(by=by, on=on, team=team, stamp=stamp)
    return _record(stock, steps, details, versions)


def move(
    action: Action,
    store: Store,
    lines: Sequence[StockLine],
    *,
    destination: Site | None,
    auto_create: bool = False,
    books_available: bool = False,
    **details: Any,
) -> MovementResult:
    """Deliver, withdraw or transfer; `details` are the common arguments."""
    match action:
        case Action.DELIVERY:
            return deliver(store, lines, auto_create=auto_create, **details)
        case Action.WITHDRAWAL:
            return withdraw(store, lines, books_available=books_available, **details)
        case Action.TRANSFER:
            details |= {"destination": destination, "books_available": books_available}
            return transfer(store, lines, **details)


def rebuild_movement(operation_id: int) -> MovementResult:
    """Return the result of a movement from the ledger, once the stored one was deleted."""
    lines = operations.made_lines(operation_id)
    items = [
        MovedItem(each.item_id, each.name, each.before, each.after, each.unit) for each in lines
    ]
    return MovementResult(operation_id, items)


def check_destination(store: Store, destination: Site | None) -> Store:
    """Return the store that a transfer goes to.

    Raises Invalid when the division has one site, or the destination isn't another one of them.
    """
    if len(SITES[store.division]) == 1:
        raise Invalid("Transfers require multiple sites.")
    if destination is None or destination == store.site or destination not in SITES[store.division]:
        raise Invalid("Choose a destination other than this site.", "destination")
    return Store(store.division, destination)


def _sum_lines(lines: Sequence[StockLine]) -> list[SummedLine]:
    if not lines:
        raise Invalid("Add at least one item.", "lines")
    return rules.sum_lines(lines)


def _lock(stores: Sequence[Store], lines: Sequence[SummedLine]) -> LockedStock:
    ids = [line.item for line in lines if isinstance(line.item, int)]
    item_names = [line.item for line in lines if isinstance(line.item, str)]
    return lock_items(stores, item_names, ids=ids, namesakes=len(stores) > 1)


def _step(store: Store, lines: Sequence[PlannedLine], reason: str = "") -> Step:
    return Step(store, [line.operation for line in lines], reason)


def _record(
    stock: LockedStock,
    steps: Sequence[Step],
    details: OperationDetails,
    versions: Collection[int] | None,
) -> MovementResult:
    recorded = record_operation(stock, steps, details)
    check_base_version(steps[0].store, versions)
    lines = recorded.lines[: len(steps[0].operations)]
    return MovementResult(recorded.id, [_moved_item(line) for line in lines])


def _moved_item(line: LedgerLine) -> MovedItem:
    after = line.after
    return MovedItem(stored_id(after), after.name, line.before.amount, after.amount, after.unit)
