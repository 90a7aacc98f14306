"""Exactly once: a change that is sent again under its key has no second effect."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column
from sqlalchemy.sql.dml import ReturningInsert

from app import dates
from app.db import Base, UtcDateTime, db, execute, insert_function, partial_index, table_of
from app.errors import Conflict, ErrorCode, Invalid
from app.logs import current_entry

KEY_LIFETIME = timedelta(days=7)
MAX_KEY_LENGTH = 100


class Storable(Protocol):
    """The result of a change, the source of its reply, now and in a replay.

    A frozen dataclass of values that JSON can hold. A new field needs a default, so that results
    stored earlier can be replayed. If that isn't enough, define `record_version`, higher than
    before, and `upgrade_record(version, values)`, a class method that returns today's values for an
    earlier version's; results stored without a version are of version 0.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]


Result = TypeVar("Result", bound=Storable)

_FIRST_VERSION = 1


class KeyReused(Invalid):
    """The key was already used for another body."""

    code = ErrorCode.KEY_REUSED
    message = "This was saved with other values. Check it before you save again."


class AlreadyMade(Conflict):
    """The change was made under this key so long ago that its reply isn't known any more."""

    code = ErrorCode.ALREADY_MADE

    def __init__(self, at: datetime) -> None:
        day = dates.short_day(dates.london_day(at))
        super().__init__(f"This was already saved on {day}. Nothing was booked again.")


