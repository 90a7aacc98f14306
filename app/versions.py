"""Data versions: a number per list, another one after every change of what it holds."""

from sqlalchemy import String, select, update
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, db


class DataVersion(Base):
    """The version of one list; migrations make the rows."""

    __tablename__ = "data_version"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    version: Mapped[int] = mapped_column(default=0)


def version_of(name: str) -> int:
    """Return a list's version, for ETags."""
    return db.session.execute(select(DataVersion.version).filter_by(name=name)).scalar_one()


def locked_version(name: str) -> int:
    """Return a list's version, held until the transaction ends: nobody else can raise it."""
    return db.session.execute(
        select(DataVersion.version).filter_by(name=name).with_for_update()
    ).scalar_one()


def raise_version(name: str) -> None:
    """Note that a list has changed; lists wait for each other, so do it last."""
    db.session.execute(
        update(DataVersion).filter_by(name=name).values(version=DataVersion.version + 1)
    )
