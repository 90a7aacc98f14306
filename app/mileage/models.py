"""Odometer readings of vehicles."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, text, true
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text, partial_index, text_enum
from app.fleet.rules.vehicles import MAX_PLATE_LENGTH
from app.mileage.rules import Doubt, ReadingSource
from app.money import MAX_AMOUNT

DOUBTFUL = "NOT is_accepted AND void_at IS NULL"
"""The SQL condition of a reading that waits to be accepted, a text so that its index serves it."""

APART = "source <> 'check' OR doubt IS NOT NULL OR void_at IS NOT NULL"
"""The SQL condition of readings other than plain ones of a check, which their check shows."""


class OdometerReading(Base):
    """An odometer reading in miles; an unaccepted or void one is kept and not used.

    `source_id` is its check, repair or done item.
    """

    __tablename__ = "odometer_reading"

    id: Mapped[int] = mapped_column(primary_key=True)
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    day: Mapped[date]
    miles: Mapped[int]
    source: Mapped[ReadingSource] = mapped_column(text_enum(ReadingSource, "source"))
    source_id: Mapped[int | None]
    is_accepted: Mapped[bool] = mapped_column(default=True, server_default=true())
    doubt: Mapped[Doubt | None] = mapped_column(text_enum(Doubt, "doubt"))
    recorded_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    recorded_at: Mapped[datetime] = mapped_column(UtcDateTime)
    accepted_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    accepted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    void_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    void_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    void_reason: Mapped[str] = mapped_column(Text, default="")

    __table_args__: Any = (
        CheckConstraint(f"miles BETWEEN 0 AND {MAX_AMOUNT}", name="miles_in_range"),
        Index(
            "ix_odometer_reading_reg_key_day_miles_id",
            *("reg_key", "day", "miles", "id", "is_accepted", "void_at"),
        ),
        Index("uq_odometer_reading_source", "source", "source_id", unique=True),
        partial_index("ix_odometer_reading_doubtful", "day", "id", where=text(DOUBTFUL)),
        partial_index("ix_odometer_reading_apart", "day", "id", where=text(APART)),
    )

    @property
    def state(self) -> str:
        """Return how it stands: 'accepted', 'doubtful' or 'void'."""
        if self.void_at is not None:
            return "void"
        return "accepted" if self.is_accepted else "doubtful"
