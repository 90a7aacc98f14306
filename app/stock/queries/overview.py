"""A division's overview, and the items and teams that its screens offer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import islice, product
from typing import Any, NamedTuple

from sqlalchemy import CompoundSelect, Select, bindparam, func, literal, select, text, union_all

from app import names
from app.charts import BarChart
from app.day_counts import activity_chart, first_day
from app.db import db
from app.directory import queries as directory
from app.directory.rules import DirectoryList
from app.divisions import SITES, Division, Site, Store
from app.lists import grouped
from app.stock.models import AT_ZERO, LOW, Item, LedgerEntry, StockOperation, StockSite
from app.stock.queries import summaries
from app.stock.queries.history import list_versions
from app.stock.queries.history_scope import count_teams, load_sites
from app.stock.rules.history import is_plausible_team
from app.stock.rules.items import EntryKind
from app.sums import combine_value, count_each
from app.versions import version_of


class SiteTotal(NamedTuple):
    """A site's items, units, value in pence and versions; it may hide the stock check."""

    items: int
    units: int
    value: int
    version: tuple[int, int]
    hides_count: bool


def site_totals(division: Division) -> Mapping[Site, SiteTotal]:
    """Return the totals of each site of a division."""
    statement = select(StockSite).filter_by(division=division).order_by(StockSite.id)
    return {
        row.site: SiteTotal(
            row.items,
            row.units,
            combine_value(row.value_high, row.value_low),
            (row.version, row.levels_version),
            row.hides_count,
        )
        for row in db.session.execute(statement).scalars()
    }


def history_counts(division: Division, today: date) -> tuple[int, BarChart]:
    """Return the number of rows in a division's history, and the last 30 days' rows per day."""
    total, per_day = summaries.entries_per_day(division, first_day(today), today)
    return total, activity_chart(per_day, today)


MAX_NAMES = 3


@dataclass(frozen=True)
class Shortage:
    """Numbers of a site's low items, some at zero, and of others at zero, each with first names."""

    site: Site
    low: int
    low_at_zero: int
    at_zero: int
    low_names: Sequence[str]
    names: Sequence[str]


_OTHERS_AT_ZERO = f"{AT_ZERO} AND (minimum IS NULL OR minimum = 0)"
_COUNTED = (LOW, f"{LOW} AND amount = 0", _OTHERS_AT_ZERO)
_NAMED = (LOW, _OTHERS_AT_ZERO)


def shortages(division: Division) -> Sequence[Shortage]:
    """Return the shortages of the sites of a division that have any."""
    sites = SITES[division]
    counts = count_each(*(_where(division, *each) for each in product(sites, _COUNTED)))
    numbers = zip(*[iter(counts)] * len(_COUNTED), strict=True)
    short = {site: each for site, each in zip(sites, numbers, strict=True) if any(each)}
    rows = db.session.execute(_first_names(division)) if short else ()
    first = grouped(((row.site, row.condition), row.name) for row in rows)
    return [
        Shortage(site, *each, *(first.get((site.value, named), ()) for named in _NAMED))
        for site, each in short.items()
    ]


# It has a part for every site, and building it would take longer than it does.
@cache
def _first_names(division: Division) -> CompoundSelect[str, str, str]:
    return union_all(
        *(
            select(
                _where(division, site, condition)
                .add_columns(
                    literal(site.value).label("site"), literal(condition).label("condition")
                )
                .order_by(Item.name_key)
                .limit(MAX_NAMES)
                .subquery()
            )
            for site in SITES[division]
            for condition in _NAMED
        )
    )


def _where(division: Division, site: Site, condition: str) -> Select[str]:
    store = select(StockSite.id).filter_by(division=division, site=site).scalar_subquery()
    return select(Item.name).where(Item.site_id == store, text(condition))


MAX_OPERATIONS = 50
"""How many of a user's last operations are looked at, for recent items and teams."""

MAX_LINES = 10
"""How many lines of each are looked at: a bulk update is no list of somebody's favourites."""


@dataclass(frozen=True)
class RecentItem:
    """A live item that a user moved, with its current amount."""

    store: Store
    id: int
    name: str
    amount: int
    unit: str


def last_operation(user_id: int) -> int:
    """Return the id of a user's last operation, 0 without any."""
    statement = select(func.max(StockOperation.id)).filter_by(user_id=user_id)
    return db.session.execute(statement).scalar_one() or 0


