"""Data versions: a number per list, another one after every change of what it holds."""

from collections.abc import Collection, Sequence
from typing import NoReturn

from sqlalchemy import String, select, update
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, db
from app.errors import PreconditionFailed, PreconditionRequired


class DataVersion(Base):
    """The version of one list; migrations make the rows."""

    __tablename__ = "data_version"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    version: Mapped[int] = mapped_column(default=0)


def version_of(name: str) -> int:
    """Return a list's version, for ETags."""
    return db.session.execute(select(DataVersion.version).filter_by(name=name)).scalar_one()


def versions_of(names: Collection[str]) -> Sequence[int]:
    """Return the versions of several lists, always in the same order."""
    statement = select(DataVersion.version).where(DataVersion.name.in_(names))
    return db.session.execute(statement.order_by(DataVersion.name)).scalars().all()


def lock_version(name: str) -> int:
    """Return a list's version, held until the transaction ends: nobody else can raise it."""
    return db.session.execute(
        select(DataVersion.version).filter_by(name=name).with_for_update()
    ).scalar_one()


def increment_version(name: str) -> None:
    """Note that a list has changed; lists wait for each other, so do it last."""
    db.session.execute(
        update(DataVersion).filter_by(name=name).values(version=DataVersion.version + 1)
    )


def check_version(seen: Collection[int] | None, version: int, *, is_empty: bool) -> None:
    """Check that who replaces a list has seen it as it is; nobody needs to have seen an empty one.

    `seen` are the versions that If-Match names, None without it. Raises PreconditionRequired and
    PreconditionFailed.
    """
    if seen is None and not is_empty:
        raise PreconditionRequired("Send If-Match with the ETag of the list that this replaces.")
    if seen is not None and version not in seen:
        refuse_stale_list()


def refuse_stale_list() -> NoReturn:
    """Refuse to replace a list that is another one now."""
    raise PreconditionFailed("The list has changed since. Load it again.")
