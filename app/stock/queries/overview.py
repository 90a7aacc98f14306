"""A division's stock at a glance: the totals of its sites, and its recent activity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select

from app.charts import BarChart
from app.day_counts import activity_chart, first_day
from app.db import db
from app.divisions import Division, Site
from app.stock.models import StockSite
from app.stock.queries import summaries
from app.stock.queries.history import HistoryRow, newest_rows
from app.sums import combine_value

RECENT_ROWS = 12


@dataclass(frozen=True)
class SiteTotal:
    """How many items and units a site has, their value in pence, and the version of its list.

    With `hides_count` its page hides the stock check.
    """

    items: int
    units: int
    value: int
    version: int
    hides_count: bool


def site_totals(division: Division) -> Mapping[Site, SiteTotal]:
    """Return the totals of each site of a division."""
    statement = (
        select(
            StockSite.site,
            StockSite.items,
            StockSite.units,
            StockSite.value_high,
            StockSite.value_low,
            StockSite.version,
            StockSite.hides_count,
        )
        .where(StockSite.division == division)
        .order_by(StockSite.id)
    )
    return {
        row.site: SiteTotal(
            row.items,
            row.units,
            combine_value(row.value_high, row.value_low),
            row.version,
            row.hides_count,
        )
        for row in db.session.execute(statement)
    }


def history_counts(division: Division, today: date) -> tuple[int, BarChart]:
    """Return the number of rows in a division's history, and the last 30 days' rows per day."""
    total, per_day = summaries.entries_per_day(division, first_day(today), today)
    return total, activity_chart(per_day, today)


def recent(division: Division) -> Sequence[HistoryRow]:
    """Return the newest rows of a division's history."""
    return newest_rows(division, RECENT_ROWS)
