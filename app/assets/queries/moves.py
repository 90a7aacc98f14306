"""How assets moved, as screens, files and calls show it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, false, func, or_, select, tuple_

from app import dates, names
from app.accounts import queries as accounts
from app.assets.models import Asset, AssetMove
from app.assets.rules.assets import DASH, said
from app.db import db, stream_rows
from app.paging import clamp_page

LIST = "assets-history"
"""The data version of the history."""

ROWS_PER_PAGE = 25


@dataclass(frozen=True)
class MoveFilter:
    """What the history shows; both days belong to it, '' and None let everything through.

    `location` is where an asset came from or went to, DASH none; `who` is a user's name, DASH the
    terminal's.
    """

    search: str = ""
    location: str = ""
    who: str = ""
    start: date | None = None
    end: date | None = None

    def __bool__(self) -> bool:
        told = (self.search.strip(), self.location, self.who, self.start, self.end)
        return any(each for each in told)


@dataclass(frozen=True)
class Move:
    """That an asset moved. `who` is '' for the terminal.

    `number` is our own id of the asset, None where it isn't in the register (any more).
    """

    id: int
    at: datetime
    asset_id: str
    number: int | None
    item: str
    start_position: str
    end_position: str
    who: str


@dataclass(frozen=True)
class MovePage:
    """Some moves, newest first."""

    rows: Sequence[Move]
    page: int
    pages: int
    total: int


def move_page(shown: MoveFilter, page: int = 1) -> MovePage:
    """Return a page of the moves that a filter lets through; beyond the last is the last."""
    return _page(_where(shown), page)


def moves_of(asset_key: str, page: int = 1) -> MovePage:
    """Return a page of one asset's moves."""
    return _page([AssetMove.asset_key == asset_key], page)


def move_rows(shown: MoveFilter) -> Iterator[Move]:
    """Stream the moves that a filter lets through, newest first, in a session of their own."""
    users = _movers()
    rows = stream_rows(_columns(_where(shown)))
    return (_move(row, users) for row in rows)


def move_part(limit: int, before: int = 0) -> Sequence[Move]:
    """Return up to `limit` moves, newest first, that come after the one with the id `before`."""
    conditions: list[ColumnElement[bool]] = []
    if before:
        last = select(AssetMove.at).filter_by(id=before).scalar_subquery()
        conditions.append(tuple_(AssetMove.at, AssetMove.id) < tuple_(last, before))
    return _read(_columns(conditions).limit(limit))


def latest_moves(asset_keys: Sequence[str]) -> dict[str, AssetMove]:
    """Return the latest move of each of these assets that has one, by key."""
    found: dict[str, AssetMove] = {}
    for start in range(0, len(asset_keys), 5000):
        place = func.row_number().over(
            partition_by=AssetMove.asset_key, order_by=(AssetMove.at.desc(), AssetMove.id.desc())
        )
        ranked = (
            select(AssetMove.id, place.label("place"))
            .where(AssetMove.asset_key.in_(asset_keys[start : start + 5000]))
            .subquery()
        )
        latest = select(ranked.c.id).where(ranked.c.place == 1)
        statement = select(AssetMove).where(AssetMove.id.in_(latest))
        found |= {move.asset_key: move for move in db.session.execute(statement).scalars()}
    return found


def position_at(asset_key: str, at: datetime) -> str:
    """Return where an asset had gone last by then, '' where that isn't known."""
    statement = (
        select(AssetMove.end_position)
        .where(AssetMove.asset_key == asset_key, AssetMove.at <= at)
        .order_by(AssetMove.at.desc(), AssetMove.id.desc())
        .limit(1)
    )
    return db.session.execute(statement).scalar_one_or_none() or ""


def locations() -> Sequence[str]:
    """Return where assets have come from or gone to, by name."""
    found: dict[str, str] = {}
    for column, key in (
        (AssetMove.start_position, AssetMove.start_key),
        (AssetMove.end_position, AssetMove.end_key),
    ):
        statement = select(key, func.min(column)).where(key != "").group_by(key)
        for name_key, name in db.session.execute(statement):
            found.setdefault(name_key, name)
    return [name for _, name in sorted(found.items())]


def movers() -> Sequence[str]:
    """Return the names of the users who have moved assets."""
    return sorted(_movers().values(), key=names.key)


def _where(shown: MoveFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [
        AssetMove.search_key.contains(word, autoescape=True)
        for word in names.search_words(shown.search)
    ]
    if shown.location:
        key = names.key(said(shown.location))
        conditions.append(or_(AssetMove.start_key == key, AssetMove.end_key == key))
    if shown.who == DASH:
        conditions.append(AssetMove.user_id.is_(None))
    elif shown.who:
        user = accounts.user_named(shown.who)
        conditions.append(AssetMove.user_id == user.id if user else false())
    if shown.start:
        conditions.append(AssetMove.at >= dates.start_of_day(shown.start))
    if shown.end:
        conditions.append(AssetMove.at < dates.end_of_day(shown.end))
    return conditions


def _page(conditions: list[ColumnElement[bool]], page: int) -> MovePage:
    counted = select(func.count()).select_from(AssetMove).where(*conditions)
    total = db.session.execute(counted).scalar_one()
    page, pages = clamp_page(page, total=total, per_page=ROWS_PER_PAGE)
    statement = _columns(conditions).limit(ROWS_PER_PAGE).offset((page - 1) * ROWS_PER_PAGE)
    return MovePage(_read(statement) if total else [], page, pages, total)


def _columns(conditions: list[ColumnElement[bool]]) -> Select[*tuple[Any, ...]]:
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
        .order_by(AssetMove.at.desc(), AssetMove.id.desc())
    )


def _read(statement: Select[*tuple[Any, ...]]) -> Sequence[Move]:
    rows = db.session.execute(statement).all()
    users = accounts.usernames({row.user_id for row in rows if row.user_id is not None})
    return [_move(row, users) for row in rows]


def _move(row: Any, users: Mapping[int, str]) -> Move:
    return Move(
        id=row.id,
        at=row.at,
        asset_id=row.asset_id,
        number=row.number,
        item=row.item,
        start_position=row.start_position,
        end_position=row.end_position,
        who=users.get(row.user_id, ""),
    )


def _movers() -> Mapping[int, str]:
    statement = select(AssetMove.user_id).where(AssetMove.user_id.is_not(None)).distinct()
    return accounts.usernames([by for by in db.session.execute(statement).scalars() if by])
