"""Checks and sums of the ledger."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, distinct, func, select

from app.db import db, table_of
from app.divisions import Store
from app.idempotency import IdempotencyKey, client_key_problems
from app.lists import rows_with
from app.stock.models import Item, ItemUse, LedgerEntry, LedgerSummary, StockOperation, StockSite
from app.stock.queries import summaries as queries
from app.stock.rules.items import EntryKind
from app.stock.rules.summaries import KEY, USE_KEY
from app.sums import combine_value


def ledger_problems() -> Iterator[str]:
    """Yield the differences between amounts, summaries and the ledger."""
    yield from _wrong_amounts()
    yield from _wrong_entries()
    yield from _wrong_summaries()


def _wrong_amounts() -> Iterator[str]:
    ledger = (
        select(LedgerEntry.item_id, func.sum(LedgerEntry.delta).label("total"))
        .group_by(LedgerEntry.item_id)
        .subquery()
    )
    total = func.coalesce(ledger.c.total, 0)
    is_removed = Item.removed_at.is_not(None)
    statement = (
        select(StockSite, Item, total)
        .join(StockSite, StockSite.id == Item.site_id)
        .outerjoin(ledger, ledger.c.item_id == Item.id)
        .where((Item.amount != total) | (Item.amount < 0) | (is_removed & (Item.amount != 0)))
        .order_by(StockSite.division, StockSite.site, Item.name_key)
    )
    for site, item, booked in db.session.execute(statement):
        yield f'{_place(site)}: "{item.name}" has {item.amount}, its ledger says {booked}'


def _place(site: StockSite) -> str:
    return f"{site.division.label} {site.site}"


def _wrong_entries() -> Iterator[str]:
    at_other_site = (
        select(LedgerEntry.id)
        .join(Item, Item.id == LedgerEntry.item_id)
        .where(Item.site_id != LedgerEntry.site_id)
    )
    for entry in db.session.execute(at_other_site).scalars():
        yield f"Ledger entry {entry} names another site than its item's"
    empty = select(StockOperation.id).where(
        ~select(LedgerEntry.id).where(LedgerEntry.operation_id == StockOperation.id).exists()
    )
    for operation in db.session.execute(empty).scalars():
        yield f"Operation {operation} has no ledger entry"


def _wrong_summaries() -> Iterator[str]:
    site_sums = queries.site_sums()
    for site in db.session.execute(select(StockSite).order_by(StockSite.id)).scalars():
        for name, value in site_sums[site.id].items():
            if (stored := getattr(site, name)) != value:
                yield f"{_place(site)}: {name} is {stored}, its items have {value}"
    for model, key, rows, what in (
        (LedgerSummary, KEY, queries.summaries(), "counts of the history"),
        (ItemUse, USE_KEY, queries.uses(), "days of items' use"),
    ):
        stored = map(dict, db.session.execute(select(*table_of(model).c)).mappings())
        kept, expected = _numbers_by_key(stored, key), _numbers_by_key(rows, key)
        wrong = {each for each in kept | expected if kept.get(each) != expected.get(each)}
        if wrong:
            yield f"{len(wrong)} {what} differ from the ledger"
    if missing := len(queries.missing_reasons()) + len(queries.missing_past_names()):
        yield f"{missing} texts of the ledger are missing in its search"


def _numbers_by_key(
    rows: Iterable[dict[str, Any]], names: Sequence[str]
) -> dict[tuple[Any, ...], dict[str, int]]:
    """Return the numbers of rows by their keys; the parts of a value count as one."""
    numbers = {}
    for row in rows:
        key = tuple(row.pop(name) for name in names)
        for part in ("value", "undone"):
            if f"{part}_high" in row:
                value = combine_value(row.pop(f"{part}_high"), row.pop(f"{part}_low"))
                row[f"{part}_value"] = value
        numbers[key] = row
    return numbers


def book_totals() -> tuple[int, int]:
    """Return the numbers of items and of ledger entries."""
    items, entries = (select(func.count()).select_from(each) for each in (Item, LedgerEntry))
    return db.session.execute(items).scalar_one(), db.session.execute(entries).scalar_one()


@dataclass(frozen=True)
class StoreTotals:
    """The totals of a store by its items, and by its ledger entries (`booked`)."""

    store: Store
    items: int
    amount: int
    entries: int
    booked: int


def sums_by_store(connection: Connection) -> Sequence[StoreTotals]:
    """Return each store's sums as the caller's connection sees them, for its snapshot."""

    def sums_of(model: Any, *sums: Any) -> Mapping[int, Iterable[int]]:
        rows = connection.execute(select(model.site_id, *sums).group_by(model.site_id))
        return {site_id: map(int, values) for site_id, *values in rows}

    live = func.count().filter(Item.removed_at.is_(None))
    items = sums_of(Item, live, func.sum(Item.amount))
    entries = sums_of(LedgerEntry, func.count(), func.sum(LedgerEntry.delta))
    sites = select(StockSite.id, StockSite.division, StockSite.site).order_by(StockSite.id)
    return [
        StoreTotals(Store(division, site), *items.get(id_, (0, 0)), *entries.get(id_, (0, 0)))
        for id_, division, site in connection.execute(sites)
    ]


def transfer_problems() -> Iterator[str]:
    """Yield the transfers over two sites that don't balance; other systems make two operations."""
    statement = (
        select(LedgerEntry.operation_id, func.sum(LedgerEntry.delta).label("rest"))
        .where(LedgerEntry.kind == EntryKind.TRANSFER)
        .group_by(LedgerEntry.operation_id)
        .having(func.count(distinct(LedgerEntry.site_id)) > 1, func.sum(LedgerEntry.delta) != 0)
        .order_by(LedgerEntry.operation_id)
    )
    for operation, rest in db.session.execute(statement):
        yield f"Transfer {operation} changed the units of both sites together by {rest}"


def key_problems() -> Iterator[str]:
    """Yield the problems of stored keys: a missing result, or a foreign or shared operation."""
    statement = select(IdempotencyKey.id, IdempotencyKey.user_id, IdempotencyKey.result)
    results = {row.id: row for row in db.session.execute(statement.order_by(IdempotencyKey.id))}
    yield from (f"Key {key} has no result" for key, row in results.items() if row.result is None)
    operations = {
        key: operation
        for key, row in results.items()
        if row.result and (operation := row.result.get("values", row.result).get("operation"))
    }
    user_of = select(StockOperation.id, StockOperation.user_id)
    users = dict(rows_with(user_of, StockOperation.id, sorted(set(operations.values()))))
    first: dict[int, int] = {}
    for key, operation in operations.items():
        if operation not in users:
            yield f"Key {key} is for operation {operation}, which isn't in the ledger"
        elif users[operation] != results[key].user_id:
            yield f"Key {key} is for operation {operation} of another user"
        if first.setdefault(operation, key) != key:
            yield f"Keys {first[operation]} and {key} are both for operation {operation}"
    yield from client_key_problems()
