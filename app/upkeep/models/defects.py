"""Defects of vehicles, their sightings, and their notes."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app import names
from app.db import Base, UtcDateTime, key_text, text_enum
from app.fleet.rules.findings import Severity, SightingAnswer
from app.fleet.rules.plates import MAX_PLATE_LENGTH
from app.fleet.rules.vehicles import FleetList
from app.money import MAX_AMOUNT
from app.reference_numbers import ReferenceNumber, Series
from app.search import SearchedText
from app.upkeep.rules.defect_fields import GARAGE, TITLE
from app.upkeep.rules.kinds import Closing, DefectState

MAX_TITLE_LENGTH = TITLE.limit
MAX_PART_KEY_LENGTH = 4 * MAX_TITLE_LENGTH


class Defect(SearchedText, Base):
    """A fault of a vehicle; a closed defect is never opened again.

    `severity` is None until somebody assesses a defect reported without one. `part` is the field of
    the check or the reporter's name for it; a part has one open defect, by its key. `odometer` is
    in miles.
    """

    __tablename__ = "defect"

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(unique=True)
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    fleet_list: Mapped[FleetList | None] = mapped_column(text_enum(FleetList, "fleet_list"))
    check_id: Mapped[int | None] = mapped_column(ForeignKey("vehicle_check.id"), index=True)
    part: Mapped[str] = mapped_column(String(MAX_TITLE_LENGTH))
    part_key: Mapped[str] = mapped_column(key_text(MAX_PART_KEY_LENGTH))
    title: Mapped[str] = mapped_column(String(MAX_TITLE_LENGTH))
    detail: Mapped[str] = mapped_column(Text, default="")
    severity: Mapped[Severity | None] = mapped_column(text_enum(Severity, "severity"))
    state: Mapped[DefectState] = mapped_column(
        text_enum(DefectState, "state"), default=DefectState.OPEN
    )
    reported_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    reported_at: Mapped[datetime] = mapped_column(UtcDateTime)
    day: Mapped[date]
    odometer: Mapped[int | None]
    assessed_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    assessed_at: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)
    garage: Mapped[str] = mapped_column(String(GARAGE.limit), default="")
    booked_for: Mapped[date | None]
    repeat_of_id: Mapped[int | None] = mapped_column(ForeignKey("defect.id"))
    duplicate_of_id: Mapped[int | None] = mapped_column(ForeignKey("defect.id"))
    closing: Mapped[Closing | None] = mapped_column(text_enum(Closing, "closing"))
    closing_reason: Mapped[str] = mapped_column(Text, default="")
    accepted_until: Mapped[date | None]
    closed_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revision: Mapped[int] = mapped_column(default=0)

    __table_args__: Any = (
        CheckConstraint(f"odometer BETWEEN 0 AND {MAX_AMOUNT}", name="odometer_in_range"),
        CheckConstraint(
            "(state = 'closed') = (closing IS NOT NULL) "
            "AND (closing IS NULL) = (closed_at IS NULL)",
            name="closed_with_reason",
        ),
        Index(
            "uq_defect_open_part",
            "reg_key",
            "part_key",
            unique=True,
            sqlite_where=closed_at.is_(None),
            postgresql_where=closed_at.is_(None),
        ),
        Index("ix_defect_reg_key_day", "reg_key", "day", "id"),
        Index("ix_defect_state_day", "state", "day", "id"),
        Index("ix_defect_closed_at", "closed_at", "id"),
    )

    @property
    def reference(self) -> str:
        """Return its number as people say it, such as 'D-0142'."""
        return str(ReferenceNumber(Series.DEFECT, self.number))

    @property
    def searched_texts(self) -> Iterable[str]:
        """Return the keys of the texts that a search looks in."""
        texts = (self.reference, self.reg, self.part, self.title, self.garage or "")
        return [*map(names.key, texts), self.reg_key]


class DefectSighting(Base):
    """A sighting of a defect by a later check or person.

    With `is_before_repair` it tells nothing new: a check of a day before the repair that was sent
    after it.
    """

    __tablename__ = "defect_sighting"
    __table_args__ = (UniqueConstraint("defect_id", "check_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    defect_id: Mapped[int] = mapped_column(ForeignKey("defect.id"))
    check_id: Mapped[int | None] = mapped_column(ForeignKey("vehicle_check.id"), index=True)
    day: Mapped[date] = mapped_column(index=True)
    seen_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    recorded_at: Mapped[datetime] = mapped_column(UtcDateTime)
    answer: Mapped[SightingAnswer] = mapped_column(text_enum(SightingAnswer, "answer"))
    severity: Mapped[Severity | None] = mapped_column(text_enum(Severity, "severity"))
    detail: Mapped[str] = mapped_column(Text, default="")
    is_before_repair: Mapped[bool] = mapped_column(default=False, server_default=false())


class DefectNote(Base):
    """A note on a defect, never changed."""

    __tablename__ = "defect_note"

    id: Mapped[int] = mapped_column(primary_key=True)
    defect_id: Mapped[int] = mapped_column(ForeignKey("defect.id"), index=True)
    noted_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    noted_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    text: Mapped[str] = mapped_column(Text)
