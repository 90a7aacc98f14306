"""The ledger: every change of stock goes through here, the only writer of amounts."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from app import dates, names
from app.db import db, is_busy, is_retryable
from app.divisions import Store
from app.errors import Conflict, QuartermasterError
from app.money import format_number
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite
from app.stock.queries import levels
from app.stock.rules import operations as rules
from app.stock.rules.operations import Add, ItemState, Line, Moved, Operation
from app.versions import refuse_stale_list

Progress = Callable[[Iterable[Operation]], Iterable[Operation]]


@dataclass(frozen=True)
class Context:
    """What a set of operations has in common; without a user it comes from the terminal."""

    by: int | None
    on: date = field(default_factory=dates.today)
    team: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Step:
    """What happens at one site; `failure` is said when it can't be done."""

    store: Store
    operations: Sequence[Operation]
    reason: str = ""
    failure: str = ""


@dataclass(frozen=True)
class Booked:
    """An operation that was written, its lines in the order of its steps' operations."""

    operation_id: int
    lines: Sequence[Line]


class StockMoved(Conflict):
    """Stock changed since its user looked; `moved` says where, in the order of the operations."""

    def __init__(self, moved: Sequence[Moved]) -> None:
        first = moved[0]
        now = "is no longer in stock"
        if first.amount is not None:
            now = f"has {format_number(first.amount)} now, not {format_number(first.seen)}"
        one = f'Stock changed meanwhile: "{first.name}" {now}.'
        many = f"The stock of {format_number(len(moved))} items changed meanwhile."
        super().__init__(one if len(moved) == 1 else many)
        self.moved = moved
        self.details = {
            "moved": [{"id": m.name, "expected": m.seen, "amount": m.amount} for m in moved]
        }


class StepFailed(Conflict):
    """A later site couldn't do its part, so no site did."""


def apply_operations(
    store: Store, operations: Sequence[Operation], context: Context, *, progress: Progress = iter
) -> Booked:
    """Write a set of operations at one site: all of them, or by an error none."""
    return apply_steps([Step(store, operations)], context, progress=progress)


def apply_steps(
    steps: Sequence[Step],
    context: Context,
    *,
    undoes: int | None = None,
    progress: Progress = iter,
) -> Booked:
    """Write one operation over one or more sites, amounts and ledger together, or nothing.

    Rows are locked in the order of their ids, the sites' versions last, so that no two sets wait
    for each other. Raises StockMoved where an amount isn't what an operation was based on,
    and Conflict.
    """
    sites = {step.store: levels.site_id(step.store) for step in steps}
    items = _locked_items(set(sites.values()), [op for step in steps for op in step.operations])
    states = {i: levels.state_of(item) for i, item in items.items()}
    _check_seen(steps, states)
    operation = StockOperation(user_id=context.by, recorded_at=dates.utc_now(), undoes_id=undoes)
    db.session.add(operation)
    _flush()
    lines: list[Line] = []
    for step in steps:
        writing = replace(context, reason=step.reason or context.reason)
        try:
            written = _write(sites[step.store], step.operations, items, states, progress)
            _append(operation, sites[step.store], written, writing, first=len(lines))
        except (QuartermasterError, DBAPIError) as error:
            if not step.failure or _passes(error):
                raise
            why = f": {error.message}" if isinstance(error, QuartermasterError) else ""
            raise StepFailed(f"{step.failure}{why}") from error
        lines += written
    for site_id in sorted(sites.values()):
        db.session.execute(
            update(StockSite).filter_by(id=site_id).values(version=StockSite.version + 1)
        )
    return Booked(operation.id, lines)


def check_list_was(store: Store, versions: Collection[int] | None) -> None:
    """Check that a store's list was one of these versions before the change just made to it.

    Raises PreconditionFailed, which takes that change back; None is any version.
    """
    if versions is not None and levels.locked_site(store).version - 1 not in versions:
        refuse_stale_list()


def locked(item_id: int) -> Item:
    """Return an item as it is now, held until the transaction ends."""
    return db.session.execute(
        select(Item)
        .filter_by(id=item_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).scalar_one()


def _passes(error: Exception) -> bool:
    """Tell whether an error isn't the step's own fault: it is retried, or said as it is."""
    return isinstance(error, DBAPIError) and (is_retryable(error) or is_busy(error))


def _check_seen(steps: Sequence[Step], states: dict[int, ItemState]) -> None:
    moved: list[Moved] = []
    for op in (op for step in steps for op in step.operations):
        seen = rules.based_on(op)
        if isinstance(op, Add) or seen is None:
            continue
        state = states.get(op.item_id)
        amount = None if state is None or state.removed else state.amount
        if amount != seen:
            moved.append(Moved(state.name if state else "", seen, amount))
    if moved:
        raise StockMoved(moved)


def _write(
    site_id: int,
    operations: Sequence[Operation],
    items: dict[int, Item],
    states: dict[int, ItemState],
    progress: Progress,
) -> list[Line]:
    now = dates.utc_now()
    lines: list[Line] = []
    added: list[tuple[int, Item]] = []
    for position, op in enumerate(progress(operations)):
        line = rules.apply(op, None if isinstance(op, Add) else states.get(op.item_id))
        lines.append(line)
        if isinstance(op, Add):
            item = Item(site_id=site_id, revision=0)
            db.session.add(item)
            added.append((position, item))
        else:
            item = items[op.item_id]
            states[op.item_id] = line.after
            item.revision += bool(line.changes)
        _store(line.after, item, now)
    _flush()
    for position, item in added:
        lines[position] = replace(lines[position], after=replace(lines[position].after, id=item.id))
    return lines


def _locked_items(site_ids: set[int], operations: Sequence[Operation]) -> dict[int, Item]:
    ids = sorted({op.item_id for op in operations if not isinstance(op, Add)})
    found: dict[int, Item] = {}
    for start in range(0, len(ids), 5000):
        statement = (
            select(Item)
            .where(Item.id.in_(ids[start : start + 5000]), Item.site_id.in_(site_ids))
            .order_by(Item.id)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        )
        found |= {item.id: item for item in db.session.execute(statement).scalars()}
    return found


def _store(state: ItemState, item: Item, now: datetime) -> None:
    item.name = state.name
    item.name_key = names.key(state.name)
    item.amount = state.amount
    item.category = state.category
    item.unit_price = state.unit_price
    item.unit = state.unit
    item.removed_at = now if state.removed else None


def _append(
    operation: StockOperation,
    site_id: int,
    lines: Sequence[Line],
    context: Context,
    *,
    first: int,
) -> None:
    effective_at = dates.noon_in_london(context.on)
    rows: list[dict[str, Any]] = [
        {
            "operation_id": operation.id,
            "line": first + position,
            "site_id": site_id,
            "item_id": line.after.id,
            "item_name": line.after.name,
            "kind": line.kind,
            "delta": line.delta,
            "unit_price": line.after.unit_price,
            "team": context.team,
            "reason": (
                "; ".join(filter(None, (context.reason, line.detail)))[: rules.LONGEST_REASON]
            ),
            "effective_at": effective_at,
            "changes": {name: list(pair) for name, pair in line.changes.items()} or None,
        }
        for position, line in enumerate(lines)
    ]
    if rows:
        db.session.execute(insert(LedgerEntry), rows)


def _flush() -> None:
    try:
        db.session.flush()
    except IntegrityError as error:
        said = str(error.orig)
        if "undoes_id" in said or "stock_operation" in said:
            raise Conflict("This was undone already.") from error
        if "uq_item_live_name" not in said and "item.name_key" not in said:
            raise
        raise Conflict("Somebody has just added an item of this name.", "name") from error
