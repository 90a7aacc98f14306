"""Whether the books are right."""

from collections.abc import Iterator

from sqlalchemy import func, or_, select

from app.db import db
from app.stock.models import Item, LedgerEntry, StockOperation, StockSite


def ledger_problems() -> Iterator[str]:
    """Say where the books are wrong: every amount must be the sum of its item's ledger."""
    booked = (
        select(LedgerEntry.item_id, func.sum(LedgerEntry.delta).label("booked"))
        .group_by(LedgerEntry.item_id)
        .subquery()
    )
    statement = (
        select(
            Item.name,
            Item.amount,
            Item.removed_at,
            func.coalesce(booked.c.booked, 0).label("booked"),
            StockSite.division,
            StockSite.site,
        )
        .join(StockSite, StockSite.id == Item.site_id)
        .outerjoin(booked, booked.c.item_id == Item.id)
        .where(
            or_(Item.amount != func.coalesce(booked.c.booked, 0), Item.amount < 0)
            | (Item.removed_at.is_not(None) & (Item.amount != 0))
        )
        .order_by(StockSite.division, StockSite.site, Item.name_key)
    )
    for row in db.session.execute(statement):
        place = f"{row.division.label} {row.site}"
        yield f'{place}: "{row.name}" has {row.amount}, its ledger says {row.booked}'
    astray = (
        select(LedgerEntry.id)
        .join(Item, Item.id == LedgerEntry.item_id)
        .where(Item.site_id != LedgerEntry.site_id)
    )
    for entry in db.session.execute(astray).scalars():
        yield f"Ledger entry {entry} names another site than its item's"
    empty = select(StockOperation.id).where(
        ~select(LedgerEntry.id).where(LedgerEntry.operation_id == StockOperation.id).exists()
    )
    for operation in db.session.execute(empty).scalars():
        yield f"Operation {operation} has no ledger entry"


def book_totals() -> tuple[int, int]:
    """Return how many items and ledger entries there are."""
    items = db.session.execute(select(func.count()).select_from(Item)).scalar_one()
    entries = db.session.execute(select(func.count()).select_from(LedgerEntry)).scalar_one()
    return items, entries
