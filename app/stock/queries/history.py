"""A division's history, for its pages and exports."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import Select, Subquery, select

from app import dates, names
from app.db import db
from app.directory import queries as directory
from app.divisions import Division, Store
from app.errors import Invalid
from app.paging import AtLeast, Page, Part, load_page, reversed_part
from app.records.reading import UNSORTABLE
from app.sorted_rows import sort_rows
from app.sorting import SortColumns
from app.stock.models import LedgerEntry, StockOperation, StockSite
from app.stock.queries import summaries
from app.stock.queries.history_export import lines_of
from app.stock.queries.history_scope import (
    Condition,
    HistoryFilters,
    Scope,
    Sites,
    count_teams,
    is_listed,
    load_sites,
    scope_of,
)
from app.stock.queries.history_search import SearchResult, search, search_conditions
from app.stock.queries.summaries import Week, weekly_units
from app.stock.rules import history as rules
from app.stock.rules.history import (
    EntryText,
    HistoryEvent,
    describe_entry,
    is_plausible_team,
    join_notes,
    site_label,
)
from app.stock.rules.items import EntryKind
from app.stock.rules.sorting import history_orders
from app.stock.rules.summaries import HistorySums
from app.sums import count_matches

ROWS_PER_PAGE = 25
MAX_SKIPPED = 1_000
"""How many rows are skipped one by one; beyond, the summaries tell the day of a page."""

MIN_OCCURRENCES = {Division.GFM: 2}
"""How often a team must occur to be a choice of the filter."""

RECENT_ROWS = 12


@dataclass(frozen=True)
class HistoryRow:
    """A line of history; prices are in pence.

    `text` is the screens' name for the event. `team` is the displayed team, '' for an imported text
    without a plausible one. `site` is the displayed site, `store` the item's. `recorded_at` is when
    it was saved, `made_at` when it was made if it waited first.
    """

    id: int
    at: datetime
    event: HistoryEvent
    text: EntryText
    team: str
    item: str
    item_id: int
    amount: int
    unit_price: int
    total_price: int
    site: str
    store: Store
    recorded_at: datetime
    made_at: datetime | None

    @property
    def note(self) -> str:
        """Return the note beside the title: the text's note, and when it was sent and made."""
        return join_notes(self.text.note, dates.describe_sending(self.made_at, self.recorded_at))

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
    """A page of a history, newest first.

    `sums` adds up the rows of all its pages, None if these are only counted up to a limit. `weeks`
    are the last weeks of its filters, empty for a search.
    """

    sums: HistorySums | None
    weeks: Sequence[Week]


def list_versions(division: Division) -> Sequence[int]:
    """Return the versions of a division's sites; any change of its stock changes one."""
    statement = (
        select(StockSite.version).where(StockSite.division == division).order_by(StockSite.id)
    )
    return db.session.execute(statement).scalars().all()


def load_history(division: Division, filters: HistoryFilters, page: int = 1) -> HistoryPage:
    """Return a page of the rows that match the filters; a page beyond the last is the last."""
    scope = scope_of(division, filters)
    sums: HistorySums | None
    if not filters.search.strip():
        total, sums = summaries.count_entries(scope)
        weeks = weekly_units(scope, dates.today())
        part = Part(total, partial(_load, scope))
    else:
        result = search(scope)
        sums, weeks = result.sums, ()
        part = Part(result.total, partial(_load_found, scope, result))
    part = _in_order(part, scope, history_orders(division))
    found = load_page(page, total=part.total, per_page=ROWS_PER_PAGE, load=part.load)
    return HistoryPage(found.rows, found.number, found.pages, found.total, sums, weeks)


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
    return _rows(_select(scope, scope.newest(*where, limit=limit, offset=offset)), scope.sites)


def sorted_rows(division: Division, filters: HistoryFilters) -> Sequence[HistoryRow]:
    """Return all rows that match the filters in their order; raises Invalid for too many."""
    scope = scope_of(division, filters)
    where = (*scope.conditions(), *search_conditions(scope).conditions)
    statement = _columns(scope).where(*where, is_listed)
    if isinstance(count_matches(statement.with_only_columns(LedgerEntry.id)), AtLeast):
        raise Invalid(UNSORTABLE, "sort")
    order = filters.order
    return sort_rows(_rows(statement, scope.sites), _SORTED_BY[order.by], order)


def newest_rows(division: Division, limit: int = RECENT_ROWS) -> Sequence[HistoryRow]:
    """Return up to `limit` rows, newest first."""
    scope = scope_of(division, HistoryFilters())
    return _rows(_select(scope, scope.newest(limit=limit)), scope.sites)


def team_counts(division: Division) -> Sequence[tuple[str, int]]:
    """Return the choices of the filter by team with their rows, by name: the plausible teams.

    A team of GPM's directory is one whatever it is called. Of several spellings the most frequent
    is taken.
    """
    directory_teams = directory.teams_offered() if division is Division.GPM else ()
    directory_keys = {names.key(team) for team in directory_teams}
    spellings: dict[str, Counter[str]] = {}
    for team, count in count_teams(load_sites(division)).items():
        if is_plausible_team(team) or names.key(team) in directory_keys:
            spellings.setdefault(names.key(team), Counter())[team] = count
    minimum = MIN_OCCURRENCES.get(division, 1)
    return [
        (counts.most_common(1)[0][0], counts.total())
        for _, counts in sorted(spellings.items())
        if counts.total() >= minimum
    ]


def _columns(scope: Scope) -> Select[*tuple[Any, ...]]:
    operation = (StockOperation.recorded_at, StockOperation.made_at)
    statement = lines_of(scope).add_columns(LedgerEntry.item_id, LedgerEntry.site_id, *operation)
    statement = statement.join(StockOperation, StockOperation.id == LedgerEntry.operation_id)
    return statement.order_by(LedgerEntry.effective_at.desc(), LedgerEntry.id.desc())


def _select(scope: Scope, ids: Subquery) -> Select[*tuple[Any, ...]]:
    return _columns(scope).join(ids, ids.c.id == LedgerEntry.id)


def _rows(statement: Select[*tuple[Any, ...]], sites: Sites) -> Sequence[HistoryRow]:
    rows = []
    for row in db.session.execute(statement):
        at, kind = row.at.replace(tzinfo=UTC), EntryKind(row.kind)
        day, is_imported = dates.london_day(at), row.is_imported
        line = HistoryRow(
            id=row.id,
            at=at,
            event=rules.event_of(kind),
            text=describe_entry(kind, row.reason, day, is_imported=is_imported),
            team=rules.display_team(row.team, is_imported=is_imported),
            item=row.item,
            item_id=row.item_id,
            amount=row.amount,
            unit_price=row.unit_price,
            total_price=row.total_price,
            site=row.site,
            store=sites[row.site_id],
            recorded_at=row.recorded_at,
            made_at=row.made_at,
        )
        rows.append(line)
    return rows
