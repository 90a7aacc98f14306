"""The events; they are only ever added."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text, text_enum
from app.divisions import Division
from app.identity import Channel


class RecordedEvent(Base):
    """One event, never changed or deleted; without an actor it was the terminal or a stranger.

    `kind` is written 'defect.opened'. `subject_id` is the key of the changed row; `before` and
    `after` are the changed values, without personal data except ids. There are no foreign keys:
    events outlive their subjects.
    """

    __tablename__ = "event"
    __table_args__ = (
        Index("ix_event_subject", "subject_kind", "subject_id", "id"),
        Index("ix_event_division_id", "division", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    kind: Mapped[str] = mapped_column(String(40))
    division: Mapped[Division | None] = mapped_column(text_enum(Division, "division"))
    subject_kind: Mapped[str] = mapped_column(String(20))
    subject_id: Mapped[str] = mapped_column(key_text(80))
    actor_id: Mapped[int | None]
    channel: Mapped[Channel] = mapped_column(text_enum(Channel, "channel"))
    request_id: Mapped[str | None] = mapped_column(String(64))
    before: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    after: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
