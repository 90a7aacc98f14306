"""Reads of the ledger's summaries: counts of the history that cost the same at any size."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta

from sqlalchemy import func, select

from app import dates
from app.db import db
from app.divisions import Division
from app.stock.models import LedgerSummary, StockSite
from app.stock.queries.history_scope import Scope
from app.stock.rules import history as rules
from app.stock.rules.history import HistoryEvent
from app.stock.rules.history_sums import HistorySums, add_up
from app.stock.rules.summaries import ALL_DAYS
from app.sums import combine_value


def count_entries(scope: Scope) -> tuple[int, HistorySums]:
    """Return the number of rows in a history, and the sums of their amounts."""
    statement = (
        select(
            LedgerSummary.kind,
            func.sum(LedgerSummary.entries).label("entries"),
            func.sum(LedgerSummary.units).label("units"),
            func.sum(LedgerSummary.value_high).label("high"),
            func.sum(LedgerSummary.value_low).label("low"),
        )
        .where(*scope.summary_conditions())
        .group_by(LedgerSummary.kind)
    )
    rows = db.session.execute(statement).all()
    groups = [(row.kind, int(row.units), combine_value(row.high, row.low)) for row in rows]
    return sum(int(row.entries) for row in rows), add_up(groups)


def find_day(scope: Scope, offset: int) -> tuple[date, int]:
    """Return the day of the row that follows `offset` newer rows, and the rows after that day."""
    statement = (
        select(LedgerSummary.day, func.sum(LedgerSummary.entries).label("entries"))
        .where(*scope.summary_conditions(by_day=True))
        .group_by(LedgerSummary.day)
        .order_by(LedgerSummary.day.desc())
    )
    newer = 0
    for day, entries in db.session.execute(statement):
        if newer + entries > offset:
            return day, newer
        newer += int(entries)
    return dates.EARLIEST_DAY, newer


def units_per_day(scope: Scope, event: HistoryEvent, first: date, last: date) -> Mapping[date, int]:
    """Return the units of a history's rows of an event, by the days of a period that have any."""
    statement = (
        select(LedgerSummary.day, func.sum(LedgerSummary.units).label("units"))
        .where(
            *scope.summary_conditions(by_day=True),
            LedgerSummary.day.between(first, last),
            LedgerSummary.kind.in_(rules.kinds_of(event)),
        )
        .group_by(LedgerSummary.day)
    )
    return {row.day: int(row.units) for row in db.session.execute(statement)}


def entries_per_day(division: Division, first: date, last: date) -> tuple[int, Counter[date]]:
    """Return the number of rows in a division's history, and of each day of a period."""
    sites = select(StockSite.id).where(StockSite.division == division)
    days = [ALL_DAYS, *(first + timedelta(n) for n in range((last - first).days + 1))]
    statement = (
        select(LedgerSummary.day, func.sum(LedgerSummary.entries).label("entries"))
        .where(
            LedgerSummary.site_id.in_(sites),
            # Listed one by one, since no index serves one day or a range of days.
            LedgerSummary.day.in_(days),
        )
        .group_by(LedgerSummary.day)
    )
    per_day = Counter({row.day: int(row.entries) for row in db.session.execute(statement)})
    return per_day.pop(ALL_DAYS, 0), per_day
