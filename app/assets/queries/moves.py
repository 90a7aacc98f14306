"""Reads how assets moved."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.orm import aliased

from app import day_counts, names
from app.accounts import queries as accounts
from app.assets.models import Asset, AssetMove
from app.assets.rules import NO_VALUE, empty_if_dash
from app.charts import BarChart
from app.day_counts import CountedList, Days, activity_chart, count_by_london_day, first_day
from app.db import db, stream_columns
from app.divisions import Division
from app.errors import existing
from app.events import queries as events
from app.lists import batches, rows_with
from app.paging import Page, load_page
from app.search import distinct_values, without_index
from app.sums import count_matches

LIST = "assets-history"
"""The name of the history's data version."""

ROWS_PER_PAGE = 25
RECENT_ROWS = 12

_UNDO = aliased(AssetMove)
_NEWEST_FIRST = (AssetMove.at.desc(), AssetMove.id.desc())
_RANK = (
    func.row_number().over(partition_by=AssetMove.asset_key, order_by=_NEWEST_FIRST).label("rank")
)
"""The place of a move among those of its asset, 1 for the last."""

COUNTED = CountedList("asset moves", lambda: count_by_london_day(AssetMove.at))
"""The moves, counted by day."""


@dataclass(frozen=True)
class Move:
    """A move of an asset. `who` is '' for the terminal.

    `number` is our own number of the asset, None when it isn't in the register. `is_undo` marks the
    undo of another move, `is_undone` an undone move, and `is_undoable` a move whose asset is still
    at its end. An export has none of these.
    """

    id: int
    at: datetime
    asset_id: str
    number: int | None
    item: str
    start_position: str
    end_position: str
    who: str
    is_undo: bool = False
    is_undone: bool = False
    is_undoable: bool = False


def asset_move_page(asset_key: str, page: int = 1) -> Page[Move]:
    """Return a page of the moves of one asset."""
    of_asset = AssetMove.asset_key == asset_key
    statement = _newest_first([of_asset])
    return load_page(
        page,
        total=count_matches(select(AssetMove.id).where(of_asset)),
        per_page=ROWS_PER_PAGE,
        load=lambda limit, offset: load_moves(statement.limit(limit).offset(offset)),
    )


def move_count() -> int:
    """Return the number of moves."""
    return day_counts.totals(Days([COUNTED.name]))[0]


def activity(today: date) -> BarChart:
    """Return the number of moves on each of the last days until today as a chart."""
    counts = day_counts.by_day(Days([COUNTED.name], first_day(today), today))
    return activity_chart(counts, today)


def stream_matching(conditions: Sequence[ColumnElement[bool]]) -> Iterator[Move]:
    """Stream the moves that meet conditions, newest first, in a session of their own."""
    users = _movers()
    return (_move(row, users) for row in stream_columns(_columns(_newest_first(conditions))))


def latest_moves(limit: int = RECENT_ROWS) -> Sequence[Move]:
    """Return the newest moves."""
    return load_moves(_newest_first([]).limit(limit))


def last_move_by_asset(asset_keys: Sequence[str]) -> dict[str, AssetMove]:
    """Return the last move of each of these assets that has moved, by key."""
    found: dict[str, AssetMove] = {}
    for keys in batches(asset_keys):
        of_keys = select(AssetMove.id, _RANK).where(AssetMove.asset_key.in_(keys)).subquery()
        last = select(of_keys.c.id).where(of_keys.c.rank == 1)
        statement = select(AssetMove).where(AssetMove.id.in_(last))
        found |= {move.asset_key: move for move in db.session.execute(statement).scalars()}
    return found


def get_move(move_id: int) -> AssetMove:
    """Return a move; raises NotFound."""
    return existing(db.session.get(AssetMove, move_id), "There is no such move.")


def moves_made_with(move_id: int) -> Sequence[AssetMove]:
    """Return a move and the others made together with it; raises NotFound."""
    first_id = get_move(move_id).first_id or move_id
    is_of_them = or_(AssetMove.id == first_id, AssetMove.first_id == first_id)
    statement = select(AssetMove).where(is_of_them).order_by(AssetMove.id)
    return db.session.execute(statement).scalars().all()


def standing_moves_made_with(move_id: int) -> Sequence[AssetMove]:
    """Return the result of `moves_made_with` without undone moves."""
    moves = moves_made_with(move_id)
    undone = undone_moves([move.id for move in moves])
    return [move for move in moves if move.id not in undone]


