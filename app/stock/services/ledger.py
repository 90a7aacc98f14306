"""The ledger: every change of stock is recorded here, the only writer of amounts."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Required, TypedDict

from sqlalchemy import ARRAY, Integer, bindparam, func, insert, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from app import dates, names
from app.db import db, execute, table_of
from app.divisions import Store
from app.engines import is_busy, is_retryable, violates
from app.errors import AlreadyUndone, Conflict, QuartermasterError
from app.events.rules import EventKind
from app.events.services import record_event
from app.fields import values_of
from app.idempotency import UNSTAMPED, Stamp
from app.lists import batches
from app.stock.models import Item, LedgerEntry, StockOperation
from app.stock.queries.locks import LockedStock, lock_site
from app.stock.rules import operations as rules
from app.stock.rules.items import REASON, ItemState, stored_id
from app.stock.rules.operations import Add, LedgerLine, Operation, apply_operation
from app.stock.services import summaries
from app.stock.services.levels import record_crossings
from app.versions import refuse_stale_list

Progress = Callable[[Iterable[Operation]], Iterable[Operation]]

_ITEMS = table_of(Item)
_INSERT_OPERATION = insert(table_of(StockOperation)).returning(StockOperation.id)
_INSERT_ITEMS = insert(_ITEMS).returning(_ITEMS.c.id, _ITEMS.c.name_key)
_MOVE_ITEMS = update(_ITEMS).where(_ITEMS.c.id == bindparam("item"))
_MOVED = (
    func.unnest(bindparam("ids", type_=ARRAY(Integer)), bindparam("amounts", type_=ARRAY(Integer)))
    .table_valued("id", "amount")
    .render_derived(name="moved")
)
_MOVE_ITEMS_AT_ONCE = (
    update(_ITEMS).where(_ITEMS.c.id == _MOVED.c.id).values(amount=_MOVED.c.amount)
)
_EDIT_ITEMS = _MOVE_ITEMS.values(revision=_ITEMS.c.revision + bindparam("changes"))
_INSERT_ENTRIES = insert(table_of(LedgerEntry))


class Details(TypedDict, total=False):
    """The details of an operation by name; `versions` are the accepted ones of the list."""

    by: Required[int | None]
    on: date
    team: str
    reason: str
    stamp: Stamp
    versions: Collection[int] | None


@dataclass(frozen=True)
class OperationDetails:
    """The details of an operation; `event` is its kind of event, where its lines don't tell.

    One of `versions`, if given, has to be that of its first step's list.
    """

    by: int | None
    on: date = field(default_factory=dates.today)
    team: str = ""
    reason: str = ""
    stamp: Stamp = UNSTAMPED
    event: EventKind | None = None
    undoes: int | None = None
    versions: Collection[int] | None = None


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
    progress: Progress = iter,
) -> RecordedOperation:
    """Write one operation over one or more sites, with its ledger and its event, or nothing.

    The sites' versions are incremented last, in the order of their ids, so that no two operations
    wait for each other. Raises Conflict, StepFailed for a step's `failure`, and PreconditionFailed.
    """
    states = {item_id: item.state for item_id, item in stock.items.items()}
    values = {"user_id": details.by, "recorded_at": dates.utc_now(), "undoes_id": details.undoes}
    with _translated_violations():
        operation_id = execute(_INSERT_OPERATION, vars(details.stamp) | values).scalar_one()
    lines: list[LedgerLine] = []
    entries: list[dict[str, Any]] = []
    lines_at: dict[int, list[LedgerLine]] = {stock.site_ids[step.store]: [] for step in steps}
    for step in steps:
        try:
            written = _write_items(stock, step, states, progress)
            entries += _entries(operation_id, stock, step, written, details, first=len(lines))
            if step is steps[-1] and entries:
                # One statement for all steps.
                execute(_INSERT_ENTRIES, entries)
        except (QuartermasterError, DBAPIError) as error:
            # The transaction is retried, or the app is busy: that isn't the step's own failure.
            is_transient = isinstance(error, DBAPIError) and (is_retryable(error) or is_busy(error))
            if not step.failure or is_transient:
                raise
            cause = f": {error.message}" if isinstance(error, QuartermasterError) else ""
            raise StepFailed(f"{step.failure}{cause}") from error
        lines += written
        lines_at[stock.site_ids[step.store]] += written
    sites, division = [step.store.site for step in steps], steps[0].store.division
    kind, event = rules.event_of_operation(lines, sites, undoes=details.undoes)
    kind = details.event or kind
    record_event(kind, "operation", operation_id, division=division, by=details.by, **event)
    crossings = [
        (item_id, item, replace(item, state=states[item_id]))
        for item_id, item in stock.items.items()
        if item.minimum is not None
    ]
    record_crossings(division, crossings, by=details.by)
    summaries.change_sites(lines_at)
    summaries.add_entries(entries, {id_: store.site for store, id_ in stock.site_ids.items()})
    if details.undoes is not None:
        summaries.change_undone(details.undoes)
    summaries.keep_past_names(lines)
    versions = details.versions
    if versions is not None and lock_site(steps[0].store).version - 1 not in versions:
        refuse_stale_list()
    return RecordedOperation(operation_id, lines)


def _write_items(
    stock: LockedStock, step: Step, states: dict[int, ItemState], progress: Progress
) -> list[LedgerLine]:
    lines: list[LedgerLine] = []
    added: list[int] = []
    for index, operation in enumerate(progress(step.operations)):
        if isinstance(operation, Add):
            lines.append(apply_operation(operation, None))
            added.append(index)
        else:
            line = apply_operation(operation, states.get(operation.item_id))
            states[operation.item_id] = line.after
            lines.append(line)
    with _translated_violations():
        new_ids = _insert_items(stock.site_ids[step.store], [lines[n].after for n in added])
        _update_items([line for line in lines if line.before.id is not None], states)
    for index, new_id in zip(added, new_ids, strict=True):
        line = lines[index]
        lines[index] = replace(line, after=replace(line.after, id=new_id))
    return lines


def _insert_items(site_id: int, states: Sequence[ItemState]) -> list[int]:
    """Insert new items; return their ids in the same order."""
    ids: dict[str, int] = {}
    rows = [{"site_id": site_id, "revision": 0, **_item_values(state)} for state in states]
    for batch in batches(rows):
        # SQLite returns rows in any order, and inserts them one by one to keep it.
        ids |= {row.name_key: row.id for row in execute(_INSERT_ITEMS, batch)}
    return [ids[row["name_key"]] for row in rows]


def _update_items(lines: Sequence[LedgerLine], states: Mapping[int, ItemState]) -> None:
    before = {stored_id(line.before): line.before for line in reversed(lines)}
    changes = Counter(line.before.id for line in lines if line.changes)
    edited: list[dict[str, Any]] = []
    moved: dict[int, int] = {}
    for item_id in sorted(before):
        after = states[item_id]
        if item_id in changes:
            edited.append({"item": item_id, "changes": changes[item_id], **_item_values(after)})
        elif after.amount != before[item_id].amount:
            moved[item_id] = after.amount
    if edited:
        execute(_EDIT_ITEMS, edited)
    if moved and db.engine.dialect.name == "postgresql":
        # A row each would be a statement each for its server.
        execute(_MOVE_ITEMS_AT_ONCE, {"ids": list(moved), "amounts": list(moved.values())})
    elif moved:
        execute(_MOVE_ITEMS, [{"item": id_, "amount": amount} for id_, amount in moved.items()])


def _item_values(state: ItemState) -> dict[str, Any]:
    removed_at = dates.utc_now() if state.removed else None
    return values_of(state) | {"name_key": names.key(state.name), "removed_at": removed_at}


def _entries(
    operation_id: int,
    stock: LockedStock,
    step: Step,
    lines: Sequence[LedgerLine],
    details: OperationDetails,
    *,
    first: int,
) -> list[dict[str, Any]]:
    """Return a step's rows for the ledger; `first` is the number of the first line."""
    effective_at = dates.noon_in_london(details.on)
    reason = step.reason or details.reason
    return [
        {
            "operation_id": operation_id,
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


@contextmanager
def _translated_violations() -> Iterator[None]:
    """Translate the two violations that simultaneous users can cause into messages."""
    try:
        yield
    except IntegrityError as error:
        if violates(error, "uq_stock_operation_undoes_id", "stock_operation.undoes_id"):
            raise AlreadyUndone from error
        if violates(error, "uq_item_live_name", "item.site_id, item.name_key"):
            message = "Somebody has just added an item of this name. Load the list again."
            raise Conflict(message, "name") from error
        raise
