"""Reads how assets moved."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.orm import aliased

from app import dates, day_counts, names
from app.accounts import queries as accounts
from app.assets.models import Asset, AssetMove
from app.assets.queries.move_filters import SORTED_BY, MoveFilters, conditions_of
from app.assets.rules import MOVE_ORDERS
from app.day_counts import CountedList, Days, count_by_london_day
from app.db import db, stream_columns
from app.errors import NotFound
from app.lists import batches, rows_with
from app.paging import Page, Part, load_page
from app.search import distinct_values, find_matches
from app.sorted_rows import sorted_part
from app.sorting import SortOrder
from app.sums import count_matches

LIST = "assets-history"
"""The name of the history's data version."""

ROWS_PER_PAGE = 25

_UNDO = aliased(AssetMove)

COUNTED = CountedList("asset moves", lambda: count_by_london_day(AssetMove.at))
"""The moves, counted by day."""


class NoSuchMove(NotFound):
    """The move doesn't exist."""

    def __init__(self) -> None:
        super().__init__("There is no such move.")


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


def move_page(
    filters: MoveFilters, page: int = 1, order: SortOrder = MOVE_ORDERS.default
) -> Page[Move]:
    """Return a page of the filtered moves; a page beyond the last is the last.

    The number of moves is exact unless they are searched, or filtered by location or user.
    """
    find = _found_part if _needs_rows(filters) else _part_by_day
    part = find(filters, newest_first=order != MOVE_ORDERS.default.reversed())
    usable = MOVE_ORDERS.usable(order, part.total)
    if usable.by != MOVE_ORDERS.default.by:
        part = _sorted_part(filters, usable, part.total)
    return load_page(page, total=part.total, per_page=ROWS_PER_PAGE, load=part.load)


def asset_move_page(asset_key: str, page: int = 1) -> Page[Move]:
    """Return a page of the moves of one asset."""
    of_asset = AssetMove.asset_key == asset_key
    statement = _select_moves([of_asset])
    return load_page(
        page,
        total=count_matches(select(AssetMove.id).where(of_asset)),
        per_page=ROWS_PER_PAGE,
        load=lambda limit, offset: _load(statement.limit(limit).offset(offset)),
    )


def move_count() -> int:
    """Return the number of moves."""
    return day_counts.totals(Days([COUNTED.name]))[0]


def moves_by_day(start: date, end: date) -> Mapping[date, int]:
    """Return the number of moves by London day, both days included."""
    return day_counts.by_day(Days([COUNTED.name], start, end))


def stream_moves(filters: MoveFilters) -> Iterator[Move]:
    """Stream the filtered moves, newest first, in a session of their own."""
    return stream_matching(conditions_of(filters))


def stream_matching(conditions: Sequence[ColumnElement[bool]]) -> Iterator[Move]:
    """Stream the moves that meet conditions, newest first, in a session of their own."""
    users = _movers()
    return (_move(row, users) for row in stream_columns(_select_moves(conditions)))


def latest_moves(limit: int) -> Sequence[Move]:
    """Return the newest moves."""
    return _load(_select_moves([]).limit(limit))


def moves_of(rows: Sequence[AssetMove]) -> Sequence[Move]:
    """Return moves with what their rows show, in their order."""
    found = _load(_select_moves([AssetMove.id.in_([row.id for row in rows])])) if rows else ()
    by_id = {move.id: move for move in found}
    return [by_id[row.id] for row in rows if row.id in by_id]


def last_move_by_asset(asset_keys: Sequence[str]) -> dict[str, AssetMove]:
    """Return the last move of each of these assets that has moved, by key."""
    found: dict[str, AssetMove] = {}
    for keys in batches(asset_keys):
        rank = func.row_number().over(
            partition_by=AssetMove.asset_key, order_by=(AssetMove.at.desc(), AssetMove.id.desc())
        )
        ranked = (
            select(AssetMove.id, rank.label("rank")).where(AssetMove.asset_key.in_(keys)).subquery()
        )
        last = select(ranked.c.id).where(ranked.c.rank == 1)
        statement = select(AssetMove).where(AssetMove.id.in_(last))
        found |= {move.asset_key: move for move in db.session.execute(statement).scalars()}
    return found


