"""The entries of the audit trail, and the failed sign-ins that it doesn't have yet."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String
from sqlalchemy.orm import Mapped, mapped_column

from app.audit.rules import MAX_SUBJECT_LENGTH
from app.db import Base, UtcDateTime, text_enum
from app.identity import Channel


class AuditEntry(Base):
    """One entry, never changed or deleted; without a user it was the terminal or a stranger.

    It has no foreign key: checking one waits for whoever locks the account, while all others wait
    for the trail.
    """

    __tablename__ = "audit_entry"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    event: Mapped[str] = mapped_column(String(40))
    channel: Mapped[Channel] = mapped_column(text_enum(Channel, "channel"))
    user_id: Mapped[int | None]
    subject: Mapped[str] = mapped_column(String(MAX_SUBJECT_LENGTH))
    detail: Mapped[dict[str, Any]] = mapped_column(JSON)
    previous_hash: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))


class UnrecordedFailure(Base):
    """How many sign-ins of an account have failed since its last entry, at `since`.

    One row stands for all names without an account.
    """

    __tablename__ = "audit_failure"

    account: Mapped[str] = mapped_column(String(64), primary_key=True)
    since: Mapped[datetime] = mapped_column(UtcDateTime)
    failures: Mapped[int]
