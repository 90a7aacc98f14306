"""A division's stock at a glance: what there is at each site, and how much happened lately."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import BigInteger, ColumnElement, String, and_, cast, func, select

from app import dates
from app.db import db
from app.divisions import Division, Site
from app.stock.models import Item, LedgerEntry, StockSite
from app.stock.queries.history import HistoryRow, history_part, is_shown
from app.stock.rules import chart

DAYS_SHOWN = 30
PRICE_PART = 100_000
RECENT_ROWS = 12


@dataclass(frozen=True)
class SiteTotal:
    """How many items a site has, how many units of them, and what they come to in pence."""

    items: int
    units: int
    value: int


def site_totals(division: Division) -> Mapping[Site, SiteTotal]:
    """Add up what each site of a division has in stock."""
    amount = cast(Item.amount, BigInteger)
    statement = (
        select(
            StockSite.site,
            func.count(Item.id).label("items"),
            func.coalesce(func.sum(amount), 0).label("units"),
            # In two parts: ten of the dearest items would not fit into SQLite's whole numbers.
            func.coalesce(func.sum(amount * (Item.unit_price // PRICE_PART)), 0).label("high"),
            func.coalesce(func.sum(amount * (Item.unit_price % PRICE_PART)), 0).label("low"),
        )
        .outerjoin(Item, and_(Item.site_id == StockSite.id, Item.removed_at.is_(None)))
        .where(StockSite.division == division)
        .group_by(StockSite.site)
    )
    return {
        row.site: SiteTotal(row.items, int(row.units), int(row.high) * PRICE_PART + int(row.low))
        for row in db.session.execute(statement)
    }


def entry_count(division: Division) -> int:
    """Return how many rows a division's history has."""
    statement = select(func.count()).where(*_entries_of(division))
    return db.session.execute(statement).scalar_one()


def activity(division: Division, today: date) -> chart.BarChart:
    """Return how many rows each of a history's last days has, today included, as a picture."""
    start = today - timedelta(days=DAYS_SHOWN - 1)
    # Zones are whole hours apart, so hours are enough to find London's days.
    hour = func.substr(cast(LedgerEntry.effective_at, String), 1, len("2011-12-09 12"))
    statement = (
        select(hour.label("hour"), func.count().label("rows"))
        .where(
            *_entries_of(division),
            LedgerEntry.effective_at >= dates.day_begins(start),
            LedgerEntry.effective_at < dates.day_ends(today),
        )
        .group_by(hour)
    )
    counts: Counter[date] = Counter()
    for row in db.session.execute(statement):
        begins = datetime.strptime(row.hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
        counts[dates.london_day(begins)] += row.rows
    days = (start + timedelta(days=n) for n in range(DAYS_SHOWN))
    return chart.bar_chart([(day, counts[day]) for day in days])


def recent(division: Division) -> Sequence[HistoryRow]:
    """Return the newest rows of a division's history."""
    return history_part(division, RECENT_ROWS)


def _entries_of(division: Division) -> list[ColumnElement[bool]]:
    sites = select(StockSite.id).where(StockSite.division == division)
    return [LedgerEntry.site_id.in_(sites), is_shown]
