"""A division's history, for its pages and exports."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select

from app import dates, names
from app.db import db
from app.directory import queries as directory
from app.divisions import Division, Site, Store
from app.paging import Page, load_page
from app.stock.models import Item, LedgerEntry, StockSite
from app.stock.rules import history as rules
from app.stock.rules.history import UNKNOWN_SITE, HistoryEvent, is_plausible_team
from app.stock.rules.items import EntryKind
from app.stock.rules.search import Term, search_terms

ROWS_PER_PAGE = 25
MIN_OCCURRENCES = {Division.GFM: 2}
"""How often a team must occur to be a choice of the filter."""


@dataclass(frozen=True)
class HistoryFilters:
    """The filters of a history; '' and None match everything, and `end` is the last day.

    `site` is a site's name, 'other', or DASH for rows of an unknown site.
    """

    search: str = ""
    event: HistoryEvent | None = None
    team: str = ""
    site: str = ""
    start: date | None = None
    end: date | None = None

    def __bool__(self) -> bool:
        return bool(
            self.search.strip() or any((self.event, self.team, self.site, self.start, self.end))
        )


@dataclass(frozen=True)
class HistoryRow:
    """A line of history; prices are in pence.

    `team` is the team to display, '' for an imported text that names none; `raw_team` is the
    text as it is stored. `site` is the site to display, `store` the one the item belongs to.
    """

    id: int
    at: datetime
    event: HistoryEvent
    detail: str
    team: str
    raw_team: str
    item: str
    item_id: int
    amount: int
    unit_price: int
    total_price: int
    site: str
    store: Store

    @property
    def note(self) -> str:
        """Return what the detail adds to the event."""
        return rules.without_event(self.event, self.detail)


@dataclass(frozen=True)
class HistoryPage(Page[HistoryRow]):
    """A page of a history, newest first; `units` adds up the amounts of all its pages."""

    units: int


def list_versions(division: Division) -> Sequence[int]:
    """Return the versions of a division's sites; any change of its stock changes one."""
    statement = (
        select(StockSite.version).where(StockSite.division == division).order_by(StockSite.id)
    )
    return db.session.execute(statement).scalars().all()


def load_history(division: Division, filters: HistoryFilters, page: int = 1) -> HistoryPage:
    """Return a page of the rows that match the filters; a page beyond the last is the last."""
    where, sites = matching(division, filters)
    totals = select(func.count(), func.coalesce(func.sum(amount_of_entry), 0)).where(*where)
    total, units = db.session.execute(totals).one()

    def load(limit: int, offset: int) -> Sequence[HistoryRow]:
        statement = _columns(where).limit(limit).offset(offset)
        return [_row(row, sites) for row in db.session.execute(statement)]

    found = load_page(page, total=total, per_page=ROWS_PER_PAGE, load=load)
    return HistoryPage(found.rows, found.number, found.pages, found.total, int(units))


def newest_rows(division: Division, limit: int) -> Sequence[HistoryRow]:
    """Return up to `limit` rows, newest first."""
    where, sites = matching(division, HistoryFilters())
    statement = _columns(where).limit(limit)
    return [_row(row, sites) for row in db.session.execute(statement)]


def team_choices(division: Division) -> Sequence[str]:
    """Return the choices of the filter by team, by name: the plausible teams of the history.

    A team of GPM's directory is one whatever it is called. Of several spellings the most frequent
    is taken.
    """
    directory_teams = directory.teams_offered() if division is Division.GPM else ()
    directory_keys = {names.key(team) for team in directory_teams}
    spellings: dict[str, Counter[str]] = {}
    for team, count in _count_teams(_sites(division)).items():
        if is_plausible_team(team) or names.key(team) in directory_keys:
            spellings.setdefault(names.key(team), Counter())[team] = count
    minimum = MIN_OCCURRENCES.get(division, 1)
    return [
        counts.most_common(1)[0][0]
        for _, counts in sorted(spellings.items())
        if counts.total() >= minimum
    ]


is_listed = ~and_(LedgerEntry.kind == EntryKind.COUNT, LedgerEntry.delta == 0)
"""The condition that a history lists a ledger entry: not a count that found the amount right."""

amount_of_entry = case(
    (LedgerEntry.imported_amount.is_not(None), LedgerEntry.imported_amount),
    (LedgerEntry.kind.in_((EntryKind.DELIVERY, EntryKind.WITHDRAWAL)), func.abs(LedgerEntry.delta)),
    else_=LedgerEntry.delta,
)
"""The amount that a history displays for a ledger entry."""

Sites = Mapping[int, Store]
Condition = ColumnElement[bool]


def _sites(division: Division) -> Sites:
    statement = select(StockSite.id, StockSite.site).where(StockSite.division == division)
    return {id_: Store(division, site) for id_, site in db.session.execute(statement)}


