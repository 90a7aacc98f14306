"""Reads of stock's reports: few statements, of sums that are kept and of indexes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import aliased

from app import dates, names
from app.db import db
from app.divisions import Site
from app.lists import grouped
from app.periods import last_day, month_number
from app.stock.models import (
    COUNTED,
    Item,
    ItemUse,
    LedgerEntry,
    LedgerSummary,
    StockOperation,
    StockSite,
)
from app.stock.queries import operations, values
from app.stock.queries.history_scope import load_sites
from app.stock.queries.summaries import HOUR
from app.stock.queries.values import ItemLine
from app.stock.rules.history import display_team
from app.stock.rules.insight import (
    CountLine,
    Grouping,
    InsightFilters,
    SiteValue,
    UseLine,
    describe_users,
)
from app.stock.rules.items import EntryKind
from app.sums import combine_value, sum_of, value_sums

Sites = Mapping[int, Site]

_is_count = sa.text(COUNTED)

# The undos of one entry alone: the operations that are undone are found by reading all of them.
_undo, _next = aliased(StockOperation), aliased(StockOperation)
_first_undo = sa.select(_undo.id).where(_undo.undoes_id == LedgerEntry.operation_id)
_undos = _first_undo.correlate(LedgerEntry).cte("undos", recursive=True, nesting=True)
_undos = _undos.union_all(sa.select(_next.id).join(_undos, _next.undoes_id == _undos.c.id))
_number_of_undos = sa.select(sa.func.count(_undos.c.id)).scalar_subquery()

# The first one found, since a maximum reads all; most have no undo, and the others are few.
LAST_COUNT = (
    sa.select(LedgerEntry.effective_at)
    .where(LedgerEntry.item_id == Item.id, _is_count)
    .where(sa.or_(~_first_undo.exists(), _number_of_undos % 2 == 0))
    .order_by(LedgerEntry.effective_at.desc())
    .limit(1)
)
"""The statement of an item's last stock check that isn't undone, for statements of items."""


def sites_of(filters: InsightFilters) -> Sites:
    """Return the sites that a report is about, by their ids in order."""
    found = load_sites(filters.division)
    return {id_: found[id_].site for id_ in sorted(found) if found[id_].site in filters.sites}


def use(filters: InsightFilters, sites: Sites, *, by_month: bool) -> Sequence[UseLine]:
    """Return what was withdrawn less what was undone, by month or in all, the most units first."""
    read = _use_of_items if filters.by is Grouping.ITEM else _use_of_teams
    lines: dict[tuple[Any, ...], UseLine] = {}
    for month, units, high, low, *of in read(filters, sites):
        day = date.fromisoformat(f"{month}-01") if by_month else filters.start
        line = UseLine(day, int(units), combine_value(high, low), *of)
        # A team can have several spellings: that of the most units names it.
        if before := lines.get((day, line.key)):
            more, less = sorted((before, line), key=lambda each: -each.amount)
            line = more._replace(amount=more.amount + less.amount, value=more.value + less.value)
        lines[day, line.key] = line
    found = [line for line in lines.values() if line.amount or line.value]
    return sorted(found, key=lambda line: (line.day, -line.amount, line.name))


def _use_of_teams(filters: InsightFilters, sites: Sites) -> Iterable[tuple[Any, ...]]:
    table = LedgerSummary
    groups = (_month(table.day), table.team, table.is_imported)
    statement = sa.select(
        *groups,
        sa.func.sum(table.units - table.undone_units),
        sa.func.sum(table.value_high - table.undone_high),
        sa.func.sum(table.value_low - table.undone_low),
    ).where(
        table.site_id.in_(sites),
        table.day.between(filters.start, filters.end),
        table.kind == EntryKind.WITHDRAWAL,
    )
    for month, stored, is_imported, *sums in db.session.execute(statement.group_by(*groups)):
        team = display_team(stored, is_imported=is_imported)
        yield month, *sums, names.key(team), team


def _use_of_items(filters: InsightFilters, sites: Sites) -> Iterable[tuple[Any, ...]]:
    sums = (ItemUse.units - ItemUse.undone, ItemUse.value_high, ItemUse.value_low)
    month = _month(ItemUse.day)
    # Looked up by item and day: a join would read the use of all years.
    use = (
        sa.select(month, ItemUse.item_id, *(sa.func.sum(each).label(None) for each in sums))
        .where(ItemUse.item_id.in_(sa.select(Item.id).where(Item.site_id.in_(sites))))
        .where(ItemUse.day.between(filters.start, filters.end))
        .group_by(month, ItemUse.item_id)
        .subquery()
    )
    statement = sa.select(use, Item.name, Item.unit, Item.site_id)
    for month, id_, *found, name, unit, site_id in db.session.execute(
        statement.join(Item, Item.id == use.c.item_id)
    ):
        yield month, *found, id_, name, sites[site_id], id_, unit


def month_values(filters: InsightFilters, sites: Sites) -> Sequence[SiteValue]:
    """Return the value of each site at the ends of months, the last one cut at the period's end."""
    months = range(month_number(filters.start), month_number(filters.end))
    days = [*(last_day(date(n // 12, n % 12 + 1, 1)) for n in months), filters.end]
    found = values.values_on(sites, days)
    return [
        SiteValue(day, site, found[id_][number])
        for number, day in enumerate(days)
        for id_, site in sites.items()
    ]


def counts(filters: InsightFilters, sites: Sites) -> Sequence[CountLine]:
    """Return what the stock checks that weren't undone found, by month and site."""
    delta, undo = LedgerEntry.delta, aliased(StockOperation)
    short = sa.case((delta < 0, -delta), else_=0)
    touched = sa.case((undo.id.is_not(None), LedgerEntry.operation_id)).label("touched")
    groups = (touched, HOUR, LedgerEntry.site_id)
    sums = (
        sa.func.count(),
        sum_of(sa.case((delta == 0, 1), else_=0)),
        sum_of(short),
        *value_sums(short, LedgerEntry.unit_price),
    )
    statement = (
        sa.select(*groups, *sums)
        .outerjoin(undo, undo.undoes_id == LedgerEntry.operation_id)
        .where(LedgerEntry.site_id.in_(sites), _is_count)
        .where(LedgerEntry.effective_at >= dates.start_of_day(filters.start))
        .where(LedgerEntry.effective_at < dates.end_of_day(filters.end))
    )
    rows = db.session.execute(statement.group_by(*groups)).all()
    undos = operations.last_undos({row.touched for row in rows if row.touched})
    found: dict[tuple[date, int], Sequence[int]] = defaultdict(lambda: [0] * len(sums))
    for operation_id, hour, site_id, *numbers in rows:
        if operation_id not in undos or undos[operation_id].place % 2 == 0:
            moment = datetime.strptime(hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
            key = dates.london_day(moment).replace(day=1), site_id
            found[key] = [a + int(b) for a, b in zip(found[key], numbers, strict=True)]
    return [
        CountLine(month, sites[id_], lines, right, short, combine_value(high, low))
        for (month, id_), (lines, right, short, high, low) in sorted(found.items())
    ]


def not_counted(sites: Sites, since: date) -> Sequence[ItemLine]:
    """Return the items without a stock check after a day, the longest time first."""
    return sorted(_items(sites, since, LAST_COUNT), key=lambda line: line.last or date.min)


def idle(filters: InsightFilters, sites: Sites, since: date) -> Sequence[ItemLine]:
    """Return the items in stock without a withdrawal after a day, the highest value first."""
    is_used = ItemUse.units > ItemUse.undone
    last = sa.select(sa.func.max(ItemUse.day)).where(ItemUse.item_id == Item.id, is_used)
    used = (
        sa.select(Item.name_key, StockSite.site)
        .join(StockSite, StockSite.id == Item.site_id)
        .join(ItemUse, ItemUse.item_id == Item.id)
        .where(StockSite.division == filters.division, is_used, ItemUse.day > since)
        .distinct()
        .order_by(StockSite.site)
    )
    users = grouped((key, site) for key, site in db.session.execute(used))
    first = sa.select(sa.func.min(ItemUse.day)).where(ItemUse.item_id == Item.id)
    is_old = first.scalar_subquery() <= since
    lines = _items(sites, since, last, Item.amount > 0, is_old, users=users)
    return sorted(lines, key=lambda line: -line.value)


def _items(
    sites: Sites,
    since: date,
    last: Any,
    *where: Any,
    users: Mapping[str, Sequence[Site]] | None = None,
) -> Iterator[ItemLine]:
    """Yield the items whose `last` day isn't after a day, by name, with their other users."""
    item = (Item.id, Item.name, Item.unit, Item.amount, Item.unit_price, Item.site_id)
    statement = sa.select(*item, Item.name_key, last.scalar_subquery()).order_by(Item.name_key)
    live = statement.where(Item.site_id.in_(sites), Item.removed_at.is_(None), *where)
    for id_, name, unit, amount, price, site_id, key, at in db.session.execute(live):
        day = dates.london_day(at) if isinstance(at, datetime) else at
        if day is None or day <= since:
            site = sites[site_id]
            others = [each for each in (users or {}).get(key, ()) if each is not site]
            yield ItemLine(id_, name, unit, amount, price, site, day, describe_users(others))


def _month(day: Any) -> Any:
    return sa.func.substr(sa.cast(day, sa.String), 1, len("2011-12")).label("month")
