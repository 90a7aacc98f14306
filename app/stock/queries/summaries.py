"""Reads the kept sums, and recomputes them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import String, and_, case, cast, func, select

from app import dates, names
from app.day_counts import count_by_day
from app.db import db, table_of
from app.divisions import Division
from app.stock.models import Item, LedgerEntry, LedgerReason, LedgerSummary, PastName, StockSite
from app.stock.queries import operations
from app.stock.queries.history_scope import Scope, displayed_amount, is_listed, sum_by
from app.stock.rules import summaries as rules
from app.stock.rules.history import HistoryEvent, kinds_of
from app.stock.rules.items import EntryKind
from app.sums import combine_value, sum_of, value_sums


def count_entries(scope: Scope) -> tuple[int, rules.HistorySums]:
    """Return the number of rows in a history, and the sums of their amounts."""
    sums = (func.sum(getattr(LedgerSummary, name)) for name in rules.SUMS)
    statement = select(LedgerSummary.kind, *sums).where(*scope.summary_conditions())
    rows = db.session.execute(statement.group_by(LedgerSummary.kind)).all()
    groups = [(kind, int(units), combine_value(high, low)) for kind, _, units, high, low in rows]
    return sum(int(row[1]) for row in rows), rules.add_up(groups)


def find_day(scope: Scope, offset: int) -> tuple[date, int]:
    """Return the day of the row that follows `offset` newer rows, and the rows after that day."""
    where = scope.summary_conditions(by_day=True)
    statement = sum_by(LedgerSummary.day, LedgerSummary.entries, *where)
    newer = 0
    for day, entries in db.session.execute(statement.order_by(LedgerSummary.day.desc())):
        if newer + entries > offset:
            return day, newer
        newer += int(entries)
    return dates.EARLIEST_DAY, newer


def entries_per_day(division: Division, first: date, last: date) -> tuple[int, Counter[date]]:
    """Return the number of rows in a division's history, and of each day of a period."""
    sites = select(StockSite.id).where(StockSite.division == division)
    # Listed one by one, since no index serves one day or a range of days.
    days = [rules.ALL_DAYS, *(first + timedelta(n) for n in range((last - first).days + 1))]
    where = (LedgerSummary.site_id.in_(sites), LedgerSummary.day.in_(days))
    per_day = count_by_day(sum_by(LedgerSummary.day, LedgerSummary.entries, *where))
    return per_day.pop(rules.ALL_DAYS, 0), per_day


def site_sums() -> dict[int, dict[str, int]]:
    """Return the expected sums of each site's columns, by its id."""
    statement = (
        select(
            StockSite.id,
            func.count(Item.id).filter(Item.removed_at.is_(None)),
            sum_of(Item.amount),
            *value_sums(Item.amount, Item.unit_price),
        )
        .outerjoin(Item, Item.site_id == StockSite.id)
        .group_by(StockSite.id)
    )
    return {
        site_id: dict(zip(rules.SITE_SUMS, map(int, sums), strict=True))
        for site_id, *sums in db.session.execute(statement)
    }


# London is a whole number of hours from UTC, so grouping by hour is exact.
HOUR = func.substr(cast(LedgerEntry.effective_at, String), 1, len("2011-12-09 12")).label("hour")
_is_undone = LedgerEntry.operation_id.in_(operations.undone())