def get_move(move_id: int) -> AssetMove:
    """Return a move; raises NoSuchMove."""
    move = db.session.get(AssetMove, move_id)
    if move is None:
        raise NoSuchMove
    return move


def moves_made_with(move_id: int) -> Sequence[AssetMove]:
    """Return a move and the others made together with it; raises NoSuchMove."""
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
        .order_by(AssetMove.at.desc(), AssetMove.id.desc())
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


def _needs_rows(filters: MoveFilters) -> bool:
    """Return whether filters match moves by more than their day."""
    return bool(filters.search.strip() or filters.location or filters.who)


def _found_part(filters: MoveFilters, *, newest_first: bool) -> Part[Move]:
    found = find_matches(
        _select_moves([], newest_first=newest_first),
        AssetMove.id,
        lambda by_row: conditions_of(filters, by_row=by_row),
    )
    return Part(found.total, lambda limit, offset: _load(found.part(limit, offset)))


def _sorted_part(filters: MoveFilters, order: SortOrder, total: int) -> Part[Move]:
    values = _select_moves(conditions_of(filters)).with_only_columns(
        AssetMove.id, *SORTED_BY[order.by]
    )
    return sorted_part(
        total, values, order, lambda ids: _load(_select_moves([AssetMove.id.in_(ids)]))
    )


def _part_by_day(filters: MoveFilters, *, newest_first: bool) -> Part[Move]:
    """Return the moves of some days; their day leads to the far ones."""
    days = Days([COUNTED.name], filters.start, filters.end)

    def load(limit: int, offset: int) -> Sequence[Move]:
        conditions = conditions_of(filters)
        position = day_counts.position(offset, days, newest_first=newest_first) if offset else None
        if position:
            day = position.day
            conditions.append(
                AssetMove.at < dates.end_of_day(day)
                if newest_first
                else AssetMove.at >= dates.start_of_day(day)
            )
        statement = _select_moves(conditions, newest_first=newest_first)
        return _load(statement.limit(limit).offset(position.offset if position else 0))

    return Part(day_counts.totals(days)[0], load)


def _select_moves(
    conditions: Sequence[ColumnElement[bool]], *, newest_first: bool = True
) -> Select[*tuple[Any, ...]]:
    order = (AssetMove.at, AssetMove.id)
    return (
        select(
            AssetMove.id,
            AssetMove.at,
            AssetMove.asset_id,
            Asset.id.label("number"),
            AssetMove.item,
            AssetMove.start_position,
            AssetMove.end_position,
            AssetMove.user_id,
        )
        .outerjoin(Asset, Asset.asset_key == AssetMove.asset_key)
        .where(*conditions)
        .order_by(*(column.desc() for column in order) if newest_first else order)
    )


def _load(statement: Select[*tuple[Any, ...]]) -> Sequence[Move]:
    undo = select(_UNDO.id).where(_UNDO.undoes_id == AssetMove.id).scalar_subquery()
    with_state = statement.add_columns(
        AssetMove.undoes_id.is_not(None).label("is_undo"),
        undo.is_not(None).label("is_undone"),
        (Asset.location_key == AssetMove.end_key).label("is_at_end"),
    )
    rows = db.session.execute(with_state).all()
    users = accounts.usernames(row.user_id for row in rows)
    return [
        replace(
            _move(row, users),
            is_undo=row.is_undo,
            is_undone=row.is_undone,
            is_undoable=bool(row.is_at_end) and not row.is_undone,
        )
        for row in rows
    ]


def _move(row: Any, users: Mapping[int | None, str]) -> Move:
    return Move(
        id=row.id,
        at=row.at,
        asset_id=row.asset_id,
        number=row.number,
        item=row.item,
        start_position=row.start_position,
        end_position=row.end_position,
        who=users[row.user_id],
    )


def _movers() -> Mapping[int | None, str]:
    users = distinct_values(AssetMove.user_id, AssetMove.user_id > 0)
    statement = select(users.c.value).where(users.c.value.is_not(None))
    return accounts.usernames(db.session.execute(statement).scalars().all())
