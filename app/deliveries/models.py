"""Deliveries: pending, delivered or cancelled."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text, partial_index, text_enum
from app.deliveries.rules import CANCEL_REASON, CONFIRMATION, ORDERED_BY, RECIPIENT, SUPPLIER
from app.divisions import Division, Site, Store
from app.money import MAX_AMOUNT, MAX_PENCE
from app.reference_numbers import ReferenceNumber, Series
from app.stock.rules.items import NAME

PENDING = "delivered_at IS NULL AND cancelled_at IS NULL"


class Delivery(Base):
    """A line of an order of a division; its cost is in pence for one.

    It is pending until it has `delivered_at` or `cancelled_at`. `operation_id` is the stock
    operation that received it. `changes` are its earlier changes, oldest first; `revision` counts
    them. Lines that were made together share `order_number`; the last release makes lines without.
    `ordered_amount` is only there if another amount was received, and 0 for a rest that is part of
    its whole again. `rest_of_id` is the line that was received in part, `proposal` the reasons of a
    line that the reorder list proposed.
    """

    __tablename__ = "delivery"

    id: Mapped[int] = mapped_column(primary_key=True)
    division: Mapped[Division] = mapped_column(
        text_enum(Division, "division", has_check=False), server_default=Division.GPM.value
    )
    order_number: Mapped[int | None] = mapped_column(index=True)
    item: Mapped[str] = mapped_column(String(NAME.limit))
    amount: Mapped[int]
    ordered_amount: Mapped[int | None]
    rest_of_id: Mapped[int | None] = mapped_column(ForeignKey("delivery.id"))
    proposal: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    unit_cost: Mapped[int] = mapped_column(default=0)
    supplier: Mapped[str] = mapped_column(String(SUPPLIER.limit), default="")
    office: Mapped[Site] = mapped_column(text_enum(Site, "office"))
    ordered_by: Mapped[str] = mapped_column(String(ORDERED_BY.limit), default="")
    ordered_on: Mapped[date]
    expected_on: Mapped[date | None]
    due_on: Mapped[date]
    delivered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    confirmation: Mapped[str] = mapped_column(String(CONFIRMATION.limit), default="")
    recipient: Mapped[str] = mapped_column(String(RECIPIENT.limit), default="")
    item_key: Mapped[str] = mapped_column(key_text(4 * NAME.limit))
    search_key: Mapped[str] = mapped_column(Text)
    revision: Mapped[int] = mapped_column(default=0)
    changes: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    scheduled_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    delivered_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    operation_id: Mapped[int | None] = mapped_column(ForeignKey("stock_operation.id"), unique=True)
    cancelled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    cancelled_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    cancel_reason: Mapped[str] = mapped_column(String(CANCEL_REASON.limit), default="")

    __table_args__: Any = (
        CheckConstraint(f"amount BETWEEN 1 AND {MAX_AMOUNT}", name="amount_in_range"),
        CheckConstraint(f"unit_cost BETWEEN 0 AND {MAX_PENCE}", name="unit_cost_in_range"),
        CheckConstraint(
            "(delivered_at IS NULL) = (operation_id IS NULL)", name="delivered_is_in_stock"
        ),
        CheckConstraint("expected_on IS NULL OR due_on = expected_on", name="due_when_expected"),
        CheckConstraint(
            "cancelled_at IS NULL OR delivered_at IS NULL", name="cancelled_or_delivered"
        ),
        CheckConstraint(
            "cancelled_at IS NOT NULL OR (cancelled_by IS NULL AND cancel_reason = '')",
            name="reason_of_cancelled",
        ),
        Index("ix_delivery_division_id", "division", "id"),
        *(
            partial_index(f"ix_delivery_{name}", *columns, where=text(where))
            for name, columns, where in (
                ("on_order", ("division", "item_key", "id"), PENDING),
                ("rest_of", ("rest_of_id",), "rest_of_id IS NOT NULL"),
                ("last_order", ("item_key", "id"), "cancelled_at IS NULL"),
            )
        ),
        *(
            partial_index("_".join(["ix_delivery", *by, name]), *by, day, "id", where=text(where))
            for name, day, where in (
                ("pending", "ordered_on", PENDING),
                ("due", "due_on", PENDING),
                ("delivered", "delivered_at", "delivered_at IS NOT NULL"),
                ("cancelled", "cancelled_at", "cancelled_at IS NOT NULL"),
            )
            # The last release uses those without a division.
            for by in ((), ("division",))
        ),
    )

    @property
    def ordered(self) -> int:
        """Return the amount that was ordered."""
        return self.ordered_amount or self.amount

    @property
    def reference(self) -> str:
        """Return the number of its order as people say it, such as 'O-0031'; '' without one."""
        return str(ReferenceNumber(Series.ORDER, self.order_number)) if self.order_number else ""

    @property
    def store(self) -> Store:
        """Return the store that it is received into."""
        return Store(self.division, self.office)

    @property
    def is_pending(self) -> bool:
        """Whether it is neither delivered nor cancelled."""
        return self.delivered_at is None and self.cancelled_at is None


class DeliveryUndo(Base):
    """The undone receipt of a delivery, which became pending again."""

    __tablename__ = "delivery_undo"

    operation_id: Mapped[int] = mapped_column(
        ForeignKey("stock_operation.id"), primary_key=True, autoincrement=False
    )
    delivery_id: Mapped[int] = mapped_column(ForeignKey("delivery.id"))
