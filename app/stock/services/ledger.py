"""The ledger: every change of stock is recorded here, the only writer of amounts."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError, IntegrityError

from app import dates, names
from app.db import db, is_busy, is_retryable, violates
from app.divisions import Store
from app.errors import Conflict, QuartermasterError
from app.stock.models import Item, LedgerEntry, StockOperation
from app.stock.queries import levels
from app.stock.queries.locks import LockedStock, lock_site
from app.stock.rules.item_fields import REASON
from app.stock.rules.items import ItemState
from app.stock.rules.operations import Add, LedgerLine, Operation, apply_operation
from app.stock.rules.undo import AlreadyUndone
from app.stock.services import summaries
from app.versions import refuse_stale_list

Progress = Callable[[Iterable[Operation]], Iterable[Operation]]


@dataclass(frozen=True)
class OperationDetails:
    """Who does an operation, on which day, for whom and why; without a user, the terminal."""

    by: int | None
    on: date = field(default_factory=dates.today)
    team: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Step:
    """The part of an operation at one site; `failure` is the message when it can't be done."""

    store: Store
    operations: Sequence[Operation]
    reason: str = ""
    failure: str = ""


@dataclass(frozen=True)
class RecordedOperation:
    """An operation that was recorded, its lines in the order of its steps' operations."""

    id: int
    lines: Sequence[LedgerLine]


class StepFailed(Conflict):
    """A site couldn't do its part of an operation, so no site did."""


def record_operation(
    stock: LockedStock,
    steps: Sequence[Step],
    details: OperationDetails,
    *,
    undoes: int | None = None,
    progress: Progress = iter,
) -> RecordedOperation:
    """Write one operation over one or more sites, amounts and ledger together, or nothing.

    `stock` has the items that it changes, locked. The sites' versions are incremented last, in
    the order of their ids, so that no two operations wait for each other. Raises Conflict where
    an operation can't be applied, and StepFailed where its step has a message for that.
    """
    states = {item_id: levels.state_of(item) for item_id, item in stock.items.items()}
    operation = StockOperation(user_id=details.by, recorded_at=dates.utc_now(), undoes_id=undoes)
    db.session.add(operation)
    _flush()
    lines: list[LedgerLine] = []
    entries: list[dict[str, Any]] = []
    by_site: dict[int, Sequence[LedgerLine]] = {}
    for step in steps:
        try:
            written = _write_items(stock, step, states, progress)
            entries += _write_entries(operation, stock, step, written, details, first=len(lines))
        except (QuartermasterError, DBAPIError) as error:
            if not step.failure or _is_transient(error):
                raise
            cause = f": {error.message}" if isinstance(error, QuartermasterError) else ""
            raise StepFailed(f"{step.failure}{cause}") from error
        lines += written
        by_site[stock.site_ids[step.store]] = written
    for site_id, site_lines in sorted(by_site.items()):
        summaries.change_site(site_id, site_lines)
    summaries.add_entries(entries, {id_: store.site for store, id_ in stock.site_ids.items()})
    summaries.keep_past_names(lines)
    return RecordedOperation(operation.id, lines)


def check_base_version(store: Store, versions: Collection[int] | None) -> None:
    """Check that the operation just recorded changed one of these versions of a store's list.

    None allows any version. Raises PreconditionFailed, which rolls the operation back.
    """
    if versions is not None and lock_site(store).version - 1 not in versions:
        refuse_stale_list()


def _is_transient(error: Exception) -> bool:
    """Return whether an error isn't the step's own: the transaction is retried or the app busy."""
    return isinstance(error, DBAPIError) and (is_retryable(error) or is_busy(error))


def _write_items(
    stock: LockedStock, step: Step, states: dict[int, ItemState], progress: Progress
) -> list[LedgerLine]:
    now = dates.utc_now()
    lines: list[LedgerLine] = []
    added: list[tuple[int, Item]] = []
    for index, operation in enumerate(progress(step.operations)):
        if isinstance(operation, Add):
            line = apply_operation(operation, None)
            item = Item(site_id=stock.site_ids[step.store], revision=0)
            db.session.add(item)
            added.append((index, item))
        else:
            line = apply_operation(operation, states.get(operation.item_id))
            item = stock.items[operation.item_id]
            states[operation.item_id] = line.after
            item.revision += bool(line.changes)
        lines.append(line)
        _set_values(item, line.after, now)
    _flush()
    for index, item in added:
        lines[index] = replace(lines[index], after=replace(lines[index].after, id=item.id))
    return lines


def _set_values(item: Item, state: ItemState, now: datetime) -> None:
    item.name = state.name
    item.name_key = names.key(state.name)
    item.amount = state.amount
    item.category = state.category
    item.unit_price = state.unit_price
    item.unit = state.unit
    item.removed_at = now if state.removed else None


def _write_entries(
    operation: StockOperation,
    stock: LockedStock,
    step: Step,
    lines: Sequence[LedgerLine],
    details: OperationDetails,
    *,
    first: int,
) -> list[dict[str, Any]]:
    effective_at = dates.noon_in_london(details.on)
    reason = step.reason or details.reason
    rows: list[dict[str, Any]] = [
        {
            "operation_id": operation.id,
            "line": number,
            "site_id": stock.site_ids[step.store],
            "item_id": line.after.id,
            "item_name": line.after.name,
            "kind": line.kind,
            "delta": line.delta,
            "unit_price": line.after.unit_price,
            "team": details.team,
            "reason": "; ".join(filter(None, (reason, line.detail)))[: REASON.limit],
            "effective_at": effective_at,
            "changes": {name: list(pair) for name, pair in line.changes.items()} or None,
        }
        for number, line in enumerate(lines, start=first)
    ]
    if rows:
        db.session.execute(insert(LedgerEntry), rows)
    return rows


def _flush() -> None:
    try:
        db.session.flush()
    except IntegrityError as error:
        if violates(error, "uq_stock_operation_undoes_id", "stock_operation.undoes_id"):
            raise AlreadyUndone from error
        if violates(error, "uq_item_live_name", "item.site_id, item.name_key"):
            raise Conflict("Somebody has just added an item of this name.", "name") from error
        raise
