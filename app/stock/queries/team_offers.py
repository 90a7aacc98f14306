"""The teams in forms of stock, a division's and a user's recent ones, and in filters."""

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from sqlalchemy import select

from app import names
from app.db import db
from app.directory import queries as directory
from app.directory.rules import DirectoryList
from app.divisions import Division
from app.stock.models import LedgerEntry, StockOperation, StockSite
from app.stock.queries.history import list_versions
from app.stock.queries.history_scope import count_teams, load_sites
from app.stock.rules.history import is_plausible_team
from app.stock.rules.items import EntryKind
from app.versions import version_of

MAX_SUGGESTIONS = 100
MAX_RECENT = 3
OPERATIONS_READ = 50
"""Among how many of a user's last operations recent teams are looked for."""

MIN_OCCURRENCES = {Division.GFM: 2}
"""How often a team must occur to be a choice of the filter."""


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


def suggest_teams(division: Division) -> Sequence[str]:
    """Return GPM's teams; for GFM the plausible ones of its history, the busiest first."""
    if division is Division.GPM:
        return directory.teams_offered()
    counts = count_teams(load_sites(division))
    teams = sorted(counts, key=lambda team: (-counts[team], team))
    return list(islice(filter(is_plausible_team, teams), MAX_SUGGESTIONS))


def versions(division: Division) -> Sequence[int]:
    """Return the versions of a division's stock and of the teams, on which all offers depend."""
    return [*list_versions(division), version_of(DirectoryList.TEAMS)]


def recent_teams(division: Division, user_id: int, kind: EntryKind) -> Sequence[str]:
    """Return the teams of a user's last operations that still exist, first those of `kind`."""
    recorded = sorted(_recorded_teams(division, user_id), key=lambda row: row[1] is not kind)
    teams = {names.key(team): team for team, _ in reversed(recorded)}
    order = dict.fromkeys(names.key(team) for team, _ in recorded)
    if order and division is Division.GPM:
        teams = {names.key(team): team for team in directory.teams_offered()}
    return [teams[key] for key in order if key in teams][:MAX_RECENT]


def _recorded_teams(division: Division, user_id: int) -> Sequence[tuple[str, EntryKind]]:
    last = (
        select(StockOperation.id)
        .where(StockOperation.user_id == user_id)
        .order_by(StockOperation.id.desc())
        .limit(OPERATIONS_READ)
        .subquery()
    )
    statement = (
        select(LedgerEntry.team, LedgerEntry.kind)
        .join(last, last.c.id == LedgerEntry.operation_id)
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
    return [(row.team, row.kind) for row in db.session.execute(statement)]