def _by_day(
    statement: Any, key: tuple[str, ...], numbers: tuple[str, ...], *days: date
) -> list[dict[str, Any]]:
    """Add up rows by their key, whose second part is an hour, for its day and for `days`."""
    sums: dict[tuple[Any, ...], Sequence[int]] = defaultdict(lambda: (0,) * len(numbers))
    for owner, hour, *rest in db.session.execute(statement):
        at = datetime.strptime(hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
        others, row = rest[: len(key) - 2], [*map(int, rest[len(key) - 2 :])]
        for day in (dates.london_day(at), *days):
            place = (owner, day, *others)
            sums[place] = [*map(sum, zip(sums[place], row, strict=True))]
    return [dict(zip(key + numbers, (*each, *sums[each]), strict=True)) for each in sorted(sums)]


def summaries() -> list[dict[str, Any]]:
    """Return the rows that LedgerSummary should have, in the order of their keys."""
    groups = (
        LedgerEntry.site_id,
        HOUR,
        LedgerEntry.kind,
        LedgerEntry.team,
        func.coalesce(LedgerEntry.imported_site, StockSite.site.cast(String)),
        LedgerEntry.imported_amount.is_not(None),
    )
    values = value_sums(
        case((LedgerEntry.imported_total.is_(None), displayed_amount), else_=1),
        func.coalesce(LedgerEntry.imported_total, LedgerEntry.unit_price),
    )
    undone_amount = case((_is_undone, displayed_amount), else_=0)
    undone = (sum_of(undone_amount), *value_sums(undone_amount, LedgerEntry.unit_price))
    statement = (
        select(*groups, func.count(), sum_of(displayed_amount), *values, *undone)
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(is_listed)
        .group_by(*groups)
    )
    return _by_day(statement, rules.KEY, rules.SUMS + rules.UNDONE_SUMS, rules.ALL_DAYS)


def uses() -> list[dict[str, Any]]:
    """Return the rows that ItemUse should have, in the order of their keys."""
    is_use = LedgerEntry.kind == EntryKind.WITHDRAWAL
    units = case((is_use, displayed_amount), else_=0)
    undone = case((and_(is_use, _is_undone), displayed_amount), else_=0)
    has_total = LedgerEntry.imported_total.is_not(None)
    high, low = value_sums(
        case((has_total, case((is_use, 1), else_=0)), else_=units - undone),
        func.coalesce(LedgerEntry.imported_total, LedgerEntry.unit_price),
    )
    groups = (LedgerEntry.item_id, HOUR)
    statement = (
        select(*groups, sum_of(LedgerEntry.delta), sum_of(units), sum_of(undone), high, low)
        .where((LedgerEntry.delta != 0) | is_use)
        .group_by(*groups)
    )
    return _by_day(statement, rules.USE_KEY, rules.USE_SUMS)


def entries_of(operation_id: int) -> Sequence[dict[str, Any]]:
    """Return the columns of an operation's entries, and the `site` of each."""
    columns = (*table_of(LedgerEntry).c, StockSite.site)
    statement = select(*columns).join(StockSite, StockSite.id == LedgerEntry.site_id)
    of_operation = statement.where(LedgerEntry.operation_id == operation_id)
    return [dict(row) for row in db.session.execute(of_operation).mappings()]


def missing_reasons() -> set[str]:
    """Return the reasons of ledger entries that a search wouldn't find."""
    statement = select(LedgerEntry.reason).where(LedgerEntry.reason != "").distinct()
    stored = select(LedgerReason.reason)
    return set(db.session.execute(statement.except_(stored)).scalars())


def missing_past_names() -> set[tuple[int, str]]:
    """Return the items with the keys of their past names that a search wouldn't find."""
    statement = (
        select(LedgerEntry.item_id, LedgerEntry.item_name, Item.name_key)
        .join(Item, Item.id == LedgerEntry.item_id)
        .where(LedgerEntry.item_name != Item.name)
        .distinct()
    )
    stored = db.session.execute(select(PastName.item_id, PastName.name_key))
    return {
        (item_id, names.key(name))
        for item_id, name, name_key in db.session.execute(statement)
        if names.key(name) != name_key
    }.difference(map(tuple, stored))


MAX_WEEKS = 12

_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Week:
    """The units of one event in a week; its days are within the filters."""

    first: date
    last: date
    units: int


def weekly_units(scope: Scope, today: date) -> Sequence[Week]:
    """Return the units withdrawn, or delivered if so filtered, of a scope's last weeks.

    They are empty for a search, which the summaries don't support, and within a single week.
    """
    filters = scope.filters
    if filters.event is HistoryEvent.OTHER or filters.search.strip():
        return ()
    last = max(min(filters.end or today, today), dates.EARLIEST_DAY)
    earliest = _monday(last) - (MAX_WEEKS - 1) * _WEEK
    first = max(filters.start or earliest, earliest)
    if _monday(first) >= _monday(last):
        return ()
    event = filters.event or HistoryEvent.WITHDRAWAL
    where = (
        *scope.summary_conditions(by_day=True),
        LedgerSummary.day.between(first, last),
        LedgerSummary.kind.in_(kinds_of(event)),
    )
    per_day = count_by_day(sum_by(LedgerSummary.day, LedgerSummary.units, *where))
    units: Counter[date] = Counter()
    for day, number in per_day.items():
        units[_monday(day)] += number
    if not any(units.values()):
        return ()
    mondays = (_monday(first) + n * _WEEK for n in range(MAX_WEEKS))
    return [
        Week(max(monday, first), min(monday + timedelta(days=6), last), units[monday])
        for monday in mondays
        if monday <= last
    ]


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
