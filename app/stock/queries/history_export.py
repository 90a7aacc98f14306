"""A division's history as plain columns, for exports, JSON and imports."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from sqlalchemy import (
    BigInteger,
    DateTime,
    Integer,
    Row,
    Select,
    String,
    bindparam,
    case,
    cast,
    func,
    select,
    tuple_,
)
from sqlalchemy import type_coerce as read_as

from app.db import STREAM_BATCH_SIZE, db, stream_columns
from app.divisions import Division, Store
from app.errors import Invalid
from app.records.reading import UNSORTABLE
from app.stock.models import LedgerEntry
from app.stock.queries.history_scope import (
    Condition,
    HistoryFilters,
    Scope,
    displayed_amount,
    is_listed,
    load_sites,
    scope_of,
)
from app.stock.queries.history_search import search_conditions
from app.stock.rules.sorting import NEWEST_FIRST

HistoryLine = Row[int, datetime, str, str, str, str, int, int, int, str, bool]
"""A line of history as it is stored.

Its values: id, at, kind, reason, team, item, amount, unit_price, total_price, site, is_imported.
It is read without the conversions of HistoryRow, which take most of the time of a long export:
`at` is UTC without a zone, and an imported `team` may be implausible. `site` is the displayed site.
"""

HistoryLines = Select[int, datetime, str, str, str, str, int, int, int, str, bool]


def stream_history(
    division: Division, filters: HistoryFilters, *, oldest_first: bool = False
) -> Iterator[HistoryLine]:
    """Stream all lines that match the filters, newest first unless `oldest_first`, whatever order.

    They are read in constant memory in a connection of their own, while a reply is sent.
    """
    scope = scope_of(division, filters)
    return stream_columns(_in_order(_matching(scope), oldest_first=oldest_first))


def history_part(
    division: Division, filters: HistoryFilters, limit: int, after: int = 0
) -> Sequence[HistoryLine]:
    """Return up to `limit` lines that match the filters and follow the line with the id `after`.

    Raises Invalid for an order that no index has.
    """
    if filters.order.by != NEWEST_FIRST.by:
        raise Invalid(UNSORTABLE, "sort")
    if filters == HistoryFilters():
        statement = _newest_part(tuple(load_sites(division).items()), is_first=not after)
    else:
        statement = _part(scope_of(division, filters), is_first=not after)
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
        position = tuple_(LedgerEntry.effective_at, LedgerEntry.id)
        same = LedgerEntry.id == bindparam("after")
        moment = select(LedgerEntry.effective_at).where(same).scalar_subquery()
        last = tuple_(moment, bindparam("after"))
        where.append(position > last if oldest_first else position < last)
    limit = bindparam("limit", type_=Integer)
    if found.are_few:
        statement = lines_of(scope).where(*where, *scope.conditions(), is_listed)
        return _in_order(statement, oldest_first=oldest_first).limit(limit)
    ids = scope.newest(*where, limit=limit, oldest_first=oldest_first)
    statement = lines_of(scope).join(ids, ids.c.id == LedgerEntry.id)
    return _in_order(statement, oldest_first=oldest_first)


def recorded_lines(division: Division) -> Iterator[HistoryLine]:
    """Stream all lines of a division in no order, as the current transaction sees them."""
    statement = _matching(scope_of(division, HistoryFilters()))
    options = {"yield_per": STREAM_BATCH_SIZE}
    yield from db.session.connection().execute(statement, execution_options=options)


def _matching(scope: Scope) -> HistoryLines:
    where = (*scope.conditions(), *search_conditions(scope).conditions)
    return lines_of(scope).where(*where, is_listed)


def lines_of(scope: Scope) -> HistoryLines:
    """Return the statement of all lines, with their columns as they are stored."""
    own_sites = {id_: store.site.value for id_, store in scope.sites.items()}
    # The product of two values of 999,999,999 exceeds PostgreSQL's integer.
    price = cast(displayed_amount, BigInteger) * LedgerEntry.unit_price
    own_site = case(own_sites, value=LedgerEntry.site_id)
    return select(
        LedgerEntry.id,
        read_as(LedgerEntry.effective_at, DateTime).label("at"),
        read_as(LedgerEntry.kind, String).label("kind"),
        LedgerEntry.reason,
        LedgerEntry.team,
        LedgerEntry.item_name.label("item"),
        displayed_amount.label("amount"),
        LedgerEntry.unit_price,
        func.coalesce(LedgerEntry.imported_total, price).label("total_price"),
        func.coalesce(LedgerEntry.imported_site, own_site).label("site"),
        LedgerEntry.imported_amount.is_not(None).label("is_imported"),
    )


def _in_order(statement: HistoryLines, *, oldest_first: bool) -> HistoryLines:
    columns = (LedgerEntry.effective_at, LedgerEntry.id)
    return statement.order_by(*(each if oldest_first else each.desc() for each in columns))
