"""A division's stock at a glance: what each site has, and its recent activity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import ColumnElement, and_, func, select

from app.activity import activity_chart, rows_per_day
from app.charts import BarChart
from app.db import db
from app.divisions import Division, Site
from app.stock.models import Item, LedgerEntry, StockSite
from app.stock.queries.history import HistoryRow, is_listed, newest_rows
from app.sums import combine_value, sum_of, value_sums

RECENT_ROWS = 12


@dataclass(frozen=True)
class SiteTotal:
    """How many items and units a site has, and their value in pence."""

    items: int
    units: int
    value: int


def site_totals(division: Division) -> Mapping[Site, SiteTotal]:
    """Add up what each site of a division has in stock."""
    high, low = value_sums(Item.amount, Item.unit_price)
    statement = (
        select(
            StockSite.site,
            func.count(Item.id).label("items"),
            sum_of(Item.amount).label("units"),
            high.label("high"),
            low.label("low"),
        )
        .outerjoin(Item, and_(Item.site_id == StockSite.id, Item.removed_at.is_(None)))
        .where(StockSite.division == division)
        .group_by(StockSite.site)
    )
    return {
        row.site: SiteTotal(row.items, int(row.units), combine_value(row.high, row.low))
        for row in db.session.execute(statement)
    }


def count_entries(division: Division) -> int:
    """Return how many rows a division's history has."""
    statement = select(func.count()).where(*_entries_of(division))
    return db.session.execute(statement).scalar_one()


def activity(division: Division, today: date) -> BarChart:
    """Return how many rows of the history each of the last 30 days has, today included."""
    counts = rows_per_day(LedgerEntry.effective_at, _entries_of(division), today)
    return activity_chart(counts, today)


def recent(division: Division) -> Sequence[HistoryRow]:
    """Return the newest rows of a division's history."""
    return newest_rows(division, RECENT_ROWS)


def _entries_of(division: Division) -> list[ColumnElement[bool]]:
    sites = select(StockSite.id).where(StockSite.division == division)
    return [LedgerEntry.site_id.in_(sites), is_listed]
