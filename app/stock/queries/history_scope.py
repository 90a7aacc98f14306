"""The ledger entries of a history with its filters, read in its order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute

from app import dates, names
from app.db import db
from app.divisions import Division, Store
from app.sorting import SortOrder
from app.stock.models import LISTED, LedgerEntry, LedgerSummary, StockSite
from app.stock.rules import history as rules
from app.stock.rules.filters import NEWEST_FIRST
from app.stock.rules.history import UNKNOWN_SITE, HistoryEvent, is_plausible_team
from app.stock.rules.summaries import ALL_DAYS

Sites = Mapping[int, Store]
Condition = sa.ColumnElement[bool]
Value = TypeVar("Value")


@dataclass(frozen=True)
class HistoryFilters:
    """The filters of a history; '' and None match all, DASH rows of an unknown site."""

    search: str = ""
    event: HistoryEvent | None = None
    team: str = ""
    site: str = ""
    start: date | None = None
    end: date | None = None
    order: SortOrder = NEWEST_FIRST

    def __bool__(self) -> bool:
        return bool(
            self.search.strip() or any((self.event, self.team, self.site, self.start, self.end))
        )


# Conditions without parameters: an index of listed entries serves only its own text.
is_listed = sa.text(LISTED)
displayed_amount = sa.literal_column(
    "CASE WHEN imported_amount IS NOT NULL THEN imported_amount "
    "WHEN kind IN ('delivery', 'withdrawal') THEN abs(delta) ELSE delta END",
    sa.Integer,
)
signed_amount = sa.literal_column(
    "CASE WHEN imported_amount IS NULL THEN delta "
    "WHEN kind = 'withdrawal' THEN -imported_amount ELSE imported_amount END",
    sa.Integer,
)

# SQLite doesn't know how many rows match; a plus keeps it from choosing their indexes.
unindexed_site_id = sa.literal_column("+ledger_entry.site_id", sa.Integer)
unindexed_item_id = sa.literal_column("+ledger_entry.item_id", sa.Integer)


@dataclass(frozen=True)
class Scope:
    """The entries of a history with its filters but the search; `teams` are a team's spellings."""

    sites: Sites
    filters: HistoryFilters
    teams: Sequence[str] = ()

    def summary_conditions(self, *, by_day: bool = False) -> list[Condition]:
        """Return the conditions of the summaries that count the entries, on request `by_day`."""
        filters = self.filters
        where: list[Condition] = [LedgerSummary.site_id.in_(self.sites)]
        if by_day or filters.start or filters.end:
            first, last = filters.start or dates.EARLIEST_DAY, filters.end or date.max
            where.append(LedgerSummary.day.between(first, last))
        else:
            where.append(LedgerSummary.day == ALL_DAYS)
        if filters.event:
            where.append(LedgerSummary.kind.in_(rules.kinds_of(filters.event)))
        if filters.site:
            where.append(LedgerSummary.site == _site_name(filters.site))
        if filters.team:
            where.append(displays_team(self.teams, LedgerSummary.team, LedgerSummary.is_imported))
        return where

    def conditions(self) -> list[Condition]:
        """Return the conditions of the entries, for statements that choose their own index."""
        where = [unindexed_site_id.in_(self.sites), *self._rest()]
        if self.filters.team:
            where.append(displays_team(self.teams))
        if self.filters.event:
            where.append(LedgerEntry.kind.in_(rules.kinds_of(self.filters.event)))
        return where

    def newest(
        self,
        *where: Condition,
        limit: int | sa.BindParameter[int],
        offset: int = 0,
        oldest_first: bool = False,
    ) -> sa.Subquery:
        """Return ids and moments of entries in an order that an index of each branch has."""

        def in_direction(*columns: Any) -> Sequence[Any]:
            return columns if oldest_first else [column.desc() for column in columns]

        branches = [
            sa.select(LedgerEntry.id, LedgerEntry.effective_at)
            .where(*branch, *self._rest(), *where, is_listed)
            .order_by(*in_direction(LedgerEntry.effective_at, LedgerEntry.id))
            .limit(limit + offset)
            .subquery()
            for branch in self._branches()
        ]
        merged = sa.union_all(*(sa.select(branch) for branch in branches)).subquery()
        return (
            sa.select(merged)
            .order_by(*in_direction(merged.c.effective_at, merged.c.id))
            .limit(limit)
            .offset(offset)
            .subquery()
        )

    def _branches(self) -> list[list[Condition]]:
        """Return conditions that together select the entries of the filter's team or event."""
        sites = [[LedgerEntry.site_id == site_id] for site_id in self.sites]
        choices: list[Condition] = []
        if self.filters.team:
            choices = [displays_team([team]) for team in self.teams] or [sa.false()]
        elif self.filters.event:
            choices = [LedgerEntry.kind == kind for kind in rules.kinds_of(self.filters.event)]
        return [[*site, choice] for site in sites for choice in choices] if choices else sites

    def _rest(self) -> list[Condition]:
        filters = self.filters
        where: list[Condition] = []
        if filters.event and filters.team:
            where.append(LedgerEntry.kind.in_(rules.kinds_of(filters.event)))
        if filters.site:
            where.append(at_site(_site_name(filters.site), self.sites))
        return [*where, *in_days(filters.start, filters.end)]


