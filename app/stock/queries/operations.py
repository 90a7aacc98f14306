"""Operations as the ledger holds them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.db import db
from app.divisions import Store
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


def lines_of(operation_id: int) -> Sequence[OperationLine]:
    """Return the lines of an operation in their order, none for one that doesn't exist."""
    statement = (
        select(LedgerEntry, StockSite)
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(LedgerEntry.operation_id == operation_id)
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
