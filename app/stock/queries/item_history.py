"""One item's own history: every ledger line of it, and its amount over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from app import charts, dates
from app.accounts import queries as accounts
from app.db import db
from app.divisions import Store
from app.errors import NotFound
from app.paging import Page, load_page
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite
from app.stock.rules import history as rules
from app.stock.rules.entry_texts import EntryText, describe_entry

ROWS_PER_PAGE = 50


@dataclass(frozen=True)
class ItemHistoryRow:
    """A line of an item's history; `after` is the amount it left, None for an imported line.

    `change` is signed. `username` is '' for the terminal. `lines` counts the lines of its
    operation at the site.
    """

    id: int
    operation_id: int
    at: datetime
    text: EntryText
    change: int
    after: int | None
    team: str
    username: str
    is_imported: bool
    is_undone: bool
    lines: int


def get_past_item(store: Store, item_id: int) -> Item:
    """Return an item of a store, a removed one too; raises NotFound."""
    item = db.session.execute(
        select(Item)
        .join(StockSite, StockSite.id == Item.site_id)
        .where(
            Item.id == item_id,
            StockSite.division == store.division,
            StockSite.site == store.site,
        )
    ).scalar_one_or_none()
    if item is None:
        raise NotFound("There is no such item. Load the list again.")
    return item


def load_item_history(item_id: int, page: int = 1) -> Page[ItemHistoryRow]:
    """Return a page of an item's history, newest first, with imported lines after all others."""
    counted = select(func.count()).where(LedgerEntry.item_id == item_id)
    total = db.session.execute(counted).scalar_one()

    def load(limit: int, offset: int) -> Sequence[ItemHistoryRow]:
        return _load_rows(item_id, limit, offset)

    return load_page(page, total=total, per_page=ROWS_PER_PAGE, load=load)


def amount_over_time(item_id: int, until: datetime) -> charts.Chart | None:
    """Return an item's amount by day as a chart; imported lines don't change it."""
    statement = (
        select(LedgerEntry.effective_at, _after.label("after"))
        .where(LedgerEntry.item_id == item_id, LedgerEntry.imported_amount.is_(None))
        .order_by(*_BY_DAY)
    )
    rows = db.session.execute(statement.execution_options(yield_per=1000))
    return charts.step_chart(((row.effective_at, int(row.after)) for row in rows), until)


_BY_DAY = (LedgerEntry.effective_at, LedgerEntry.id)
"""The order in which things happened, as the user dated them."""

_after = func.sum(LedgerEntry.delta).over(order_by=_BY_DAY)


def _load_rows(item_id: int, limit: int, offset: int) -> Sequence[ItemHistoryRow]:
    imported = LedgerEntry.imported_amount.is_not(None)
    statement = (
        select(LedgerEntry, StockOperation.user_id, _after.label("after"))
        .join(StockOperation, StockOperation.id == LedgerEntry.operation_id)
        .where(LedgerEntry.item_id == item_id)
        .order_by(imported, *(column.desc() for column in _BY_DAY))
        .limit(limit)
        .offset(offset)
    )
    rows = db.session.execute(statement).all()
    users = accounts.usernames({row.user_id for row in rows if row.user_id is not None})
    operations = {row.LedgerEntry.operation_id for row in rows}
    undone, lines = _undone(operations), _count_lines(operations, item_id)
    return [
        _row(row.LedgerEntry, row.after, users.get(row.user_id, ""), undone, lines) for row in rows
    ]


def _undone(operations: set[int]) -> set[int | None]:
    """Return which of these operations were undone."""
    statement = select(StockOperation.undoes_id).where(StockOperation.undoes_id.in_(operations))
    return set(db.session.execute(statement).scalars())


def _count_lines(operations: set[int], item_id: int) -> dict[int, int]:
    """Return how many lines each operation has at the item's site."""
    site_id = select(Item.site_id).filter_by(id=item_id).scalar_subquery()
    statement = (
        select(LedgerEntry.operation_id, func.count().label("lines"))
        .where(LedgerEntry.operation_id.in_(operations), LedgerEntry.site_id == site_id)
        .group_by(LedgerEntry.operation_id)
    )
    return {row.operation_id: row.lines for row in db.session.execute(statement)}


def _row(
    entry: LedgerEntry, after: int, username: str, undone: set[int | None], lines: dict[int, int]
) -> ItemHistoryRow:
    is_imported = entry.imported_amount is not None
    day = dates.london_day(entry.effective_at)
    amount = rules.listed_amount(entry.kind, entry.delta, entry.imported_amount)
    return ItemHistoryRow(
        id=entry.id,
        operation_id=entry.operation_id,
        at=entry.effective_at,
        text=describe_entry(entry.kind, entry.reason, day, is_imported=is_imported),
        change=rules.signed_amount(rules.event_of(entry.kind), amount),
        after=None if is_imported else int(after),
        team=rules.display_team(entry.team, is_imported=is_imported),
        username=username,
        is_imported=is_imported,
        is_undone=entry.operation_id in undone,
        lines=lines[entry.operation_id],
    )
