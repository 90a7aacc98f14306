"""Tables of defects, repairs and times off the road."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app import names
from app.db import Base, UtcDateTime, key_text, partial_index, text_enum
from app.defects.rules import fields
from app.defects.rules.fields import Closing, DefectState, OffRoadReason
from app.fleet.rules.findings import MAX_TITLE_LENGTH, Severity, SightingAnswer
from app.fleet.rules.vehicles import MAX_PLATE_LENGTH, STATUS, FleetList
from app.idempotency import keep_client_keys
from app.money import MAX_AMOUNT, MAX_PENCE
from app.reference_numbers import ReferenceNumber, Series
from app.search import SearchedText
from app.stock.rules.items import NAME


class Defect(SearchedText, Base):
    """A fault of a vehicle; a closed defect is never opened again.

    `part` is the field of the check or the reporter's name for it; a part has one open defect, by
    its key. `severity` is None until somebody assesses a defect reported without one. `odometer`
    is in miles.
    """

    __tablename__ = "defect"

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(unique=True)
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    fleet_list: Mapped[FleetList | None] = mapped_column(text_enum(FleetList, "fleet_list"))
    check_id: Mapped[int | None] = mapped_column(ForeignKey("vehicle_check.id"), index=True)
    part: Mapped[str] = mapped_column(String(MAX_TITLE_LENGTH))
    part_key: Mapped[str] = mapped_column(key_text(4 * MAX_TITLE_LENGTH))
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
    garage: Mapped[str] = mapped_column(String(fields.GARAGE.limit), default="")
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
        partial_index(
            "uq_defect_open_part", "reg_key", "part_key", unique=True, where=closed_at.is_(None)
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
    """A later sighting of a defect.

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


class Repair(SearchedText, Base):
    """A repair of a vehicle, never changed; its amounts are in pence, its miles whole.

    A row with `reverses_id` undoes that repair and has its amounts, negative. `parts` are bought
    ones; RepairParts come from stock. `client_key` and `client_digest` are its submission's.
    """

    __tablename__ = "repair"
    __table_args__ = (
        CheckConstraint(f"odometer BETWEEN 0 AND {MAX_AMOUNT}", name="odometer_in_range"),
        *(
            CheckConstraint(
                f"{name} BETWEEN -{MAX_PENCE} AND {MAX_PENCE} "
                f"AND (reverses_id IS NOT NULL OR {name} >= 0)",
                name=f"{name}_in_range",
            )
            for name in ("labour", "parts", "other")
        ),
        Index("ix_repair_reg_key_finished_on", "reg_key", "finished_on", "id"),
        Index("ix_repair_finished_on", "finished_on", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(unique=True)
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    garage: Mapped[str] = mapped_column(String(fields.GARAGE.limit), default="")
    started_on: Mapped[date | None]
    finished_on: Mapped[date]
    odometer: Mapped[int | None]
    invoice_number: Mapped[str] = mapped_column(String(fields.INVOICE_NUMBER.limit), default="")
    labour: Mapped[int] = mapped_column(default=0)
    parts: Mapped[int] = mapped_column(default=0)
    other: Mapped[int] = mapped_column(default=0)
    includes_vat: Mapped[bool] = mapped_column(default=False, server_default=false())
    warranty_until: Mapped[date | None]
    warranty_miles: Mapped[int | None]
    note: Mapped[str] = mapped_column(Text, default="")
    recorded_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    recorded_at: Mapped[datetime] = mapped_column(UtcDateTime)
    reverses_id: Mapped[int | None] = mapped_column(ForeignKey("repair.id"), unique=True)
    client_key: Mapped[str | None] = mapped_column(String(64))
    client_digest: Mapped[str | None] = mapped_column(String(64))

    @property
    def reference(self) -> str:
        """Return its number as people say it, such as 'R-0088'."""
        return str(ReferenceNumber(Series.REPAIR, self.number))

    @property
    def searched_texts(self) -> Iterable[str]:
        """Return the keys of the texts that a search looks in."""
        texts = (self.reference, self.reg, self.garage or "", self.invoice_number or "")
        return [*map(names.key, texts), self.reg_key]


keep_client_keys(
    Repair.id, Repair.recorded_by, Repair.client_key, Repair.client_digest, Repair.recorded_at
)


class RepairedDefect(Base):
    """A defect that a repair mended."""

    __tablename__ = "repaired_defect"

    repair_id: Mapped[int] = mapped_column(ForeignKey("repair.id"), primary_key=True)
    defect_id: Mapped[int] = mapped_column(ForeignKey("defect.id"), primary_key=True, index=True)


class RepairPart(Base):
    """Parts that a repair took from stock, `pence` in all; negative where they came back."""

    __tablename__ = "repair_part"
    __table_args__ = (UniqueConstraint("repair_id", "position"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    repair_id: Mapped[int] = mapped_column(ForeignKey("repair.id"))
    position: Mapped[int]
    operation_id: Mapped[int] = mapped_column(ForeignKey("stock_operation.id"), index=True)
    name: Mapped[str] = mapped_column(String(NAME.limit))
    quantity: Mapped[int]
    pence: Mapped[int]


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
        partial_index("uq_off_road_current", "reg_key", unique=True, where=until.is_(None)),
        Index("ix_off_road_reg_key_since", "reg_key", "since"),
        Index("ix_off_road_since", "since"),
        partial_index("ix_off_road_current", "since", "id", where=until.is_(None)),
        partial_index("ix_off_road_until", "until", where=until.is_not(None)),
    )
