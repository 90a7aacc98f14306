"""Operations as the ledger records them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select

from app import dates
from app.db import db
from app.divisions import Division, Store
from app.stock.models import LedgerEntry, StockOperation, StockSite
from app.stock.rules.items import EntryKind
from app.stock.rules.undo import StoredLine


@dataclass(frozen=True)
class OperationLine:
    """A line of an operation with its store, item name, day and texts."""

    store: Store
    name: str
    kind: EntryKind
    day: date
    team: str
    reason: str
    is_imported: bool
    stored: StoredLine


def load_lines(operation_id: int, division: Division) -> Sequence[OperationLine]:
    """Return the lines of a division's operation in their order, none if it doesn't exist."""
    statement = (
        select(LedgerEntry, StockSite)
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(LedgerEntry.operation_id == operation_id, StockSite.division == division)
        .order_by(LedgerEntry.line)
    )
    return [
        OperationLine(
            store=Store(site.division, site.site),
            name=entry.item_name,
            kind=entry.kind,
            day=dates.london_day(entry.effective_at),
            team=entry.team,
            reason=entry.reason,
            is_imported=entry.imported_amount is not None,
            stored=StoredLine(entry.item_id, entry.kind, entry.delta, entry.changes),
        )
        for entry, site in db.session.execute(statement)
    ]


def is_undone(operation_id: int) -> bool:
    """Return whether an operation was undone."""
    statement = select(StockOperation.id).filter_by(undoes_id=operation_id)
    return db.session.execute(statement).scalar_one_or_none() is not None


def is_undoable(operation_id: int, lines: Sequence[OperationLine]) -> bool:
    """Return whether an operation with these lines can be offered to be undone."""
    return not is_undone(operation_id) and not any(line.is_imported for line in lines)


def is_recent(operation_id: int, *, by: int, since: datetime) -> bool:
    """Return whether a user recorded an operation since a moment."""
    statement = select(StockOperation.id).where(
        StockOperation.id == operation_id,
        StockOperation.user_id == by,
        StockOperation.recorded_at >= since,
    )
    return db.session.execute(statement).scalar_one_or_none() is not None