def scope_of(division: Division, filters: HistoryFilters) -> Scope:
    """Return the entries that a division's history lists for these filters."""
    sites = load_sites(division)
    if not filters.team:
        return Scope(sites, filters)
    key = names.key(filters.team)
    return Scope(sites, filters, [team for team in count_teams(sites) if names.key(team) == key])


def load_sites(division: Division) -> Sites:
    """Return a division's sites by their ids."""
    statement = sa.select(StockSite.id, StockSite.site).where(StockSite.division == division)
    return {id_: Store(division, site) for id_, site in db.session.execute(statement)}


def count_teams(sites: Sites) -> dict[str, int]:
    """Return how many rows of the history have each spelling of a team."""
    where = Scope(sites, HistoryFilters()).summary_conditions()
    statement = sum_by(LedgerSummary.team, LedgerSummary.entries, *where, LedgerSummary.team != "")
    return {team: int(entries) for team, entries in db.session.execute(statement)}


def sum_by(
    column: InstrumentedAttribute[Value], number: InstrumentedAttribute[int], *where: Condition
) -> sa.Select[Value, int]:
    """Return the statement that adds up a number of the summaries by a column."""
    return sa.select(column, sa.func.sum(number)).where(*where).group_by(column)


_is_imported = LedgerEntry.imported_amount.is_not(None)


def displays_team(
    spellings: Sequence[str], team: Any = LedgerEntry.team, is_imported: Any = _is_imported
) -> Condition:
    """Return the condition that a row, by these columns, displays one of the spellings of teams."""
    plausible = [spelling for spelling in spellings if is_plausible_team(spelling)]
    others = [spelling for spelling in spellings if spelling not in plausible]
    condition: Condition = team.in_(plausible)
    if others:
        own = team.in_(others) & ~is_imported
        condition = condition | own if plausible else own
    return condition


def at_site(site: str, sites: Sites) -> Condition:
    """Return the condition that an entry displays a site; '' is an unknown one."""
    own = [id_ for id_, store in sites.items() if store.site == site]
    imported = LedgerEntry.imported_site == site
    if not own:
        return imported
    return imported | (LedgerEntry.site_id.in_(own) & LedgerEntry.imported_site.is_(None))


def in_days(start: date | None, end: date | None) -> Sequence[Condition]:
    """Return the conditions that an entry is in a range of London days; None is no limit."""
    since = [LedgerEntry.effective_at >= dates.start_of_day(start)] if start else []
    until = [LedgerEntry.effective_at < dates.end_of_day(end)] if end else []
    return [*since, *until]


def _site_name(site: str) -> str:
    return UNKNOWN_SITE if site == rules.DASH else site
