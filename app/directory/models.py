"""Teams, suppliers, services and keys, and the handovers of keys."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app import names
from app.db import Base, UtcDateTime, key_text
from app.directory import rules
from app.directory.rules import NAME, DirectoryList, KeyState
from app.fields import state_of, values_of
from app.search import SearchedText


class NamedEntry(Base):
    """An entry that is identified by its name; the name's key is unique in its list."""

    __abstract__ = True

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME.limit))
    name_key: Mapped[str] = mapped_column(key_text(4 * NAME.limit), unique=True)


class Team(NamedEntry):
    """A team of GPM, offered in deliveries and withdrawals of stock."""

    __tablename__ = "team"


class Supplier(NamedEntry):
    """A supplier; its deliveries come `lead_days` after an order, if that is known."""

    __tablename__ = "supplier"

    lead_days: Mapped[int | None]


class Service(SearchedText, NamedEntry):
    """A service that GPM offers."""

    __tablename__ = "service"

    description: Mapped[str] = mapped_column(String(rules.DESCRIPTION.limit), default="")

    @property
    def searched_texts(self) -> Iterable[str]:
        """Return the keys of the texts that a search looks in."""
        return map(names.key, (self.name, self.description or ""))


ENTRY_MODELS: dict[DirectoryList, type[NamedEntry]] = {
    DirectoryList.TEAMS: Team,
    DirectoryList.SUPPLIERS: Supplier,
    DirectoryList.SERVICES: Service,
}


class Key(SearchedText, Base):
    """A key that opens something; it is identified by its code, or by its name without one.

    `label_key` is the key of that label. `holder` is '' while nobody has it; `holder_since` is
    when the holder got it.
    """

    __tablename__ = "place_key"
    __table_args__: Any = (
        CheckConstraint("code <> '' OR name <> ''", name="has_a_label"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(String(rules.CODE.limit), default="")
    name: Mapped[str] = mapped_column(String(rules.KEY_NAME.limit), default="")
    label_key: Mapped[str] = mapped_column(key_text(4 * NAME.limit), unique=True)
    holder: Mapped[str] = mapped_column(String(rules.HOLDER.limit), default="")
    holder_since: Mapped[datetime | None] = mapped_column(UtcDateTime)
    notes: Mapped[str] = mapped_column(String(rules.NOTES.limit), default="")

    @property
    def label(self) -> str:
        """Return the label, as KeyState defines it."""
        return self.state.label

    @property
    def state(self) -> KeyState:
        """Return the content as the rules use it."""
        return state_of(KeyState, self)

    @property
    def searched_texts(self) -> Iterable[str]:
        """Return the keys of the texts that a search looks in."""
        return (names.key(text or "") for text in values_of(self.state).values())


class KeyChange(Base):
    """A handover of a key, with the label and holders as they were named then.

    It has no user when it was made from the terminal, and stays when its key is removed.
    """

    __tablename__ = "key_change"
    __table_args__ = (
        Index("ix_key_change_label_key_at", "label_key", "at"),
        Index("ix_key_change_at_id", "at", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(String(NAME.limit))
    label_key: Mapped[str] = mapped_column(key_text(4 * NAME.limit))
    holder_before: Mapped[str] = mapped_column(String(rules.HOLDER.limit), default="")
    holder: Mapped[str] = mapped_column(String(rules.HOLDER.limit), default="")
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
