"""When vehicles were off the road, and why."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text, text_enum
from app.fleet.rules.plates import MAX_PLATE_LENGTH
from app.fleet.rules.vehicle_fields import STATUS
from app.upkeep.rules.kinds import OffRoadReason


class OffRoad(Base):
    """A vehicle's time off the road; without `until` it lasts.

    `status_before` is the vehicle's status text before. `override_reason` is a manager's reason for
    the return in spite of `objections`.
    """

    __tablename__ = "off_road"

    id: Mapped[int] = mapped_column(primary_key=True)
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    since: Mapped[datetime] = mapped_column(UtcDateTime)
    until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    reason: Mapped[OffRoadReason] = mapped_column(text_enum(OffRoadReason, "reason"))
    detail: Mapped[str] = mapped_column(Text, default="")
    defect_id: Mapped[int | None] = mapped_column(ForeignKey("defect.id"), index=True)
    expected_back: Mapped[date | None]
    opened_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    closed_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    signed_as: Mapped[str] = mapped_column(String(120), default="")
    override_reason: Mapped[str] = mapped_column(Text, default="")
    objections: Mapped[str] = mapped_column(Text, default="")
    note: Mapped[str] = mapped_column(Text, default="")
    status_before: Mapped[str] = mapped_column(String(STATUS.limit), default="")
    revision: Mapped[int] = mapped_column(default=0)

    __table_args__: Any = (
        Index(
            "uq_off_road_current",
            "reg_key",
            unique=True,
            sqlite_where=until.is_(None),
            postgresql_where=until.is_(None),
        ),
        Index("ix_off_road_reg_key_since", "reg_key", "since"),
        Index("ix_off_road_since", "since"),
        Index(
            "ix_off_road_current",
            "since",
            "id",
            sqlite_where=until.is_(None),
            postgresql_where=until.is_(None),
        ),
        Index(
            "ix_off_road_until",
            "until",
            sqlite_where=until.is_not(None),
            postgresql_where=until.is_not(None),
        ),
    )
