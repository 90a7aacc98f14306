"""Vehicles, their history, and their checks with photos."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    false,
    literal_column,
    or_,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.db import Base, UtcDateTime, key_text, partial_index, text_enum
from app.fleet.rules.checks import MAX_PHOTO_NAME_LENGTH, MAX_REMARK_LENGTH, CheckOutcome
from app.fleet.rules.findings import DriveReason
from app.fleet.rules.templates import MAX_KEY_LENGTH, MAX_LABEL_LENGTH
from app.fleet.rules.vehicles import (
    CLASSIFICATION,
    LOCATION,
    MAKE,
    MAX_PLATE_LENGTH,
    MODEL,
    STATUS,
    UNKNOWN_STATUS,
    FleetList,
    searched_keys,
)
from app.idempotency import keep_client_keys
from app.money import MAX_AMOUNT, MAX_PENCE
from app.search import SearchedText


class Vehicle(SearchedText, Base):
    """A vehicle of one of the two lists; `odometer` is the last reading, in miles."""

    __tablename__ = "vehicle"
    __table_args__ = (
        UniqueConstraint("fleet_list", "reg_key"),
        *(
            Index(f"ix_vehicle_fleet_list_{name}_reg_key", "fleet_list", name, "reg_key")
            for name in ("status", "classification", "location")
        ),
        CheckConstraint(f"odometer BETWEEN 0 AND {MAX_AMOUNT}", name="odometer_in_range"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    fleet_list: Mapped[FleetList] = mapped_column(text_enum(FleetList, "fleet_list"))
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    make: Mapped[str] = mapped_column(String(MAKE.limit), default="")
    model: Mapped[str] = mapped_column(String(MODEL.limit), default="")
    status: Mapped[str] = mapped_column(String(STATUS.limit), default=UNKNOWN_STATUS)
    classification: Mapped[str] = mapped_column(String(CLASSIFICATION.limit), default="")
    location: Mapped[str] = mapped_column(String(LOCATION.limit), default="")
    odometer: Mapped[int | None]
    last_event_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revision: Mapped[int] = mapped_column(default=0)

    @property
    def searched_texts(self) -> Iterable[str]:
        """Return the keys of the texts that a search looks in."""
        others = (self.make, self.model, self.location, self.classification)
        return searched_keys(self.reg, *(text or "" for text in others))


class VehicleEvent(Base):
    """A vehicle's change or check, which outlives it; `user_id` is None for the terminal."""

    __tablename__ = "vehicle_event"

    id: Mapped[int] = mapped_column(primary_key=True)
    fleet_list: Mapped[FleetList] = mapped_column(text_enum(FleetList, "fleet_list"))
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    location: Mapped[str] = mapped_column(String(LOCATION.limit), default="")
    status: Mapped[str] = mapped_column(String(STATUS.limit), default="")
    check_id: Mapped[int | None] = mapped_column(ForeignKey("vehicle_check.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))

    __table_args__: Any = (
        Index("ix_vehicle_event_fleet_list_reg_key_at", "fleet_list", "reg_key", "at"),
        Index("ix_vehicle_event_fleet_list_at_id", "fleet_list", "at", "id"),
        partial_index(
            "ix_vehicle_event_changes", "fleet_list", "at", "id", where=check_id.is_(None)
        ),
    )


class CheckTemplate(Base):
    """A check template that replaces the built-in ones; `fields` holds TemplateFields as JSON."""

    __tablename__ = "check_template"

    id: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int]
    key: Mapped[str] = mapped_column(String(MAX_KEY_LENGTH), unique=True)
    label: Mapped[str] = mapped_column(String(MAX_LABEL_LENGTH))
    fields: Mapped[list[dict[str, Any]]] = mapped_column(JSON)


class Check(Base):
    """A submitted vehicle check; `cost` is in pence, `odometer` in miles.

    `items` holds the values by field name, `search_key` the searched text. `outcome_text` is the
    form's text of the outcome. `drive_reason` is None for a vehicle on the road. `undone_reviews`
    are the undone reviews, oldest first, with the values that `services.checks.undo_review` stores;
    None before the first. `client_key` and `client_digest` are its submission's, `made_at` is the
    time of a check that waited first.
    """

    __tablename__ = "vehicle_check"

    id: Mapped[int] = mapped_column(primary_key=True)
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    day: Mapped[date]
    odometer: Mapped[int]
    items: Mapped[dict[str, Any]] = mapped_column(JSON)
    notes: Mapped[str] = mapped_column(Text, default="")
    cost: Mapped[int] = mapped_column(default=0)
    form_type: Mapped[str] = mapped_column(String(MAX_KEY_LENGTH), default="")
    form_label: Mapped[str] = mapped_column(String(MAX_LABEL_LENGTH), default="")
    has_damage: Mapped[bool] = mapped_column(default=False, server_default=false())
    odometer_fell: Mapped[bool] = mapped_column(default=False, server_default=false())
    outcome: Mapped[CheckOutcome] = mapped_column(
        text_enum(CheckOutcome, "outcome", has_check=False),
        default=CheckOutcome.WITHOUT_QUESTIONS,
        server_default=CheckOutcome.WITHOUT_QUESTIONS.value,
    )
    outcome_text: Mapped[str] = mapped_column(Text, default="", server_default="")
    drive_reason: Mapped[DriveReason | None] = mapped_column(
        text_enum(DriveReason, "drive_reason", has_check=False)
    )
    search_key: Mapped[str] = mapped_column(Text)
    submitted_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    submitted_at: Mapped[datetime] = mapped_column(UtcDateTime)
    client_key: Mapped[str | None] = mapped_column(String(64))
    client_digest: Mapped[str | None] = mapped_column(String(64))
    made_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    reviewed_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    reviewed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    remark: Mapped[str] = mapped_column(String(MAX_REMARK_LENGTH), default="")
    undone_reviews: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    photos: Mapped[list["CheckPhoto"]] = relationship(order_by="CheckPhoto.position")

    __table_args__: Any = (
        CheckConstraint(f"odometer BETWEEN 0 AND {MAX_AMOUNT}", name="odometer_in_range"),
        CheckConstraint(f"cost BETWEEN 0 AND {MAX_PENCE}", name="cost_in_range"),
        Index("ix_vehicle_check_day_id", "day", "id"),
        # It includes the odometer for the chart of a vehicle, which reads no other column.
        Index("ix_vehicle_check_reg_key_day_id_odometer", "reg_key", "day", "id", "odometer"),
        partial_index("ix_vehicle_check_unreviewed", "day", "id", where=reviewed_at.is_(None)),
        partial_index("ix_vehicle_check_reviewed", "day", "id", where=reviewed_at.is_not(None)),
        partial_index(
            "ix_vehicle_check_to_review", "has_damage", "day", "id", where=reviewed_at.is_(None)
        ),
        Index("ix_vehicle_check_submitted_by_id", "submitted_by", "id"),
    )


keep_client_keys(
    Check.id, Check.submitted_by, Check.client_key, Check.client_digest, Check.submitted_at
)

# With a parameter instead of the 0 these conditions would differ from their indexes.
HAS_COST = Check.cost > literal_column("0")
IS_FLAGGED = or_(Check.has_damage, HAS_COST, Check.odometer_fell)
"""The conditions that a check has a cost, and that it needs a second look."""

partial_index("ix_vehicle_check_costs", Check.reg_key, Check.day, Check.cost, where=HAS_COST)
partial_index("ix_vehicle_check_flagged", Check.day, Check.id, where=IS_FLAGGED)


class CheckPhoto(Base):
    """A photo of a check under the name that its sender gave it."""

    __tablename__ = "check_photo"
    __table_args__ = (UniqueConstraint("check_id", "position"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    check_id: Mapped[int] = mapped_column(ForeignKey("vehicle_check.id"))
    photo_hash: Mapped[str] = mapped_column(ForeignKey("photo.hash"), index=True)
    position: Mapped[int]
    name: Mapped[str] = mapped_column(String(MAX_PHOTO_NAME_LENGTH), default="")
