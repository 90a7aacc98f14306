"""Due items of vehicles, their plans, and the work done."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, text, true
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text, text_enum
from app.defects.rules.fields import GARAGE
from app.due.rules import fields
from app.due.rules.fields import DueClosing
from app.due.rules.next_due import NextDue
from app.fleet.rules.vehicles import CLASSIFICATION, MAX_PLATE_LENGTH
from app.money import MAX_AMOUNT, MAX_PENCE


class DuePlan(Base):
    """A repeated due item: whichever of its months, days and miles ends first counts."""

    __tablename__ = "due_plan"

    id: Mapped[int] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(String(fields.LABEL.limit))
    label_key: Mapped[str] = mapped_column(key_text(4 * fields.LABEL.limit), unique=True)
    kind: Mapped[fields.DueKind] = mapped_column(text_enum(fields.DueKind, "kind"))
    applies: Mapped[fields.Applies] = mapped_column(text_enum(fields.Applies, "applies"))
    classification: Mapped[str] = mapped_column(String(CLASSIFICATION.limit), default="")
    every_months: Mapped[int | None]
    every_days: Mapped[int | None]
    every_miles: Mapped[int | None]
    anchor: Mapped[fields.Anchor] = mapped_column(text_enum(fields.Anchor, "anchor"))
    early_window_days: Mapped[int | None]
    soon_days: Mapped[int] = mapped_column(default=30)
    soon_miles: Mapped[int] = mapped_column(default=1000)
    blocks: Mapped[fields.Blocks] = mapped_column(text_enum(fields.Blocks, "blocks"))
    is_active: Mapped[bool] = mapped_column(default=True, server_default=true())
    revision: Mapped[int] = mapped_column(default=0)


class DuePlanVehicle(Base):
    """A vehicle that a plan for chosen vehicles applies to."""

    __tablename__ = "due_plan_vehicle"

    plan_id: Mapped[int] = mapped_column(ForeignKey("due_plan.id"), primary_key=True)
    reg_key: Mapped[str] = mapped_column(key_text(4 * MAX_PLATE_LENGTH), primary_key=True)
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))


_IF_OPEN: Any = dict.fromkeys(("sqlite_where", "postgresql_where"), text("closed_at IS NULL"))


class DueItem(Base):
    """Something that a vehicle needs by a day or a mileage; it never moves forward by itself.

    An item that several vehicles share, such as a fleet's insurance, has no registration of its
    own, but its DueItemVehicles. `anchor_day` is the day of the month that its dates keep.
    """

    __tablename__ = "due_item"

    id: Mapped[int] = mapped_column(primary_key=True)
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH), default="")
    reg_key: Mapped[str | None] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    plan_id: Mapped[int | None] = mapped_column(ForeignKey("due_plan.id"))
    kind: Mapped[fields.DueKind] = mapped_column(text_enum(fields.DueKind, "kind"))
    label: Mapped[str] = mapped_column(String(fields.LABEL.limit))
    due_on: Mapped[date | None]
    due_miles: Mapped[int | None]
    anchor_day: Mapped[int | None]
    snoozed_until: Mapped[date | None]
    snooze_reason: Mapped[str] = mapped_column(Text, default="")
    opened_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    opened_at: Mapped[datetime] = mapped_column(UtcDateTime)
    closing: Mapped[DueClosing | None] = mapped_column(text_enum(DueClosing, "closing"))
    closed_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revision: Mapped[int] = mapped_column(default=0)

    @property
    def due(self) -> NextDue:
        """Return when it is due; a new day sets the anchor."""
        return NextDue(self.due_on, self.due_miles, anchor_day=self.anchor_day)

    @due.setter
    def due(self, due: NextDue) -> None:
        if self.due_on != due.on:
            self.anchor_day = due.anchor_day or (due.on.day if due.on else None)
        self.due_on, self.due_miles = due.on, due.miles

    __table_args__: Any = (
        CheckConstraint(f"due_miles BETWEEN 0 AND {MAX_AMOUNT}", name="due_miles_in_range"),
        CheckConstraint("anchor_day BETWEEN 1 AND 31", name="anchor_day_in_month"),
        CheckConstraint("due_on IS NOT NULL OR due_miles IS NOT NULL", name="due_by_day_or_miles"),
        CheckConstraint("(closing IS NULL) = (closed_at IS NULL)", name="closed_with_reason"),
        Index("uq_due_item_open_of_plan", "plan_id", "reg_key", unique=True, **_IF_OPEN),
        Index("ix_due_item_open", "due_on", "id", **_IF_OPEN),
        Index("ix_due_item_open_of_vehicle", "reg_key", **_IF_OPEN),
        Index("ix_due_item_reg_key_due_on", "reg_key", "due_on", "id"),
    )


class DueItemVehicle(Base):
    """A vehicle of an item that several share."""

    __tablename__ = "due_item_vehicle"

    due_item_id: Mapped[int] = mapped_column(ForeignKey("due_item.id"), primary_key=True)
    reg_key: Mapped[str] = mapped_column(
        key_text(4 * MAX_PLATE_LENGTH), primary_key=True, index=True
    )
    reg: Mapped[str] = mapped_column(String(MAX_PLATE_LENGTH))


class DueDone(Base):
    """The work done on an item, never changed but undone; `cost` is in pence.

    `next_item_id` is the following item, `defect_id` the first defect that it opened.
    """

    __tablename__ = "due_done"
    __table_args__ = (
        CheckConstraint(f"done_miles BETWEEN 0 AND {MAX_AMOUNT}", name="done_miles_in_range"),
        CheckConstraint(f"cost BETWEEN 0 AND {MAX_PENCE}", name="cost_in_range"),
        Index("ix_due_done_reg_key_done_on", "reg_key", "done_on", "id"),
        Index("ix_due_done_done_on", "done_on", "id"),
        Index("ix_due_done_reg_key_kind_id", "reg_key", "kind", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    due_item_id: Mapped[int] = mapped_column(ForeignKey("due_item.id"), index=True)
    reg_key: Mapped[str | None] = mapped_column(key_text(4 * MAX_PLATE_LENGTH))
    kind: Mapped[fields.DueKind] = mapped_column(text_enum(fields.DueKind, "kind"))
    done_on: Mapped[date]
    done_miles: Mapped[int | None]
    result: Mapped[fields.DoneResult] = mapped_column(text_enum(fields.DoneResult, "result"))
    next_due_on: Mapped[date | None]
    next_due_miles: Mapped[int | None]
    next_item_id: Mapped[int | None] = mapped_column(ForeignKey("due_item.id"), index=True)
    certificate_number: Mapped[str] = mapped_column(String(fields.CERTIFICATE.limit), default="")
    garage: Mapped[str] = mapped_column(String(GARAGE.limit), default="")
    cost: Mapped[int] = mapped_column(default=0)
    note: Mapped[str] = mapped_column(Text, default="")
    repair_id: Mapped[int | None] = mapped_column(ForeignKey("repair.id"))
    defect_id: Mapped[int | None] = mapped_column(ForeignKey("defect.id"))
    recorded_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    recorded_at: Mapped[datetime] = mapped_column(UtcDateTime)
    undone_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    undone_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class CalendarFeed(Base):
    """A person's secret address of due items, for calendars; `token_hash` is its SHA-256."""

    __tablename__ = "calendar_feed"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
