"""Data versions: a number for each list that changes whenever the list does.

A worker keeps values computed from a whole list until the list's version changes.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from threading import Lock
from typing import NoReturn, TypeVar, cast
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from sqlalchemy import String, bindparam, select, update
from sqlalchemy.orm import Mapped, SessionTransaction, mapped_column

from app.db import Base, db
from app.engines import losses
from app.errors import PreconditionFailed, PreconditionRequired

MAX_VALUES = 200

Value = TypeVar("Value")

_values: LRUCache[Hashable, object] = LRUCache(MAX_VALUES)
_lock = Lock()


class DataVersion(Base):
    """The version of one list; migrations insert the rows."""

    __tablename__ = "data_version"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    version: Mapped[int] = mapped_column(default=0)


# Built once: most requests begin with it.
_VERSIONS = select(DataVersion.name, DataVersion.version).where(
    DataVersion.name.in_(bindparam("names", expanding=True))
)

_read: WeakKeyDictionary[SessionTransaction, dict[str, int]] = WeakKeyDictionary()
"""The versions that each transaction has read."""


def version_of(name: str, *, locks: bool = False) -> int:
    """Return the version of a list, for ETags; `locks` it until the transaction ends."""
    return lock_version(name) if locks else versions_of([name])[0]


def versions_of(names: Collection[str]) -> Sequence[int]:
    """Return the versions of several lists, ordered by name; a transaction reads each once."""
    versions = _read_before()
    if missing := [name for name in names if name not in versions]:
        rows = db.session.execute(_VERSIONS, {"names": missing}).all()
        # The statement has begun the transaction, if nothing had.
        versions = _read_before()
        versions.update((name, version) for name, version in rows)
    return [versions[name] for name in sorted(names)]


def lock_version(name: str) -> int:
    """Lock the version of a list until the transaction ends, and return it."""
    _read_before().pop(name, None)
    return db.session.execute(
        select(DataVersion.version).filter_by(name=name).with_for_update()
    ).scalar_one()


def increment_version(name: str) -> None:
    """Give a list a new version. Do it last: transactions wait for each other here."""
    db.session.execute(
        update(DataVersion).filter_by(name=name).values(version=DataVersion.version + 1)
    )
    _read_before().pop(name, None)


def _read_before() -> dict[str, int]:
    current = db.session().get_transaction()
    return {} if current is None else _read.setdefault(current, {})


def check_version(expected: Collection[int] | None, version: int, *, is_empty: bool) -> None:
    """Check that a list has a version that its replacement is based on.

    `expected` are the versions in If-Match, None without the header; only an empty list needs none.
    Raises PreconditionRequired without the header, and PreconditionFailed for another version.
    """
    if expected is None and not is_empty:
        raise PreconditionRequired("Send If-Match with the ETag of the list that this replaces.")
    if expected is not None and version not in expected:
        refuse_stale_list()


def refuse_stale_list() -> NoReturn:
    """Raise PreconditionFailed: the list has changed since the caller read it."""
    raise PreconditionFailed("The list has changed since. Load it again.")


def cached(version: Hashable, compute: Callable[[], Value], *arguments: Hashable) -> Value:
    """Return a value that `compute` has returned for this version and these arguments.

    The caller has read `version` from the database in this transaction, before the value: it names
    the list and changes with it. The first of the arguments is the value's own name.
    """
    key = (str(db.engine.url), losses(db.engine), version, *arguments)
    with _lock:
        if key in _values:
            return cast(Value, _values[key])
    value = compute()
    with _lock:
        _values[key] = value
    return value


def forget_values() -> None:
    """Empty the cache, as a test does when it replaces the database."""
    with _lock:
        _values.clear()