class IdempotencyKey(Base):
    """A change that took effect, with the stored record from which its reply is made."""

    __tablename__ = "idempotency_key"
    __table_args__ = (sa.UniqueConstraint("user_id", "call", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(sa.ForeignKey("user_account.id"))
    call: Mapped[str] = mapped_column(sa.String(300))
    key: Mapped[str] = mapped_column(sa.String(MAX_KEY_LENGTH))
    digest: Mapped[str] = mapped_column(sa.String(64))
    result: Mapped[dict[str, Any] | None] = mapped_column(sa.JSON)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


_KEYS = table_of(IdempotencyKey)
_STORE_RESULT = sa.update(_KEYS).where(_KEYS.c.id == sa.bindparam("key_id"))


@dataclass(frozen=True)
class Submission:
    """One sending of a change: its user, its call, its key and its body."""

    user_id: int
    call: str
    key: str
    body: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        """Return a hash of the body."""
        return hashlib.sha256(json.dumps(sorted(self.body)).encode()).hexdigest()

    @property
    def client_key(self) -> str:
        """Return the permanent identifier among its user's submissions: a hash of call and key."""
        return hashlib.sha256(json.dumps([self.call, self.key]).encode()).hexdigest()


@dataclass(frozen=True)
class Stamp:
    """The parts of a submission that its record keeps, each None if absent.

    `client_digest` is the hash of its body, by which another body under the same key is recognised.
    `made_at` is when a person made a change that waited before it was sent.
    """

    client_key: str | None = None
    client_digest: str | None = None
    made_at: datetime | None = None


UNSTAMPED = Stamp()

_MADE: list[sa.Select[int, str | None, datetime]] = []
"""The statements that find a record by its user and client key, one for each table."""

_REPEATED: list[sa.Select[int, int]] = []
"""The statements that find the users of client keys that made several records, with these."""


def keep_client_keys(
    record_id: InstrumentedAttribute[int],
    user_id: InstrumentedAttribute[int | None],
    client_key: InstrumentedAttribute[str | None],
    client_digest: InstrumentedAttribute[str | None],
    at: InstrumentedAttribute[datetime],
) -> None:
    """Declare a table whose rows keep their client keys; each key makes one row."""
    is_kept = client_key.is_not(None)
    index = f"uq_{record_id.class_.__tablename__}_client_key"
    partial_index(index, user_id, client_key, where=is_kept, unique=True)
    of_key = (user_id == sa.bindparam("user_id"), client_key == sa.bindparam("client_key"))
    made = (record_id.label("id"), client_digest.label("digest"), at.label("at"))
    _MADE.append(sa.select(*made).where(*of_key))
    _REPEATED.append(
        sa.select(sa.func.min(record_id), sa.func.count())
        .where(is_kept)
        .group_by(user_id, client_key)
        .having(sa.func.count() > 1)
    )


def exactly_once(
    submission: Submission, result_type: type[Result], action: Callable[[], Result]
) -> Result:
    """Run an action unless this submission was handled before; return its result either way.

    Call it inside a transaction: the key is inserted first, and is kept only if the effect is.
    Raises KeyReused if the key was used for another body.
    """
    if not 1 <= len(submission.key) <= MAX_KEY_LENGTH:
        raise Invalid("This form is incomplete. Check it and send it again.")
    values = {
        "user_id": submission.user_id,
        "call": submission.call,
        "key": submission.key,
        "digest": submission.digest,
        "created_at": dates.utc_now(),
    }
    key_id = execute(_insert_key(db.engine.dialect.name), values).scalar_one_or_none()
    if key_id is None:
        return cast(Result, find_result(submission, result_type))
    result = action()
    execute(_STORE_RESULT, {"key_id": key_id, "result": dump_record(result)})
    return result


def find_result(submission: Submission, result_type: type[Result]) -> Result | None:
    """Return the stored result of a submission, None for a new one; raises KeyReused."""
    statement = sa.select(IdempotencyKey).filter_by(
        user_id=submission.user_id, call=submission.call, key=submission.key
    )
    row = db.session.execute(statement).scalar_one_or_none()
    if row is None:
        return None
    if row.digest != submission.digest or row.result is None:
        raise KeyReused
    result = restore_record(result_type, row.result)
    current_entry().is_replay = True
    return result


def find_made(
    submission: Submission, rebuild: Callable[[int], Result | None] | None
) -> Result | None:
    """Return the result of a submission by its record, None if it made none.

    So a change that is sent again after its key was deleted has no second effect. `rebuild` returns
    the result by the record's id. Raises KeyReused if another body made the record, and AlreadyMade
    without a result.
    """
    values = {"user_id": submission.user_id, "client_key": submission.client_key}
    made = execute(sa.union_all(*_MADE), values).first()
    if made is None:
        return None
    if made.digest != submission.digest:
        raise KeyReused
    result = rebuild(made.id) if rebuild else None
    if result is None:
        raise AlreadyMade(made.at)
    current_entry().is_replay = True
    return result


def client_key_problems() -> Iterator[str]:
    """Yield the client keys that made several records: their unique index is missing."""
    for statement in _REPEATED:
        table = statement.get_final_froms()[0].description
        for first, number in db.session.execute(statement):
            yield f"The client key of {table} {first} made {number} of them"


def dump_record(record: Storable) -> dict[str, Any]:
    """Return a record as it is stored: its values and its version."""
    version = getattr(record, "record_version", _FIRST_VERSION)
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {"record_version": version, "values": values}


def restore_record(result_type: type[Result], stored: dict[str, Any]) -> Result:
    """Return a stored record as today's type: unknown fields dropped, new ones defaulted."""
    is_versioned = "record_version" in stored
    version = stored["record_version"] if is_versioned else 0
    values = stored["values"] if is_versioned else stored
    upgrade = getattr(result_type, "upgrade_record", None)
    if upgrade is not None and version < getattr(result_type, "record_version", _FIRST_VERSION):
        values = upgrade(version, values)
    names = {field.name for field in fields(result_type)}
    return result_type(**{name: value for name, value in values.items() if name in names})


@cache
def _insert_key(dialect: str) -> ReturningInsert[int]:
    """Return the statement that inserts a key and returns its id, or nothing if the key exists.

    If another transaction is inserting the same key, it waits for the end of that transaction.
    """
    new = insert_function(dialect)(_KEYS).on_conflict_do_nothing(
        index_elements=["user_id", "call", "key"]
    )
    statement: ReturningInsert[int] = new.returning(_KEYS.c.id)
    return statement


def delete_expired_keys() -> None:
    """Delete the keys that are too old to be sent again."""
    db.session.execute(
        sa.delete(IdempotencyKey).where(IdempotencyKey.created_at < dates.utc_now() - KEY_LIFETIME)
    )
