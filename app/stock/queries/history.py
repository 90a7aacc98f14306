"""A division's history as its screens and exports show it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select, tuple_

from app import dates, names
from app.db import db, stream_rows
from app.directory import queries as directory
from app.divisions import Division, Site, Store
from app.paging import clamp_page
from app.stock.models import Item, LedgerEntry, StockSite
from app.stock.rules import history as rules
from app.stock.rules.history import UNKNOWN_SITE, Event, is_plausible_team
from app.stock.rules.operations import Kind
from app.stock.rules.search import Term, search_terms

ROWS_PER_PAGE = 25
LEAST_OFFERED = {Division.GFM: 2}
"""How often a team must occur to be offered as a filter (seed §2)."""


@dataclass(frozen=True)
class HistoryFilter:
    """What a history shows; both days belong to it, and '' or None lets everything through.

    `site` is a site's name, 'other', or DASH for rows whose site isn't known.
    """

    search: str = ""
    event: Event | None = None
    team: str = ""
    site: str = ""
    start: date | None = None
    end: date | None = None

    def __bool__(self) -> bool:
        return bool(self.search.strip() or any((self.event, self.team, self.site)) or self.dated)

    @property
    def dated(self) -> bool:
        """Tell whether it is limited to some days."""
        return self.start is not None or self.end is not None


@dataclass(frozen=True)
class HistoryRow:
    """A line of history as it is shown; prices are in pence.

    `team` is '' where it isn't shown, `team_found` is the text as it was found. `store` is
    where its item belongs.
    """

    id: int
    at: datetime
    event: Event
    detail: str
    team: str
    team_found: str
    item: str
    item_id: int
    amount: int
    unit_price: int
    total_price: int
    site: str
    store: Store

    @property
    def beside(self) -> str:
        """Return what its detail adds to the event."""
        return rules.beside(self.event, self.detail)


@dataclass(frozen=True)
class HistoryPage:
    """Some rows of a history, newest first, with what there is in all."""

    rows: Sequence[HistoryRow]
    page: int
    pages: int
    total: int
    units: int


def data_versions(division: Division) -> Sequence[int]:
    """Return numbers of which another one is there after every change of the division's stock."""
    statement = (
        select(StockSite.version).where(StockSite.division == division).order_by(StockSite.id)
    )
    return db.session.execute(statement).scalars().all()


def history_page(division: Division, shown: HistoryFilter, page: int = 1) -> HistoryPage:
    """Return a page of the rows that a filter lets through; a page beyond the last is the last."""
    where, sites = _where(db.session, division, shown)
    totals = select(func.count(), func.coalesce(func.sum(_amount), 0)).where(*where)
    total, units = db.session.execute(totals).one()
    page, pages = clamp_page(page, total=total, per_page=ROWS_PER_PAGE)
    statement = _columns(where).limit(ROWS_PER_PAGE).offset((page - 1) * ROWS_PER_PAGE)
    rows = [_row(row, sites) for row in db.session.execute(statement)] if total else []
    return HistoryPage(rows, page, pages, total, int(units))


def history_rows(
    division: Division, shown: HistoryFilter, *, oldest_first: bool = False
) -> Iterator[HistoryRow]:
    """Stream all rows that a filter lets through, in constant memory.

    It reads in a session of its own, so it goes on while a reply is sent.
    """
    where, sites = _where(db.session, division, shown)
    rows = stream_rows(_columns(where, oldest_first=oldest_first))
    return (_row(row, sites) for row in rows)


def history_part(division: Division, limit: int, before: int = 0) -> Sequence[HistoryRow]:
    """Return up to `limit` rows, newest first, that come after the row with the id `before`."""
    where, sites = _where(db.session, division, HistoryFilter())
    if before:
        place = tuple_(LedgerEntry.effective_at, LedgerEntry.id)
        last = select(LedgerEntry.effective_at).filter_by(id=before).scalar_subquery()
        where.append(place < tuple_(last, before))
    statement = _columns(where).limit(limit)
    return [_row(row, sites) for row in db.session.execute(statement)]


def all_history(division: Division) -> Iterator[HistoryRow]:
    """Stream all of a division's history as the present transaction sees it."""
    return _stream(db.session, division, HistoryFilter(), oldest_first=True)


def teams_offered(division: Division) -> Sequence[str]:
    """Return the plausible teams of a division's history that a filter offers, by name.

    Those of GPM's directory are offered whatever they are called.
    """
    sites = _sites(db.session, division)
    own = directory.teams_offered() if division is Division.GPM else ()
    known = {names.key(team) for team in own}
    spellings: dict[str, Counter[str]] = {}
    for team, count in _teams(db.session, sites).items():
        if is_plausible_team(team) or names.key(team) in known:
            spellings.setdefault(names.key(team), Counter())[team] = count
    least = LEAST_OFFERED.get(division, 1)
    return [
        found.most_common(1)[0][0]
        for _, found in sorted(spellings.items())
        if found.total() >= least
    ]


is_shown = ~and_(LedgerEntry.kind == Kind.COUNT, LedgerEntry.delta == 0)
"""The condition that a ledger line stands in a division's history (design §4)."""

_amount = case(
    (LedgerEntry.shown_amount.is_not(None), LedgerEntry.shown_amount),
    (LedgerEntry.kind.in_((Kind.DELIVERY, Kind.WITHDRAWAL)), func.abs(LedgerEntry.delta)),
    else_=LedgerEntry.delta,
)

Sites = Mapping[int, Store]
Condition = ColumnElement[bool]


