"""A division's history as plain columns, for exports, JSON and imports."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TypeVarTuple

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

Columns = TypeVarTuple("Columns")

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
    """Stream all lines that match the filters, in constant memory.

    They are read in a connection of their own, so reading goes on while a reply is sent.
    """
    scope = scope_of(division, filters)
    where = (*scope.conditions(), *search_conditions(scope))
    statement = _lines(scope).where(*where, is_listed)
    if oldest_first:
        return stream_columns(statement.order_by(LedgerEntry.effective_at, LedgerEntry.id))
    return stream_columns(_newest_first(statement))


def history_part(division: Division, limit: int, after: int = 0) -> Sequence[HistoryLine]:
    """Return up to `limit` lines, newest first, that follow the line with the id `after`."""
    statement = _part(tuple(load_sites(division).items()), is_first=not after)
    values = {"limit": limit, "after": after}
    return db.session.connection().execute(statement, values).all()


@lru_cache
def _part(sites: tuple[tuple[int, Store], ...], *, is_first: bool) -> HistoryLines:
    """Return the statement of `history_part`; building it takes longer than executing it."""
    scope = Scope(dict(sites), HistoryFilters())
    where: list[Condition] = []
    if not is_first:
        position = tuple_(LedgerEntry.effective_at, LedgerEntry.id)
        same = LedgerEntry.id == bindparam("after")
        last = select(LedgerEntry.effective_at).where(same).scalar_subquery()
        where.append(position < tuple_(last, bindparam("after")))
    ids = scope.newest(*where, limit=bindparam("limit", type_=Integer))
    return _newest_first(_lines(scope).join(ids, ids.c.id == LedgerEntry.id))


def recorded_lines(division: Division) -> Iterator[HistoryLine]:
    """Stream all lines of a division in no order, as the current transaction sees them."""
    scope = scope_of(division, HistoryFilters())
    statement = _lines(scope).where(*scope.conditions(), is_listed)
    options = {"yield_per": STREAM_BATCH_SIZE}
    yield from db.session.connection().execute(statement, execution_options=options)


def _lines(scope: Scope) -> HistoryLines:
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


def _newest_first(statement: Select[*Columns]) -> Select[*Columns]:
    return statement.order_by(LedgerEntry.effective_at.desc(), LedgerEntry.id.desc())
