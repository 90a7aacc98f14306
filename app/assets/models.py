"""Assets, and how they moved (design §4)."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.assets.rules.assets import (
    LONGEST_CATEGORY,
    LONGEST_ID,
    LONGEST_ITEM,
    LONGEST_LOCATION,
    LONGEST_MAKE,
    LONGEST_SERIAL,
    LONGEST_STATUS,
    LONGEST_SUPPLIER,
)
from app.db import Base, UtcDateTime, key_text
from app.money import MAX_AMOUNT, MAX_PENCE

_ADDED_UP = ("quantity", "purchase_price")
"""What groups add up stands in their indexes, so that they are read without the rows."""


class Asset(Base):
    """Something the company owns, `quantity` of it at one place; its price is in pence.

    `asset_id` is the id that people and programs give it (the seed's `id`), `id` our own.
    `search_key` is made of all that a search looks at.
    """

    __tablename__ = "asset"
    __table_args__ = (
        CheckConstraint(f"quantity BETWEEN 1 AND {MAX_AMOUNT}", name="quantity_in_range"),
        CheckConstraint(
            f"purchase_price BETWEEN 0 AND {MAX_PENCE}", name="purchase_price_in_range"
        ),
        Index("ix_asset_item_sums", "item_key", "id", "item", *_ADDED_UP),
        *(
            Index(f"ix_asset_{name}_sums", f"{name}_key", name, "item_key", *_ADDED_UP)
            for name in ("category", "location", "make", "model", "status", "supplier")
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    asset_id: Mapped[str] = mapped_column(String(LONGEST_ID))
    asset_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_ID), unique=True)
    item: Mapped[str] = mapped_column(String(LONGEST_ITEM))
    item_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_ITEM))
    make: Mapped[str] = mapped_column(String(LONGEST_MAKE), default="")
    make_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_MAKE), default="")
    model: Mapped[str] = mapped_column(String(LONGEST_MAKE), default="")
    model_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_MAKE), default="")
    serial: Mapped[str] = mapped_column(String(LONGEST_SERIAL), default="")
    serial_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_SERIAL), default="")
    supplier: Mapped[str] = mapped_column(String(LONGEST_SUPPLIER), default="")
    supplier_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_SUPPLIER), default="")
    location: Mapped[str] = mapped_column(String(LONGEST_LOCATION), default="")
    location_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_LOCATION), default="")
    purchase_date: Mapped[date | None]
    purchase_price: Mapped[int] = mapped_column(default=0)
    category: Mapped[str] = mapped_column(String(LONGEST_CATEGORY), default="")
    category_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_CATEGORY), default="")
    status: Mapped[str] = mapped_column(String(LONGEST_STATUS), default="")
    status_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_STATUS), default="")
    quantity: Mapped[int] = mapped_column(default=1)
    search_key: Mapped[str] = mapped_column(Text)
    revision: Mapped[int] = mapped_column(default=0)


class AssetMove(Base):
    """That an asset went from one location to another; it outlives the asset.

    Without a user it came from the terminal.
    """

    __tablename__ = "asset_move"
    __table_args__ = (
        Index("ix_asset_move_at_id", "at", "id"),
        Index("ix_asset_move_asset_key_at_id", "asset_key", "at", "id"),
        # They hold what the history's filter offers, so that it is read without the rows.
        Index("ix_asset_move_start_key_start_position", "start_key", "start_position"),
        Index("ix_asset_move_end_key_end_position", "end_key", "end_position"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    asset_id: Mapped[str] = mapped_column(String(LONGEST_ID))
    asset_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_ID))
    item: Mapped[str] = mapped_column(String(LONGEST_ITEM))
    start_position: Mapped[str] = mapped_column(String(LONGEST_LOCATION), default="")
    start_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_LOCATION), default="")
    end_position: Mapped[str] = mapped_column(String(LONGEST_LOCATION), default="")
    end_key: Mapped[str] = mapped_column(key_text(4 * LONGEST_LOCATION), default="")
    search_key: Mapped[str] = mapped_column(Text)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
