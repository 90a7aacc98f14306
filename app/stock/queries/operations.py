"""Operations as the ledger holds them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.db import db
from app.divisions import Division, Store
from app.stock.models import LedgerEntry, StockOperation, StockSite
from app.stock.rules.operations import Kind
from app.stock.rules.undo import BookedLine


@dataclass(frozen=True)
class OperationLine:
    """A line of an operation with its place and words."""

    store: Store
    name: str
    kind: Kind
    team: str
    reason: str
    is_imported: bool
    booked: BookedLine


def lines_of(operation_id: int, division: Division) -> Sequence[OperationLine]:
    """Return the lines of a division's operation in their order, none where there is none."""
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
            team=entry.team,
            reason=entry.reason,
            is_imported=entry.shown_amount is not None,
            booked=BookedLine(entry.item_id, entry.kind, entry.delta, entry.changes),
        )
        for entry, site in db.session.execute(statement)
    ]


def undone_by(operation_id: int) -> int | None:
    """Return the operation that took this one back, if there is one."""
    return db.session.execute(
        select(StockOperation.id).filter_by(undoes_id=operation_id)
    ).scalar_one_or_none()


def can_be_undone(operation_id: int, lines: Sequence[OperationLine]) -> bool:
    """Tell whether an operation with these lines can be offered to be taken back."""
    return undone_by(operation_id) is None and not any(line.is_imported for line in lines)


def was_just_done(operation_id: int, *, by: int, since: datetime) -> bool:
    """Tell whether an operation is somebody's own and was recorded since a moment."""
    statement = select(StockOperation.id).where(
        StockOperation.id == operation_id,
        StockOperation.user_id == by,
        StockOperation.recorded_at >= since,
    )
    return db.session.execute(statement).scalar_one_or_none() is not None
