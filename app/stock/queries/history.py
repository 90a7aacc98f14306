"""A division's history: as rows of its pages, and as plain lines for exports, JSON and imports."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any

import sqlalchemy as sa

from app import dates
from app.db import STREAM_BATCH_SIZE, db, stream_columns
from app.divisions import Division, Store
from app.paging import COUNT_LIMIT, AtLeast, Page, Part, load_page, reversed_part
from app.records.reading import check_unindexed
from app.search import sort_rows
from app.sorting import SortColumns
from app.stock.models import LedgerEntry, StockOperation, StockSite
from app.stock.queries import history_scope as ledger
from app.stock.queries import summaries
from app.stock.queries.history_scope import Condition, HistoryFilters, Scope, Sites
from app.stock.queries.history_search import SearchResult, search, search_conditions
from app.stock.queries.summaries import Week, weekly_units
from app.stock.rules import history as rules
from app.stock.rules.filters import NEWEST_FIRST, history_orders
from app.stock.rules.history import EntryRow, HistoryEvent, describe_entry, site_label
from app.stock.rules.items import EntryKind
from app.stock.rules.summaries import HistorySums

ROWS_PER_PAGE = 25
MAX_SKIPPED = 1_000
"""How many rows are skipped one by one; beyond, the summaries tell the day of a page."""

RECENT_ROWS = 12


@dataclass(frozen=True, kw_only=True)
class HistoryRow(EntryRow):
    """A line of history; prices are in pence, `site` is the displayed one, `store` the item's."""

    event: HistoryEvent
    item: str
    item_id: int
    amount: int
    unit_price: int
    total_price: int
    site: str
    store: Store

    @property
    def change(self) -> int:
        """Return the amount with its sign, as screens show it."""
        return rules.signed_amount(self.event, self.amount)

    @property
    def value(self) -> int:
        """Return the total price with the sign of its amount."""
        return rules.signed_amount(self.event, self.total_price)

    @property
    def site_label(self) -> str:
        """Return the site as people read it, a dash for an unknown one."""
        return site_label(self.site)


_SORTED_BY: Mapping[str, Callable[[HistoryRow], Sequence[Any]]] = {
    "event": lambda row: [row.text.title],
    "team": lambda row: [row.team],
    "item": lambda row: [row.item],
    "amount": lambda row: [row.change],
    "price": lambda row: [row.unit_price],
    "total": lambda row: [row.value],
    "site": lambda row: [row.site_label],
}


@dataclass(frozen=True)
class HistoryPage(Page[HistoryRow]):
    """A page of a history with its `weeks`; `sums` of all pages is None if the total is capped."""

    sums: HistorySums | None
    weeks: Sequence[Week]


def list_versions(division: Division) -> Sequence[int]:
    """Return the versions of a division's sites; any change of its stock changes one."""
    statement = (
        sa.select(StockSite.version).where(StockSite.division == division).order_by(StockSite.id)
    )
    return db.session.execute(statement).scalars().all()


def load_history(division: Division, filters: HistoryFilters, page: int = 1) -> HistoryPage:
    """Return a page of the rows that match the filters; a page beyond the last is the last."""
    scope = ledger.scope_of(division, filters)
    sums: HistorySums | None
    if filters.search.strip():
        result = search(scope)
        sums, part = result.sums, Part(result.total, partial(_load_found, scope, result))
    else:
        total, sums = summaries.count_entries(scope)
        part = Part(total, partial(_load, scope))
    part = _in_order(part, scope, history_orders(division))
    found = load_page(page, total=part.total, per_page=ROWS_PER_PAGE, load=part.load)
    return HistoryPage(**vars(found), sums=sums, weeks=weekly_units(scope, dates.today()))


def matching_entries(division: Division, filters: HistoryFilters) -> sa.Select[int]:
    """Return the statement of the rows that match filters without words, as far as counts go."""
    newest = ledger.scope_of(division, filters).newest(limit=COUNT_LIMIT + 1)
    return sa.select(newest.c.id)


