"""Deliveries, pending or delivered."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, text_enum
from app.deliveries.rules import CONFIRMATION, ORDERED_BY, RECIPIENT, SUPPLIER
from app.divisions import Site
from app.money import MAX_AMOUNT, MAX_PENCE
from app.stock.rules.item_fields import NAME


class Delivery(Base):
    """A delivery that GPM has ordered; its cost is in pence for one.

    It is pending until it has `delivered_at`, and then `operation_id` is the stock operation that
    received it, the last one where that was undone. `search_key` has the keys of all texts that
    are searched.
    """

    __tablename__ = "delivery"

    id: Mapped[int] = mapped_column(primary_key=True)
    item: Mapped[str] = mapped_column(String(NAME.limit))
    amount: Mapped[int]
    unit_cost: Mapped[int] = mapped_column(default=0)
    supplier: Mapped[str] = mapped_column(String(SUPPLIER.limit), default="")
    office: Mapped[Site] = mapped_column(text_enum(Site, "office"))
    ordered_by: Mapped[str] = mapped_column(String(ORDERED_BY.limit), default="")
    ordered_on: Mapped[date]
    delivered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    confirmation: Mapped[str] = mapped_column(String(CONFIRMATION.limit), default="")
    recipient: Mapped[str] = mapped_column(String(RECIPIENT.limit), default="")
    search_key: Mapped[str] = mapped_column(Text)
    scheduled_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    delivered_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    operation_id: Mapped[int | None] = mapped_column(ForeignKey("stock_operation.id"), unique=True)

    __table_args__: Any = (
        CheckConstraint(f"amount BETWEEN 1 AND {MAX_AMOUNT}", name="amount_in_range"),
        CheckConstraint(f"unit_cost BETWEEN 0 AND {MAX_PENCE}", name="unit_cost_in_range"),
        CheckConstraint(
            "(delivered_at IS NULL) = (operation_id IS NULL)", name="delivered_is_in_stock"
        ),
        Index(
            "ix_delivery_pending",
            "ordered_on",
            "id",
            sqlite_where=delivered_at.is_(None),
            postgresql_where=delivered_at.is_(None),
        ),
        Index(
            "ix_delivery_delivered",
            "delivered_at",
            "id",
            sqlite_where=delivered_at.is_not(None),
            postgresql_where=delivered_at.is_not(None),
        ),
    )
