"""Teams, suppliers, services and keys, and who held a key."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text
from app.directory.rules import (
    LONGEST_CODE,
    LONGEST_DESCRIPTION,
    LONGEST_HOLDER,
    LONGEST_NAME,
    LONGEST_NOTES,
    KeyState,
    Kind,
)


class Named(Base):
    """Something that is known by its name; two have never the same key."""

    __abstract__ = True

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(LONGEST_NAME))
    name_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_NAME), unique=True)


class Team(Named):
    """A team of GPM, offered where stock is delivered or withdrawn."""

    __tablename__ = "team"


class Supplier(Named):
    """Who delivers to GPM."""

    __tablename__ = "supplier"


class Service(Named):
    """What GPM does for others."""

    __tablename__ = "service"

    description: Mapped[str] = mapped_column(String(LONGEST_DESCRIPTION), default="")


NAMED: dict[Kind, type[Named]] = {
    Kind.TEAMS: Team,
    Kind.SUPPLIERS: Supplier,
    Kind.SERVICES: Service,
}


class Key(Base):
    """A key to a place; its code, or its name where it has none, tells it from the others.

    `label_key` is made of that. Without a holder it hangs on its hook.
    """

    __tablename__ = "place_key"
    __table_args__: Any = (
        CheckConstraint("code <> '' OR name <> ''", name="has_a_label"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(String(LONGEST_CODE), default="")
    name: Mapped[str] = mapped_column(String(LONGEST_NAME), default="")
    label_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_NAME), unique=True)
    holder: Mapped[str] = mapped_column(String(LONGEST_HOLDER), default="")
    notes: Mapped[str] = mapped_column(String(LONGEST_NOTES), default="")

    @property
    def label(self) -> str:
        """Return what people call it."""
        return self.state.label

    @property
    def state(self) -> KeyState:
        """Return it as the rules see it."""
        return KeyState(self.code, self.name, self.holder, self.notes)


class KeyChange(Base):
    """A key that changed hands; it says what key and holders were called then.

    Without a user it came from the terminal. It outlives its key.
    """

    __tablename__ = "key_change"
    __table_args__ = (Index("ix_key_change_label_key_at", "label_key", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(String(LONGEST_NAME))
    label_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_NAME))
    holder_before: Mapped[str] = mapped_column(String(LONGEST_HOLDER), default="")
    holder: Mapped[str] = mapped_column(String(LONGEST_HOLDER), default="")
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