def _sites(session: Any, division: Division) -> Sites:
    statement = select(StockSite.id, StockSite.site).where(StockSite.division == division)
    return {id_: Store(division, site) for id_, site in session.execute(statement)}


def _teams(session: Any, sites: Sites) -> dict[str, int]:
    """Return how often each spelling of a team occurs; the index alone answers it."""
    statement = (
        select(LedgerEntry.team, func.count())
        .where(LedgerEntry.site_id.in_(sites), LedgerEntry.team != "")
        .group_by(LedgerEntry.team)
    )
    return dict(session.execute(statement).all())


def _stream(
    session: Any, division: Division, shown: HistoryFilter, *, oldest_first: bool
) -> Iterator[HistoryRow]:
    where, sites = _where(session, division, shown)
    statement = _columns(where, oldest_first=oldest_first).execution_options(yield_per=1000)
    for row in session.execute(statement):
        yield _row(row, sites)


def _columns(where: Sequence[Condition], *, oldest_first: bool = False) -> Select[Any]:
    statement = select(
        LedgerEntry.id,
        LedgerEntry.effective_at,
        LedgerEntry.kind,
        LedgerEntry.reason,
        LedgerEntry.team,
        LedgerEntry.item_name,
        LedgerEntry.item_id,
        _amount.label("amount"),
        LedgerEntry.unit_price,
        LedgerEntry.shown_total,
        LedgerEntry.shown_site,
        LedgerEntry.site_id,
        LedgerEntry.shown_amount.is_not(None).label("is_imported"),
    ).where(*where)
    if oldest_first:
        return statement.order_by(LedgerEntry.effective_at, LedgerEntry.id)
    return statement.order_by(LedgerEntry.effective_at.desc(), LedgerEntry.id.desc())


def _row(row: Any, sites: Sites) -> HistoryRow:
    store = sites[row.site_id]
    event = rules.event_of(row.kind)
    return HistoryRow(
        id=row.id,
        at=row.effective_at,
        event=event,
        detail="" if names.key(row.reason) == names.key(event) else row.reason,
        team=rules.shown_team(row.team, is_imported=row.is_imported),
        team_found=row.team,
        item=row.item_name,
        item_id=row.item_id,
        amount=row.amount,
        unit_price=row.unit_price,
        total_price=(row.amount * row.unit_price if row.shown_total is None else row.shown_total),
        site=store.site.value if row.shown_site is None else row.shown_site,
        store=store,
    )


def _where(session: Any, division: Division, shown: HistoryFilter) -> tuple[list[Condition], Sites]:
    sites = _sites(session, division)
    where: list[Condition] = [LedgerEntry.site_id.in_(sites), is_shown]
    if shown.event:
        where.append(LedgerEntry.kind.in_(rules.kinds_of(shown.event)))
    if shown.site:
        where.append(_at_site("" if shown.site == rules.DASH else shown.site, sites))
    if shown.start:
        where.append(LedgerEntry.effective_at >= dates.start_of_day(shown.start))
    if shown.end:
        where.append(LedgerEntry.effective_at < dates.end_of_day(shown.end))
    terms = search_terms(shown.search)
    teams = _teams(session, sites) if shown.team or terms else {}
    if shown.team:
        wanted = names.key(shown.team)
        where.append(_shows_team([t for t in teams if names.key(t) == wanted]))
    where += [_matches(term, sites, teams) for term in terms]
    return where, sites


def _shows_team(found: Sequence[str]) -> Condition:
    """Return the condition that a row shows one of these spellings of teams."""
    plausible = [team for team in found if is_plausible_team(team)]
    others = [team for team in found if team not in plausible]
    if not others:
        return LedgerEntry.team.in_(plausible)
    own = and_(LedgerEntry.team.in_(others), LedgerEntry.shown_amount.is_(None))
    return or_(LedgerEntry.team.in_(plausible), own)


def _at_site(site: str, sites: Sites) -> Condition:
    """Return the condition that a row is shown at a site; '' stands for an unknown one."""
    own = [id_ for id_, store in sites.items() if store.site == site]
    here = and_(LedgerEntry.site_id.in_(own), LedgerEntry.shown_site.is_(None))
    return or_(LedgerEntry.shown_site == site, here) if own else LedgerEntry.shown_site == site


def _matches(term: Term, sites: Sites, teams: Mapping[str, int]) -> Condition:
    """Return the condition that one of a row's columns has what a term means."""
    where: list[Condition] = []
    if kinds := [k for k in Kind if term.text in rules.event_of(k).casefold()]:
        where.append(LedgerEntry.kind.in_(kinds))
    if found := [team for team in teams if term.text in names.key(team)]:
        where.append(_shows_team(found))
    places = [*Site, rules.OTHER_SITE, *([UNKNOWN_SITE] if term.text == rules.DASH else [])]
    where += [_at_site(site, sites) for site in places if term.text in (site or rules.DASH)]
    if term.days:
        first, last = term.days
        where.append(
            and_(
                LedgerEntry.effective_at >= dates.start_of_day(first),
                LedgerEntry.effective_at < dates.end_of_day(last),
            )
        )
    if term.amount is not None:
        where.append(_amount == term.amount)
    where += [
        LedgerEntry.item_id.in_(
            select(Item.id).where(
                Item.site_id.in_(sites), Item.name_key.contains(term.text, autoescape=True)
            )
        ),
        # What an item was called then; its key is known of today's name alone.
        LedgerEntry.item_name.icontains(term.text, autoescape=True),
        and_(LedgerEntry.reason != "", LedgerEntry.reason.icontains(term.text, autoescape=True)),
    ]
    return or_(*where)
