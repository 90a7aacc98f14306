"""Saved views of lists, and what each person chose of them."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text, text_enum
from app.divisions import Division, Role
from app.identity import SignedInUser


class SavedView(Base):
    """A view of the list at the path `list`; `query` is the rest of its address.

    A `division` shares it with all its people.
    """

    __tablename__ = "saved_view"
    __table_args__ = (
        UniqueConstraint("owner_id", "list", "name_key"),
        Index("ix_saved_view_division", "division", "list"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"))
    list: Mapped[str] = mapped_column(String(200))
    name: Mapped[str] = mapped_column(String(60))
    name_key: Mapped[str] = mapped_column(key_text(240))
    query: Mapped[str] = mapped_column(Text)
    division: Mapped[Division | None] = mapped_column(text_enum(Division, "division"))
    revision: Mapped[int] = mapped_column(default=1, server_default=text("1"))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)

    def may_be_changed_by(self, user: SignedInUser) -> bool:
        """Return whether a user may change it: its owner, or a manager of its division."""
        manages = self.division and Role.MANAGER in user.roles.get(self.division, ())
        return self.owner_id == user.user_id or bool(manages)


class ViewChoice(Base):
    """A person's choice of a view: their list opens with it, or it is on their dashboard."""

    __tablename__ = "view_choice"

    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    view_id: Mapped[int] = mapped_column(ForeignKey("saved_view.id"), primary_key=True, index=True)
    is_default: Mapped[bool] = mapped_column(default=False, server_default=false())
    is_starred: Mapped[bool] = mapped_column(default=False, server_default=false())
