"""Reads of the directory."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import Select, func, select, tuple_
from sqlalchemy.exc import SQLAlchemyError

from app import names
from app.accounts import queries as accounts
from app.db import db, stream_rows
from app.directory.models import NAMED, Key, KeyChange, Named, Service, Team
from app.directory.rules import Kind, holds_words
from app.errors import NotFound
from app.paging import clamp_page

ROWS_PER_PAGE = 100
CHANGES_PER_PAGE = 50

log = logging.getLogger(__name__)

Row = TypeVar("Row")


@dataclass(frozen=True)
class ListPage(Generic[Row]):
    """Some rows of a list, with what there is in all."""

    rows: Sequence[Row]
    page: int
    pages: int
    total: int


@dataclass(frozen=True)
class Handover:
    """A key that changed hands; `who` noted it, '' for the terminal."""

    id: int
    label: str
    holder_before: str
    holder: str
    at: datetime
    who: str


def team_names() -> Sequence[str]:
    """Return the names of GPM's teams, in the order of their keys."""
    return db.session.execute(select(Team.name).order_by(Team.name_key)).scalars().all()


def supplier_names() -> Sequence[str]:
    """Return the names of GPM's suppliers, in the order of their keys."""
    return [row.name for row in entries(Kind.SUPPLIERS)]


def readable_teams() -> Sequence[str] | None:
    """Return the names of GPM's teams, or log why they can't be read and return None (seed §7).

    Work goes on without them, so the failure must not end the transaction it happens in.
    """
    try:
        with db.session.begin_nested():
            return team_names()
    except SQLAlchemyError:
        log.exception("Failed to load teams")
        return None


def teams_offered() -> Sequence[str]:
    """Return the teams that a field offers, none where they can't be read."""
    return readable_teams() or []


def entries(kind: Kind) -> Sequence[Named]:
    """Return all teams, suppliers or services, in the order of their keys."""
    model = NAMED[kind]
    return db.session.execute(select(model).order_by(model.name_key)).scalars().all()


def entries_after(kind: Kind, key: str, limit: int) -> Sequence[Named]:
    """Return up to `limit` teams, suppliers or services whose key follows `key`."""
    model = NAMED[kind]
    statement = select(model).where(model.name_key > key).order_by(model.name_key).limit(limit)
    return db.session.execute(statement).scalars().all()


def entry_named(kind: Kind, name: str) -> Named | None:
    """Return the team, supplier or service of this name."""
    statement = select(NAMED[kind]).filter_by(name_key=names.key(name))
    return db.session.execute(statement).scalar_one_or_none()


def services_page(search: str, page: int) -> ListPage[Service]:
    """Return a page of the services that hold all words of a search."""
    services = db.session.execute(select(Service).order_by(Service.name_key)).scalars()
    found = [s for s in services if holds_words(search, (s.name, s.description))]
    return _page(found, page)


def all_keys() -> Sequence[Key]:
    """Return all keys, in the order of their labels."""
    return db.session.execute(select(Key).order_by(Key.label_key)).scalars().all()


def keys_after(label_key: str, limit: int) -> Sequence[Key]:
    """Return up to `limit` keys whose label's key follows `label_key`."""
    statement = select(Key).where(Key.label_key > label_key).order_by(Key.label_key).limit(limit)
    return db.session.execute(statement).scalars().all()


def keys_page(search: str, page: int) -> ListPage[Key]:
    """Return a page of the keys that hold all words of a search."""
    found = [k for k in all_keys() if holds_words(search, (k.code, k.name, k.holder, k.notes))]
    return _page(found, page)


def key(key_id: int) -> Key:
    """Return a key; raises NotFound."""
    found = db.session.get(Key, key_id)
    if found is None:
        raise NotFound("There is no such key.")
    return found


def key_labelled(label: str) -> Key | None:
    """Return the key of this code, or of this name where it has no code."""
    statement = select(Key).filter_by(label_key=names.key(label))
    return db.session.execute(statement).scalar_one_or_none()


def handovers_page(label_key: str, page: int) -> ListPage[Handover]:
    """Return a page of one key's handovers, newest first."""
    of_key = KeyChange.label_key == label_key
    total = db.session.execute(select(func.count()).where(of_key)).scalar_one()
    page, pages = clamp_page(page, total=total, per_page=CHANGES_PER_PAGE)
    statement = _newest_first().where(of_key)
    statement = statement.limit(CHANGES_PER_PAGE).offset((page - 1) * CHANGES_PER_PAGE)
    return ListPage(_handovers(statement), page, pages, total)


def handovers_part(limit: int, before: int = 0) -> Sequence[Handover]:
    """Return up to `limit` handovers, newest first, that come after the one with id `before`."""
    statement = _newest_first().limit(limit)
    if before:
        last = select(KeyChange.at).filter_by(id=before).scalar_subquery()
        statement = statement.where(tuple_(KeyChange.at, KeyChange.id) < tuple_(last, before))
    return _handovers(statement)


def all_handovers() -> Iterator[Handover]:
    """Stream all handovers, newest first."""
    by = db.session.execute(select(KeyChange.user_id).distinct()).scalars()
    users = accounts.usernames(user_id for user_id in by if user_id is not None)
    return (_handover(row, users) for row in stream_rows(_newest_first()))


def holder_at(label_key: str, moment: datetime) -> str:
    """Return who held a key at a moment, as its history says; '' for nobody."""
    statement = _newest_first().where(KeyChange.label_key == label_key, KeyChange.at <= moment)
    last = db.session.execute(statement.limit(1)).scalar_one_or_none()
    return last.holder if last else ""


def _page(found: Sequence[Row], page: int) -> ListPage[Row]:
    page, pages = clamp_page(page, total=len(found), per_page=ROWS_PER_PAGE)
    first = (page - 1) * ROWS_PER_PAGE
    return ListPage(found[first : first + ROWS_PER_PAGE], page, pages, len(found))


def _newest_first() -> Select[KeyChange]:
    return select(KeyChange).order_by(KeyChange.at.desc(), KeyChange.id.desc())


def _handovers(statement: Select[KeyChange]) -> Sequence[Handover]:
    found = db.session.execute(statement).all()
    users = accounts.usernames({row[0].user_id for row in found if row[0].user_id is not None})
    return [_handover(row, users) for row in found]


def _handover(row: Any, users: dict[int, str]) -> Handover:
    change: KeyChange = row[0]
    return Handover(
        id=change.id,
        label=change.label,
        holder_before=change.holder_before,
        holder=change.holder,
        at=change.at,
        who=users.get(change.user_id or 0, ""),
    )