def _in_order(part: Part[HistoryRow], scope: Scope, orders: SortColumns) -> Part[HistoryRow]:
    """Sort a part whose rows are newest first, if so many rows can have the requested order."""
    order = orders.usable(scope.filters.order, part.total)
    if order == orders.default:
        return part
    if order.by != orders.default.by:
        rows = sort_rows(part.load(part.total, 0), _SORTED_BY[order.by], order)
        return Part(part.total, lambda limit, offset: rows[offset : offset + limit])
    if not isinstance(part.total, AtLeast):
        return reversed_part(part)
    oldest = search(scope, oldest_first=True)
    return Part(part.total, lambda limit, offset: _load_found(scope, oldest, limit, offset)[::-1])


def _load_found(
    scope: Scope, result: SearchResult, limit: int, offset: int
) -> Sequence[HistoryRow]:
    statement = _columns(scope).where(LedgerEntry.id.in_(result.ids(limit, offset)))
    return _rows(statement, scope.sites)


def _load(scope: Scope, limit: int, offset: int) -> Sequence[HistoryRow]:
    where: list[Condition] = []
    if offset > MAX_SKIPPED:
        day, newer = summaries.find_day(scope, offset)
        where.append(LedgerEntry.effective_at < dates.end_of_day(day))
        offset -= newer
    return _newest(scope, *where, limit=limit, offset=offset)


def _newest(scope: Scope, *where: Condition, limit: int, offset: int = 0) -> Sequence[HistoryRow]:
    ids = scope.newest(*where, limit=limit, offset=offset)
    return _rows(_columns(scope).join(ids, ids.c.id == LedgerEntry.id), scope.sites)


def sorted_rows(
    division: Division, filters: HistoryFilters, *, is_part: bool
) -> Sequence[HistoryRow]:
    """Return all rows that match in an unindexed order; raises Invalid for many, and for a part."""
    scope = ledger.scope_of(division, filters)
    statement, order = _columns(scope).where(*_matches(scope)), filters.order
    check_unindexed(statement.with_only_columns(LedgerEntry.id), [NEWEST_FIRST.by], is_part=is_part)
    return sort_rows(_rows(statement, scope.sites), _SORTED_BY[order.by], order)


def newest_rows(division: Division, limit: int = RECENT_ROWS) -> Sequence[HistoryRow]:
    """Return up to `limit` rows, newest first."""
    return _newest(ledger.scope_of(division, HistoryFilters()), limit=limit)


def _columns(scope: Scope) -> sa.Select[*tuple[Any, ...]]:
    operation = (StockOperation.recorded_at, StockOperation.made_at)
    statement = lines_of(scope).add_columns(LedgerEntry.item_id, LedgerEntry.site_id, *operation)
    statement = statement.join(StockOperation, StockOperation.id == LedgerEntry.operation_id)
    return statement.order_by(LedgerEntry.effective_at.desc(), LedgerEntry.id.desc())


_AS_SELECTED = {each.name for each in fields(HistoryRow)} - {"at", "event", "text", "team", "store"}


def _rows(statement: sa.Select[*tuple[Any, ...]], sites: Sites) -> Sequence[HistoryRow]:
    rows = []
    for row in db.session.execute(statement):
        at, kind = row.at.replace(tzinfo=UTC), EntryKind(row.kind)
        day, is_imported = dates.london_day(at), row.is_imported
        line = HistoryRow(
            at=at,
            event=rules.event_of(kind),
            text=describe_entry(kind, row.reason, day, is_imported=is_imported),
            team=rules.display_team(row.team, is_imported=is_imported),
            store=sites[row.site_id],
            **{name: getattr(row, name) for name in _AS_SELECTED},
        )
        rows.append(line)
    return rows


HistoryLine = sa.Row[int, datetime, str, str, str, str, int, int, int, str, bool]
"""A line as `lines_of` selects it, without HistoryRow's conversions, which take most of the time:
`at` is UTC without a zone, and an imported `team` may be implausible. `site` is the displayed site.
"""

HistoryLines = sa.Select[int, datetime, str, str, str, str, int, int, int, str, bool]


