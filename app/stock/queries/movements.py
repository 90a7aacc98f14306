"""One item's own history: every line of it, and its amount over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select

from app import charts
from app.accounts import queries as accounts
from app.db import db
from app.divisions import Store
from app.errors import NotFound
from app.paging import clamp_page
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite
from app.stock.rules import history as rules
from app.stock.rules.history import Event

ROWS_PER_PAGE = 50


@dataclass(frozen=True)
class Movement:
    """A line of an item's history; `after` is the amount that it left, None for imported ones.

    `who` is a user name, '' for the terminal. `is_undone` tells that its operation was taken
    back, `is_undoable` that it can be.
    """

    id: int
    operation_id: int
    at: datetime
    event: Event
    detail: str
    delta: int
    shown_amount: int
    after: int | None
    team: str
    who: str
    is_imported: bool
    is_undone: bool
    lines: int

    @property
    def is_undoable(self) -> bool:
        """Tell whether its operation can be offered to be taken back."""
        return not (self.is_imported or self.is_undone)


@dataclass(frozen=True)
class Movements:
    """Some lines of an item's history, the last recorded first, imported ones at the end."""

    rows: Sequence[Movement]
    page: int
    pages: int
    total: int


def item_ever(store: Store, item_id: int) -> Item:
    """Return an item of a store, also one that was removed; raises NotFound."""
    found = db.session.execute(
        select(Item)
        .join(StockSite, StockSite.id == Item.site_id)
        .where(
            Item.id == item_id,
            StockSite.division == store.division,
            StockSite.site == store.site,
        )
    ).scalar_one_or_none()
    if found is None:
        raise NotFound("There is no such item.")
    return found


def movements(item_id: int, page: int = 1) -> Movements:
    """Return a page of an item's history; a page beyond the last is the last."""
    counted = select(func.count()).where(LedgerEntry.item_id == item_id)
    total = db.session.execute(counted).scalar_one()
    page, pages = clamp_page(page, total=total, per_page=ROWS_PER_PAGE)
    imported = LedgerEntry.shown_amount.is_not(None)
    statement = (
        select(LedgerEntry, StockOperation.user_id, _after.label("after"))
        .join(StockOperation, StockOperation.id == LedgerEntry.operation_id)
        .where(LedgerEntry.item_id == item_id)
        .order_by(
            imported,
            case((imported, LedgerEntry.effective_at)).desc(),
            LedgerEntry.id.desc(),
        )
        .limit(ROWS_PER_PAGE)
        .offset((page - 1) * ROWS_PER_PAGE)
    )
    found = db.session.execute(statement).all()
    users = accounts.usernames({row.user_id for row in found if row.user_id is not None})
    operations = {row.LedgerEntry.operation_id for row in found}
    undone, lines = _undone(operations), _lines(operations, item_id)
    rows = [
        _movement(row.LedgerEntry, row.after, users.get(row.user_id, ""), undone, lines)
        for row in found
    ]
    return Movements(rows, page, pages, total)


def amount_over_time(item_id: int, until: datetime) -> charts.Chart | None:
    """Return an item's amount as a picture; imported lines don't move it."""
    statement = (
        select(StockOperation.recorded_at, _after.label("after"))
        .join(StockOperation, StockOperation.id == LedgerEntry.operation_id)
        .where(LedgerEntry.item_id == item_id, LedgerEntry.shown_amount.is_(None))
        .order_by(LedgerEntry.id)
    )
    found = db.session.execute(statement.execution_options(yield_per=1000))
    return charts.step_chart(((row.recorded_at, int(row.after)) for row in found), until)


_after = func.sum(LedgerEntry.delta).over(order_by=LedgerEntry.id)


def _undone(operations: set[int]) -> set[int | None]:
    statement = select(StockOperation.undoes_id).where(StockOperation.undoes_id.in_(operations))
    return set(db.session.execute(statement).scalars())


def _lines(operations: set[int], item_id: int) -> dict[int, int]:
    """Return how many lines each operation has at the item's site."""
    site_id = select(Item.site_id).filter_by(id=item_id).scalar_subquery()
    statement = (
        select(LedgerEntry.operation_id, func.count().label("lines"))
        .where(LedgerEntry.operation_id.in_(operations), LedgerEntry.site_id == site_id)
        .group_by(LedgerEntry.operation_id)
    )
    return {row.operation_id: row.lines for row in db.session.execute(statement)}


def _movement(
    entry: LedgerEntry, after: int, who: str, undone: set[int | None], lines: dict[int, int]
) -> Movement:
    event = rules.event_of(entry.kind)
    is_imported = entry.shown_amount is not None
    return Movement(
        id=entry.id,
        operation_id=entry.operation_id,
        at=entry.effective_at,
        event=event,
        detail=rules.movement_detail(entry.kind, entry.reason, is_imported=is_imported),
        delta=entry.delta,
        shown_amount=entry.shown_amount or 0,
        after=None if is_imported else int(after),
        team=rules.shown_team(entry.team, is_imported=is_imported),
        who=who,
        is_imported=is_imported,
        is_undone=entry.operation_id in undone,
        lines=lines[entry.operation_id],
    )
