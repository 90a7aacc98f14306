"""Data versions: a number for each list that changes whenever the list does."""

from collections.abc import Collection, Sequence
from typing import NoReturn

from sqlalchemy import String, select, update
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, db
from app.errors import PreconditionFailed, PreconditionRequired


class DataVersion(Base):
    """The version of one list; migrations insert the rows."""

    __tablename__ = "data_version"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    version: Mapped[int] = mapped_column(default=0)


def version_of(name: str) -> int:
    """Return the version of a list, for ETags."""
    return db.session.execute(select(DataVersion.version).filter_by(name=name)).scalar_one()


def versions_of(names: Collection[str]) -> Sequence[int]:
    """Return the versions of several lists, ordered by their names."""
    statement = select(DataVersion.version).where(DataVersion.name.in_(names))
    return db.session.execute(statement.order_by(DataVersion.name)).scalars().all()


def lock_version(name: str) -> int:
    """Lock the version of a list until the transaction ends, and return it."""
    return db.session.execute(
        select(DataVersion.version).filter_by(name=name).with_for_update()
    ).scalar_one()


def increment_version(name: str) -> None:
    """Give a list a new version.

    Transactions wait for each other here, so do it last.
    """
    db.session.execute(
        update(DataVersion).filter_by(name=name).values(version=DataVersion.version + 1)
    )


def check_version(expected: Collection[int] | None, version: int, *, is_empty: bool) -> None:
    """Check that a list has a version that its replacement is based on.

    `expected` are the versions in If-Match, None without that header. Raises
    PreconditionRequired without it unless the list is empty, and PreconditionFailed for another
    version.
    """
    if expected is None and not is_empty:
        raise PreconditionRequired("Send If-Match with the ETag of the list that this replaces.")
    if expected is not None and version not in expected:
        refuse_stale_list()


def refuse_stale_list() -> NoReturn:
    """Raise PreconditionFailed: the list has changed since the caller read it."""
    raise PreconditionFailed("The list has changed since. Load it again.")