def recent_items(division: Division, user_id: int, limit: int) -> Sequence[RecentItem]:
    """Return up to `limit` items of a division that a user delivered, took or sent, last first."""
    values = {"division": division, "user_id": user_id, "limit": limit}
    rows = db.session.execute(_RECENT_ITEMS, values)
    return [RecentItem(Store(division, site), *item) for division, site, *item in rows]


_LATEST = (
    select(StockOperation.id)
    .where(StockOperation.user_id == bindparam("user_id"))
    .order_by(StockOperation.id.desc())
    .limit(MAX_OPERATIONS)
    .subquery("latest")
)

_RECENT_ITEMS: Select[*tuple[Any, ...]] = (
    select(StockSite.division, StockSite.site, Item.id, Item.name, Item.amount, Item.unit)
    .select_from(_LATEST)
    .join(LedgerEntry, LedgerEntry.operation_id == _LATEST.c.id)
    .join(Item, Item.id == LedgerEntry.item_id)
    .join(StockSite, StockSite.id == Item.site_id)
    .where(
        StockSite.division == bindparam("division"),
        Item.removed_at.is_(None),
        LedgerEntry.line <= MAX_LINES,
        LedgerEntry.kind.in_((EntryKind.DELIVERY, EntryKind.WITHDRAWAL, EntryKind.TRANSFER)),
        # A transfer has an entry at each site; the user was at the source.
        (LedgerEntry.kind != EntryKind.TRANSFER) | (LedgerEntry.delta < 0),
    )
    .group_by(Item.id, StockSite.id)
    .order_by(func.max(_LATEST.c.id).desc(), func.min(LedgerEntry.line))
    .limit(bindparam("limit"))
)


MAX_SUGGESTIONS = 100
MAX_RECENT = 3
MIN_OCCURRENCES = {Division.GFM: 2}
"""How often a team must occur to be a choice of the filter."""


def team_counts(division: Division) -> Sequence[tuple[str, int]]:
    """Return the filter's teams and their rows: GPM's own, and plausible ones in one spelling."""
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


def suggest_teams(division: Division) -> Sequence[str]:
    """Return GPM's teams; for GFM the plausible ones of its history, the busiest first."""
    if division is Division.GPM:
        return directory.teams_offered()
    counts = count_teams(load_sites(division))
    teams = sorted(counts, key=lambda team: (-counts[team], team))
    return list(islice(filter(is_plausible_team, teams), MAX_SUGGESTIONS))


def team_names(division: Division) -> Sequence[str]:
    """Return GPM's teams, and all of a division's history."""
    listed = directory.teams_offered() if division is Division.GPM else ()
    return names.merge_names(listed, count_teams(load_sites(division)))


def offer_versions(division: Division) -> Sequence[int]:
    """Return the versions of a division's stock and of the teams, on which all offers depend."""
    return [*list_versions(division), version_of(DirectoryList.TEAMS)]


def recent_teams(division: Division, user_id: int, kind: EntryKind) -> Sequence[str]:
    """Return the still existing teams of a user's last operations, the ones of `kind` first."""
    statement = (
        select(LedgerEntry.team, LedgerEntry.kind)
        .join(_LATEST, _LATEST.c.id == LedgerEntry.operation_id)
        .join(StockSite, StockSite.id == LedgerEntry.site_id)
        .where(
            LedgerEntry.line == 0,
            LedgerEntry.kind.in_([EntryKind.DELIVERY, EntryKind.WITHDRAWAL]),
            LedgerEntry.team != "",
            # The product itself records entries with a reason, such as the receipt of a delivery.
            LedgerEntry.reason == "",
            StockSite.division == division,
        )
        .order_by(LedgerEntry.operation_id.desc())
    )
    rows = db.session.execute(statement, {"user_id": user_id})
    recorded = sorted(rows, key=lambda row: row.kind is not kind)
    teams = {names.key(row.team): row.team for row in reversed(recorded)}
    order = dict.fromkeys(names.key(row.team) for row in recorded)
    if order and division is Division.GPM:
        teams = {names.key(team): team for team in directory.teams_offered()}
    return [teams[key] for key in order if key in teams][:MAX_RECENT]