def _count_teams(sites: Sites) -> dict[str, int]:
    """Return how often each spelling of a team occurs, read from an index alone."""
    statement = (
        select(LedgerEntry.team, func.count().label("rows"))
        .where(LedgerEntry.site_id.in_(sites), LedgerEntry.team != "")
        .group_by(LedgerEntry.team)
    )
    return {row.team: row.rows for row in db.session.execute(statement)}


def _columns(where: Sequence[Condition]) -> Select[Any]:
    statement = select(
        LedgerEntry.id,
        LedgerEntry.effective_at,
        LedgerEntry.kind,
        LedgerEntry.reason,
        LedgerEntry.team,
        LedgerEntry.item_name,
        LedgerEntry.item_id,
        amount_of_entry.label("amount"),
        LedgerEntry.unit_price,
        LedgerEntry.imported_total,
        LedgerEntry.imported_site,
        LedgerEntry.site_id,
        LedgerEntry.imported_amount.is_not(None).label("is_imported"),
    ).where(*where)
    return statement.order_by(LedgerEntry.effective_at.desc(), LedgerEntry.id.desc())


def _row(row: Any, sites: Sites) -> HistoryRow:
    store = sites[row.site_id]
    event = rules.event_of(row.kind)
    return HistoryRow(
        id=row.id,
        at=row.effective_at,
        event=event,
        detail="" if names.key(row.reason) == names.key(event) else row.reason,
        team=rules.display_team(row.team, is_imported=row.is_imported),
        raw_team=row.team,
        item=row.item_name,
        item_id=row.item_id,
        amount=row.amount,
        unit_price=row.unit_price,
        total_price=(
            row.amount * row.unit_price if row.imported_total is None else row.imported_total
        ),
        site=store.site.value if row.imported_site is None else row.imported_site,
        store=store,
    )


def matching(division: Division, filters: HistoryFilters) -> tuple[list[Condition], Sites]:
    """Return the conditions that a ledger entry matches the filters, and the division's sites."""
    sites = _sites(division)
    where: list[Condition] = [LedgerEntry.site_id.in_(sites), is_listed]
    if filters.event:
        where.append(LedgerEntry.kind.in_(rules.kinds_of(filters.event)))
    if filters.site:
        where.append(_at_site("" if filters.site == rules.DASH else filters.site, sites))
    if filters.start:
        where.append(LedgerEntry.effective_at >= dates.start_of_day(filters.start))
    if filters.end:
        where.append(LedgerEntry.effective_at < dates.end_of_day(filters.end))
    terms = search_terms(filters.search)
    teams = _count_teams(sites) if filters.team or terms else {}
    if filters.team:
        key = names.key(filters.team)
        where.append(_displays_team([team for team in teams if names.key(team) == key]))
    where += [_matches(term, sites, teams) for term in terms]
    return where, sites


def _displays_team(spellings: Sequence[str]) -> Condition:
    """Return the condition that a row displays one of these spellings of teams."""
    plausible = [team for team in spellings if is_plausible_team(team)]
    others = [team for team in spellings if team not in plausible]
    if not others:
        return LedgerEntry.team.in_(plausible)
    own = and_(LedgerEntry.team.in_(others), LedgerEntry.imported_amount.is_(None))
    return or_(LedgerEntry.team.in_(plausible), own)


def _at_site(site: str, sites: Sites) -> Condition:
    """Return the condition that a row displays a site; '' is an unknown one."""
    own = [id_ for id_, store in sites.items() if store.site == site]
    imported = LedgerEntry.imported_site == site
    if not own:
        return imported
    return or_(imported, and_(LedgerEntry.site_id.in_(own), LedgerEntry.imported_site.is_(None)))


def _matches(term: Term, sites: Sites, teams: Mapping[str, int]) -> Condition:
    """Return the condition that one of a row's columns has a meaning of the term."""
    where: list[Condition] = []
    if kinds := [k for k in EntryKind if term.text in rules.event_of(k).casefold()]:
        where.append(LedgerEntry.kind.in_(kinds))
    if matching := [team for team in teams if term.text in names.key(team)]:
        where.append(_displays_team(matching))
    choices = [*Site, rules.OTHER_SITE, *([UNKNOWN_SITE] if term.text == rules.DASH else [])]
    where += [_at_site(site, sites) for site in choices if term.text in (site or rules.DASH)]
    if term.days:
        first, last = term.days
        where.append(
            and_(
                LedgerEntry.effective_at >= dates.start_of_day(first),
                LedgerEntry.effective_at < dates.end_of_day(last),
            )
        )
    if term.amount is not None:
        where.append(amount_of_entry == term.amount)
    where += [
        LedgerEntry.item_id.in_(
            select(Item.id).where(
                Item.site_id.in_(sites), Item.name_key.contains(term.text, autoescape=True)
            )
        ),
        # The name of that time, which has no key of its own: the key is that of today's name.
        LedgerEntry.item_name.icontains(term.text, autoescape=True),
        and_(LedgerEntry.reason != "", LedgerEntry.reason.icontains(term.text, autoescape=True)),
    ]
    return or_(*where)
