"""Reads of the directory."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.exc import SQLAlchemyError

from app import names
from app.accounts import queries as accounts
from app.db import db, stream_rows
from app.directory.models import ENTRY_MODELS, Key, KeyChange, NamedEntry, Supplier, Team
from app.directory.rules import DirectoryList, current_holders, is_same_name
from app.errors import existing
from app.names import merge_names

RECENT_HANDOVERS = 50
"""Among how many handovers the last holders are looked for."""

log = logging.getLogger(__name__)


class Handover(NamedTuple):
    """A handover of a key; `username` is '' when it was made from the terminal."""

    id: int
    label: str
    holder_before: str
    holder: str
    at: datetime
    username: str


def team_names() -> Sequence[str]:
    """Return the names of GPM's teams, in the order of their keys."""
    return db.session.execute(select(Team.name).order_by(Team.name_key)).scalars().all()


def supplier_names() -> Sequence[str]:
    """Return the names of GPM's suppliers, in the order of their keys."""
    return [row.name for row in entries(DirectoryList.SUPPLIERS)]


def lead_days() -> Mapping[str, int]:
    """Return the days until deliveries of suppliers that have them, by the keys of their names."""
    statement = select(Supplier.name_key, Supplier.lead_days).where(Supplier.lead_days.is_not(None))
    return {row.name_key: row.lead_days for row in db.session.execute(statement)}


def readable_teams() -> Sequence[str] | None:
    """Return the names of GPM's teams, or log the reason of a failure and return None.

    The failure doesn't end its transaction, so that the page goes on without them.
    """
    try:
        with db.session.begin_nested():
            return team_names()
    except SQLAlchemyError:
        log.exception("Failed to load teams")
        return None


def teams_offered() -> Sequence[str]:
    """Return the teams that a field offers, none if they can't be read."""
    return readable_teams() or []


def entries(list_name: DirectoryList) -> Sequence[NamedEntry]:
    """Return all teams, suppliers or services, in the order of their keys."""
    model = ENTRY_MODELS[list_name]
    return db.session.execute(select(model).order_by(model.name_key)).scalars().all()


def all_keys() -> Sequence[Key]:
    """Return all keys, in the order of their labels."""
    return db.session.execute(select(Key).order_by(Key.label_key)).scalars().all()


def key(key_id: int) -> Key:
    """Return a key; raises NotFound."""
    return existing(db.session.get(Key, key_id), "There is no such key. Load the list again.")


def key_labelled(label: str) -> Key | None:
    """Return the key with this code, or with this name if it has no code."""
    statement = select(Key).filter_by(label_key=names.key(label))
    return db.session.execute(statement).scalar_one_or_none()


def handovers_of(changes: Sequence[KeyChange]) -> Sequence[Handover]:
    """Return handovers with the names of who made them."""
    users = accounts.usernames(change.user_id for change in changes)
    return [_handover(change, users) for change in changes]


def stream_handovers(conditions: Sequence[ColumnElement[bool]] = ()) -> Iterator[Handover]:
    """Stream the handovers that meet conditions, newest first."""
    users = accounts.usernames(db.session.execute(select(KeyChange.user_id).distinct()).scalars())
    rows = stream_rows(_newest_first().where(*conditions))
    return (_handover(change, users) for (change,) in rows)


def recent_holders(limit: int, *, except_for: str) -> Sequence[str]:
    """Return the last holders of any keys, except for one, the latest first.

    A team that was renamed is among them by its name in the directory, not by its former one.
    """
    columns = (KeyChange.label_key, KeyChange.holder_before, KeyChange.holder)
    latest = _newest_first().with_only_columns(*columns).limit(RECENT_HANDOVERS)
    changes = db.session.execute(latest).all()
    labels = {label_key for label_key, _, _ in changes}
    keys = select(Key.label_key, Key.holder).where(Key.label_key.in_(labels))
    now = {row.label_key: row.holder for row in db.session.execute(keys)}
    holders = merge_names(current_holders(changes, now, teams=teams_offered()), ())
    return [holder for holder in holders if not is_same_name(holder, except_for)][:limit]


def holder_names() -> Sequence[str]:
    """Return the holders of the last handovers, and GPM's teams."""
    return merge_names(recent_holders(RECENT_HANDOVERS, except_for=""), teams_offered())


def holder_at(label_key: str, moment: datetime) -> str:
    """Return the holder of a key at a moment by its history; '' for nobody."""
    statement = _newest_first().where(KeyChange.label_key == label_key, KeyChange.at <= moment)
    last = db.session.execute(statement.limit(1)).scalar_one_or_none()
    return last.holder if last else ""


def _newest_first() -> Select[KeyChange]:
    return select(KeyChange).order_by(KeyChange.at.desc(), KeyChange.id.desc())


def _handover(change: KeyChange, users: Mapping[int | None, str]) -> Handover:
    values = (change.id, change.label, change.holder_before, change.holder, change.at)
    return Handover(*values, users[change.user_id])