def stream_history(
    division: Division, filters: HistoryFilters, *, oldest_first: bool = False
) -> Iterator[HistoryLine]:
    """Stream all matching lines by date in constant memory, in a connection of their own."""
    scope = ledger.scope_of(division, filters)
    lines = lines_of(scope).where(*_matches(scope))
    return stream_columns(_by_moment(lines, oldest_first=oldest_first))


def history_part(
    division: Division, filters: HistoryFilters, limit: int, after: int = 0
) -> Sequence[HistoryLine]:
    """Return up to `limit` matching lines after line `after`, by date."""
    if filters == HistoryFilters():
        statement = _newest_part(tuple(ledger.load_sites(division).items()), is_first=not after)
    else:
        statement = _part(ledger.scope_of(division, filters), is_first=not after)
    values = {"limit": limit, "after": after}
    return db.session.connection().execute(statement, values).all()


@lru_cache
def _newest_part(sites: tuple[tuple[int, Store], ...], *, is_first: bool) -> HistoryLines:
    """Return a part without filters; building its statement takes longer than executing it."""
    return _part(Scope(dict(sites), HistoryFilters()), is_first=is_first)


def _part(scope: Scope, *, is_first: bool) -> HistoryLines:
    oldest_first = not scope.filters.order.descending
    found = search_conditions(scope)
    where: list[Condition] = [*found.conditions]
    if not is_first:
        position = sa.tuple_(LedgerEntry.effective_at, LedgerEntry.id)
        same = LedgerEntry.id == sa.bindparam("after")
        moment = sa.select(LedgerEntry.effective_at).where(same).scalar_subquery()
        last = sa.tuple_(moment, sa.bindparam("after"))
        where.append(position > last if oldest_first else position < last)
    limit = sa.bindparam("limit", type_=sa.Integer)
    if found.are_few:
        statement = lines_of(scope).where(*where, *scope.conditions(), ledger.is_listed)
        return _by_moment(statement, oldest_first=oldest_first).limit(limit)
    ids = scope.newest(*where, limit=limit, oldest_first=oldest_first)
    statement = lines_of(scope).join(ids, ids.c.id == LedgerEntry.id)
    return _by_moment(statement, oldest_first=oldest_first)


def recorded_lines(division: Division) -> Iterator[HistoryLine]:
    """Stream all lines of a division in no order, as the current transaction sees them."""
    scope = ledger.scope_of(division, HistoryFilters())
    statement = lines_of(scope).where(*_matches(scope))
    options = {"yield_per": STREAM_BATCH_SIZE}
    yield from db.session.connection().execute(statement, execution_options=options)


def _matches(scope: Scope) -> Sequence[Any]:
    return *scope.conditions(), *search_conditions(scope).conditions, ledger.is_listed


def lines_of(scope: Scope) -> HistoryLines:
    """Return the statement of all lines, with their columns as they are stored."""
    own_sites = {id_: store.site.value for id_, store in scope.sites.items()}
    # The product of two values of 999,999,999 exceeds PostgreSQL's integer.
    price = sa.cast(ledger.displayed_amount, sa.BigInteger) * LedgerEntry.unit_price
    own_site = sa.case(own_sites, value=LedgerEntry.site_id)
    return sa.select(
        LedgerEntry.id,
        sa.type_coerce(LedgerEntry.effective_at, sa.DateTime).label("at"),
        sa.type_coerce(LedgerEntry.kind, sa.String).label("kind"),
        LedgerEntry.reason,
        LedgerEntry.team,
        LedgerEntry.item_name.label("item"),
        ledger.displayed_amount.label("amount"),
        LedgerEntry.unit_price,
        sa.func.coalesce(LedgerEntry.imported_total, price).label("total_price"),
        sa.func.coalesce(LedgerEntry.imported_site, own_site).label("site"),
        LedgerEntry.imported_amount.is_not(None).label("is_imported"),
    )


def _by_moment(statement: HistoryLines, *, oldest_first: bool) -> HistoryLines:
    columns = (LedgerEntry.effective_at, LedgerEntry.id)
    return statement.order_by(*(each if oldest_first else each.desc() for each in columns))
