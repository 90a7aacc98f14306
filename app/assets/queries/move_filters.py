"""Filters and events of moves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, false, func, or_, select

from app import dates, names
from app.accounts import queries as accounts
from app.assets.models import AssetMove
from app.assets.rules import NO_VALUE, empty_if_dash
from app.db import db
from app.divisions import Division
from app.events import queries as events
from app.search import contains_words, without_index

SORTED_BY: Mapping[str, Sequence[Any]] = {
    "date": [AssetMove.at],
    "asset": [AssetMove.item],
    "from": [AssetMove.start_position],
    "to": [AssetMove.end_position],
    "who": [accounts.username_of(AssetMove.user_id)],
}
"""What moves are sorted by, by the names of MOVE_ORDERS."""


@dataclass(frozen=True)
class MoveFilters:
    """The filters of the history; both days are included, '' and None don't filter.

    `location` is the start or the end of a move, NO_VALUE none. `who` is a user name, NO_VALUE the
    terminal.
    """

    search: str = ""
    location: str = ""
    who: str = ""
    start: date | None = None
    end: date | None = None

    def __bool__(self) -> bool:
        return any((self.search.strip(), self.location, self.who, self.start, self.end))


def conditions_of(filters: MoveFilters, *, by_row: bool = False) -> list[ColumnElement[bool]]:
    """Return the conditions of the moves that match; `by_row` tests each without an index."""
    conditions = contains_words(AssetMove.search_key, filters.search, by_row=by_row)
    if filters.location:
        conditions += is_at(filters.location, by_row)
    if filters.who:
        conditions += is_by(filters.who)
    if filters.start:
        conditions.append(AssetMove.at >= dates.start_of_day(filters.start))
    if filters.end:
        conditions.append(AssetMove.at < dates.end_of_day(filters.end))
    return conditions


def is_at(location: str, by_row: bool = False) -> Sequence[ColumnElement[bool]]:
    """Return the conditions of the moves from or to a location, NO_VALUE none."""
    key = names.key(empty_if_dash(location))
    start, end = AssetMove.start_key, AssetMove.end_key
    if by_row:
        return [or_(without_index(start) == key, without_index(end) == key)]
    return [or_(start == key, end == key)]


def is_by(who: str, _by_row: bool = False) -> Sequence[ColumnElement[bool]]:
    """Return the conditions of the moves by a user name, NO_VALUE the terminal."""
    if who == NO_VALUE:
        return [AssetMove.user_id.is_(None)]
    user = accounts.user_named(who)
    return [AssetMove.user_id == user.id if user else false()]


def moves_without_event(since: datetime) -> Iterator[int]:
    """Stream the ids of the moves since a time that no event has.

    Moves made together have the event of the first; others are listed in theirs
    (`record_register_event`). A byte for each move notes whether it has one.
    """
    last = db.session.execute(select(func.max(AssetMove.id))).scalar() or 0
    has_event = bytearray(last + 1)
    for subject_kind, subject_id, after in events.recorded_values(Division.ASSETS):
        if subject_kind == "asset_move":
            has_event[int(subject_id)] = True
        for first, end in after.get("moves", ()):
            has_event[first : end + 1] = bytes([True]) * (end + 1 - first)
    statement = (
        select(AssetMove.id, func.coalesce(AssetMove.first_id, AssetMove.id))
        .where(AssetMove.at >= since)
        .order_by(AssetMove.id)
    )
    for move, first in db.session.execute(statement.execution_options(yield_per=1000)):
        if not has_event[move] and not has_event[first]:
            yield move