def undone_moves(move_ids: Collection[int]) -> set[int]:
    """Return the undone ones of these moves."""
    undone = AssetMove.undoes_id
    return {id_ for (id_,) in rows_with(select(undone), undone, move_ids) if id_ is not None}


def location_at(asset_key: str, at: datetime) -> str:
    """Return the end of an asset's last move until then, '' without such a move."""
    statement = (
        select(AssetMove.end_position)
        .where(AssetMove.asset_key == asset_key, AssetMove.at <= at)
        .order_by(*_NEWEST_FIRST)
        .limit(1)
    )
    return db.session.execute(statement).scalar_one_or_none() or ""


def locations() -> Sequence[str]:
    """Return the locations that assets moved from or to, by name."""
    found: dict[str, str] = {}
    for position, key in (
        (AssetMove.start_position, AssetMove.start_key),
        (AssetMove.end_position, AssetMove.end_key),
    ):
        keys = distinct_values(key, key > "")
        first = select(func.min(position)).where(key == keys.c.value).scalar_subquery()
        statement = select(keys.c.value, first).where(keys.c.value.is_not(None))
        for location_key, location in db.session.execute(statement):
            found.setdefault(location_key, location)
    return [location for _, location in sorted(found.items())]


def movers() -> Sequence[str]:
    """Return the names of the users who have moved assets."""
    return sorted(filter(None, _movers().values()), key=names.key)


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
    return [AssetMove.user_id.in_([user.id] if user else [])]


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


def location_problems() -> Iterator[str]:
    """Yield each asset away from the end of its last move, by time or by when it was recorded.

    An asset that hasn't changed since it was added is left out: it may have been removed and added
    again elsewhere, and its earlier moves are still in the history.
    """
    ranked = select(
        AssetMove.asset_key, AssetMove.end_key, AssetMove.end_position, _RANK
    ).subquery()
    last_recorded = (
        select(AssetMove.end_key)
        .where(AssetMove.asset_key == Asset.asset_key)
        .order_by(AssetMove.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    statement = (
        select(Asset.asset_id, Asset.location, ranked.c.end_position)
        .join(ranked, ranked.c.asset_key == Asset.asset_key)
        .where(
            ranked.c.rank == 1,
            ranked.c.end_key != Asset.location_key,
            last_recorded != Asset.location_key,
            Asset.revision > 0,
        )
        .order_by(Asset.id)
    )
    for asset_id, location, end in db.session.execute(statement):
        yield f'Asset {asset_id} is at "{location}", its last move led to "{end}"'


def _newest_first(conditions: Sequence[ColumnElement[bool]]) -> Select[AssetMove]:
    return select(AssetMove).where(*conditions).order_by(*_NEWEST_FIRST)


def _columns(statement: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return statement.outerjoin(Asset, Asset.asset_key == AssetMove.asset_key).with_only_columns(
        AssetMove.id,
        AssetMove.at,
        AssetMove.asset_id,
        Asset.id.label("number"),
        AssetMove.item,
        AssetMove.start_position,
        AssetMove.end_position,
        AssetMove.user_id,
    )


def load_moves(statement: Select[*tuple[Any, ...]]) -> Sequence[Move]:
    """Return the moves of a statement with what their rows show."""
    undo = select(_UNDO.id).where(_UNDO.undoes_id == AssetMove.id).scalar_subquery()
    with_state = _columns(statement).add_columns(
        AssetMove.undoes_id.is_not(None).label("is_undo"),
        undo.is_not(None).label("is_undone"),
        (Asset.location_key == AssetMove.end_key).label("is_at_end"),
    )
    rows = db.session.execute(with_state).all()
    users = accounts.usernames(row.user_id for row in rows)
    return [
        _move(
            row,
            users,
            is_undo=row.is_undo,
            is_undone=row.is_undone,
            is_undoable=bool(row.is_at_end) and not row.is_undone,
        )
        for row in rows
    ]


def _move(row: Any, users: Mapping[int | None, str], **state: bool) -> Move:
    return Move(
        id=row.id,
        at=row.at,
        asset_id=row.asset_id,
        number=row.number,
        item=row.item,
        start_position=row.start_position,
        end_position=row.end_position,
        who=users[row.user_id],
        **state,
    )


def _movers() -> Mapping[int | None, str]:
    users = distinct_values(AssetMove.user_id, AssetMove.user_id > 0)
    statement = select(users.c.value).where(users.c.value.is_not(None))
    return accounts.usernames(db.session.execute(statement).scalars().all())
