"""Changes of stock: every one goes through apply_operations, the only writer of amounts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from app import dates, names
from app.db import db
from app.divisions import Store
from app.errors import Conflict
from app.stock import queries, rules
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite
from app.stock.rules import Add, Change, ItemState, Line, Operation, Remove


@dataclass(frozen=True)
class Context:
    """What a set of operations has in common; without a user it comes from the terminal."""

    by: int | None
    on: date = field(default_factory=dates.today)
    team: str = ""
    reason: str = ""


@dataclass(frozen=True)
class StockChange:
    """What happened to one item, in plain values that a replay can repeat."""

    item_id: int
    name: str
    before: int
    after: int
    unit: str
    existed: bool = True


@dataclass(frozen=True)
class ImportResult:
    """How many items an import added, changed and left as they were."""

    added: int
    changed: int
    unchanged: int


class EditedMeanwhile(Conflict):
    """Somebody else has edited the item since the form was opened."""

    def __init__(self) -> None:
        super().__init__("Somebody else has changed this item meanwhile. Check and save again.")


def deliver(
    store: Store, item_id: int, quantity: int, *, team: str, on: date, by: int
) -> StockChange:
    """Take a delivery of an item into stock."""
    item = queries.state_of(queries.item(store, item_id))
    operations = rules.plan_delivery(item, quantity)
    return _one(apply_operations(store, operations, Context(by=by, on=on, team=team)))


def withdraw(
    store: Store, item_id: int, quantity: int, *, team: str, on: date, by: int
) -> StockChange:
    """Take a quantity of an item out of stock.

    Raises Conflict where there isn't enough: never clamped.
    """
    item = queries.state_of(queries.item(store, item_id))
    operations = rules.plan_withdrawal(item, quantity)
    return _one(apply_operations(store, operations, Context(by=by, on=on, team=team)))


def add_item(
    store: Store, new: ItemState, *, based_on: int | None, keeps_price: bool = False, by: int
) -> StockChange:
    """Add an item, or update the amount, category and price of the one that has its name.

    A category left empty stays as it was, and so does the price with `keeps_price`. Raises
    NameExists when that one's amount isn't `based_on`.
    """
    found = queries.item_named(store, new.name)
    existing = queries.state_of(_locked(found.id)) if found else None
    if existing and (existing.removed or not rules.is_same_name(existing.name, new.name)):
        raise Conflict("An item of this name has just changed. Check and save again.", "name")
    operations = rules.plan_addition(new, existing, based_on, keeps_price=keeps_price)
    return _one(apply_operations(store, operations, Context(by=by)))


def edit_item(store: Store, change: Change, *, revision: int, by: int) -> StockChange:
    """Change an item's name, category, price or unit.

    Raises Conflict when the name is taken, and when somebody else edited the item since
    `revision`.
    """
    queries.item(store, change.item_id)
    item = _locked(change.item_id)
    if item.revision != revision:
        raise EditedMeanwhile
    namesake = queries.item_named(store, change.name) if change.name else None
    if namesake is not None and namesake.id != item.id:
        raise Conflict(f'Name already exists: "{namesake.name}"', "name")
    return _one(apply_operations(store, [change], Context(by=by)))


def remove_item(store: Store, item_id: int, *, based_on: int, by: int) -> StockChange:
    """Take an item off the list with what is left of it.

    Raises Conflict when its amount isn't `based_on`, the one that the question named.
    """
    queries.item(store, item_id)
    item = _locked(item_id)
    if item.amount != based_on:
        raise Conflict(
            f'"{item.name}" has {item.amount} now, not {based_on}. Remove it all the same?'
        )
    return _one(apply_operations(store, [Remove(item_id)], Context(by=by)))


def set_stock(
    store: Store,
    wanted: Sequence[ItemState],
    *,
    reason: str,
    keeps_unit: bool,
    progress: Callable[[Iterable[Operation]], Iterable[Operation]] = iter,
) -> ImportResult:
    """Set the items of a list to its values and leave all others alone (an import).

    With `keeps_unit` the list says nothing of units. Items that hold the values already get no
    ledger line.
    """
    live = {
        item.name_key: item
        for item in db.session.execute(
            select(Item)
            .where(Item.site_id == queries.site_id(store), Item.removed_at.is_(None))
            .order_by(Item.id)
            .with_for_update()
        ).scalars()
    }
    operations: list[Operation] = []
    for new in wanted:
        existing = live.get(names.key(new.name))
        if existing is None:
            operations.append(Add(new))
            continue
        change = Change(
            existing.id,
            amount=new.amount,
            category=new.category,
            unit_price=new.unit_price,
            unit=None if keeps_unit else new.unit,
        )
        before = queries.state_of(existing)
        if rules.apply(change, before).after != before:
            operations.append(change)
    if operations:
        apply_operations(store, operations, Context(by=None, reason=reason), progress=progress)
    added = sum(isinstance(operation, Add) for operation in operations)
    return ImportResult(added, len(operations) - added, len(wanted) - len(operations))


def apply_operations(
    store: Store,
    operations: Sequence[Operation],
    context: Context,
    *,
    progress: Callable[[Iterable[Operation]], Iterable[Operation]] = iter,
) -> list[Line]:
    """Write a set of operations, amounts and ledger together: all of them, or by an error none.

    Rows are locked in the order of their ids, the site's version last, so that no two sets wait
    for each other. Raises Conflict.
    """
    site_id = queries.site_id(store)
    now = dates.utc_now()
    items = _locked_items(site_id, operations)
    states: dict[int, ItemState] = {i: queries.state_of(item) for i, item in items.items()}
    operation = StockOperation(user_id=context.by, recorded_at=now)
    db.session.add(operation)
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
            item.revision += replace(line.after, amount=line.before.amount) != line.before
        _store(line.after, item, now)
    _flush()
    for position, item in added:
        lines[position] = _identified(lines[position], item.id)
    db.session.execute(insert(LedgerEntry), _ledger_rows(operation.id, site_id, lines, context))
    db.session.execute(
        update(StockSite).filter_by(id=site_id).values(version=StockSite.version + 1)
    )
    return lines


def _locked_items(site_id: int, operations: Sequence[Operation]) -> dict[int, Item]:
    ids = sorted({op.item_id for op in operations if not isinstance(op, Add)})
    found: dict[int, Item] = {}
    for start in range(0, len(ids), 5000):
        statement = (
            select(Item)
            .where(Item.id.in_(ids[start : start + 5000]), Item.site_id == site_id)
            .order_by(Item.id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        found |= {item.id: item for item in db.session.execute(statement).scalars()}
    return found


def _locked(item_id: int) -> Item:
    return db.session.execute(
        select(Item)
        .filter_by(id=item_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).scalar_one()


def _store(state: ItemState, item: Item, now: datetime) -> None:
    item.name = state.name
    item.name_key = names.key(state.name)
    item.amount = state.amount
    item.category = state.category
    item.unit_price = state.unit_price
    item.unit = state.unit
    item.removed_at = now if state.removed else None


def _ledger_rows(
    operation_id: int, site_id: int, lines: Sequence[Line], context: Context
) -> list[dict[str, object]]:
    effective_at = dates.noon_in_london(context.on)
    return [
        {
            "operation_id": operation_id,
            "line": position,
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
        }
        for position, line in enumerate(lines)
    ]


def _flush() -> None:
    try:
        db.session.flush()
    except IntegrityError as error:
        if "uq_item_live_name" not in str(error.orig) and "item.name_key" not in str(error.orig):
            raise
        raise Conflict("Somebody has just added an item of this name.", "name") from error


def _identified(line: Line, item_id: int) -> Line:
    return replace(line, after=replace(line.after, id=item_id))


def _one(lines: list[Line]) -> StockChange:
    (line,) = lines
    if line.after.id is None:
        raise RuntimeError("apply_operations left an item without an id")
    return StockChange(
        item_id=line.after.id,
        name=line.after.name,
        before=line.before.amount,
        after=line.after.amount,
        unit=line.after.unit,
        existed=line.kind is not rules.Kind.ADDITION,
    )
