"""Tables of the register of assets and of its moves."""

from datetime import date, datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String
from sqlalchemy import Text as LongText
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column

from app.assets.rules import ASSET_FIELDS, ID, ITEM, LOCATION
from app.db import Base, UtcDateTime, key_text
from app.fields import Text
from app.idempotency import keep_client_keys
from app.money import MAX_AMOUNT, MAX_PENCE

_SUMMED_COLUMNS = ("quantity", "purchase_price")
"""The indexes include the columns that groups sum up, so that sums don't read the rows."""


_MAX_LENGTHS = {
    name: field.limit for name, field in ASSET_FIELDS.items() if isinstance(field, Text)
}


def _text(name: str) -> Mapped[str]:
    return mapped_column(key_text(_MAX_LENGTHS[name]), default="")


def _key(name: str) -> Mapped[str]:
    return mapped_column(key_text(4 * _MAX_LENGTHS[name]), default="")


class Asset(Base):
    """Property of the company, `quantity` of it at one location; its price is in pence.

    `value` is quantity × price, stored so that an index sorts by it. `asset_id` is the id for
    people and programs, `id` our own number. `search_key` holds the keys of all searched texts.
    """

    __tablename__ = "asset"
    __table_args__ = (
        CheckConstraint(f"quantity BETWEEN 1 AND {MAX_AMOUNT}", name="quantity_in_range"),
        CheckConstraint(
            f"purchase_price BETWEEN 0 AND {MAX_PENCE}", name="purchase_price_in_range"
        ),
        Index("ix_asset_item_sums", "item_key", "id", "item", *_SUMMED_COLUMNS),
        *(
            Index(f"ix_asset_{name}_sums", f"{name}_key", "item_key", "id", name, *_SUMMED_COLUMNS)
            for name in ("category", "location", "make", "model", "status", "supplier")
        ),
        *(
            Index(f"ix_asset_{name}_spelling", f"{name}_key", name)
            for name in ("category", "location", "status", "supplier")
        ),
        *(
            Index(f"ix_asset_{column}_order", column, "item_key", "id")
            for column in ("serial_key", "quantity", "purchase_price", "value", "purchase_date")
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    asset_id: Mapped[str] = mapped_column(key_text(ID.limit))
    asset_key: Mapped[str] = mapped_column(key_text(4 * ID.limit), unique=True)
    item: Mapped[str] = mapped_column(key_text(ITEM.limit))
    item_key: Mapped[str] = mapped_column(key_text(4 * ITEM.limit))
    make: Mapped[str] = _text("make")
    make_key: Mapped[str] = _key("make")
    model: Mapped[str] = _text("model")
    model_key: Mapped[str] = _key("model")
    serial: Mapped[str] = _text("serial")
    serial_key: Mapped[str] = _key("serial")
    supplier: Mapped[str] = _text("supplier")
    supplier_key: Mapped[str] = _key("supplier")
    location: Mapped[str] = _text("location")
    location_key: Mapped[str] = _key("location")
    purchase_date: Mapped[date | None]
    purchase_price: Mapped[int] = mapped_column(default=0)
    category: Mapped[str] = _text("category")
    category_key: Mapped[str] = _key("category")
    status: Mapped[str] = _text("status")
    status_key: Mapped[str] = _key("status")
    quantity: Mapped[int] = mapped_column(default=1)
    value: Mapped[int] = mapped_column(BigInteger)
    search_key: Mapped[str] = mapped_column(LongText)
    revision: Mapped[int] = mapped_column(default=0)


def column_name(name: str) -> str:
    """Return the column of Asset that holds a field of ASSET_FIELDS."""
    return "asset_id" if name == ID.name else name


def key_column_name(name: str) -> str:
    """Return the column of Asset that holds the key of a text field."""
    return "asset_key" if name == ID.name else f"{name}_key"


def key_column(name: str) -> InstrumentedAttribute[str]:
    """Return the column of Asset that holds the key of a text field."""
    column: InstrumentedAttribute[str] = getattr(Asset, key_column_name(name))
    return column


class AssetMove(Base):
    """A move of an asset from one location to another; it stays when the asset is removed.

    A move without a user was recorded from the terminal. Of moves that were made together, all but
    the first have its id as `first_id`. `undoes_id` is the move that this one takes back; each is
    taken back at most once. The first has the `client_key` and `client_digest` of the submission
    that made them.
    """

    __tablename__ = "asset_move"
    __table_args__ = (
        Index("ix_asset_move_at_id", "at", "id"),
        Index("ix_asset_move_asset_key_at_id", "asset_key", "at", "id"),
        # The history's location filter lists these names without reading the rows.
        Index("ix_asset_move_start_key_start_position", "start_key", "start_position"),
        Index("ix_asset_move_end_key_end_position", "end_key", "end_position"),
        Index("ix_asset_move_user_id_at_id", "user_id", "at", "id"),
        Index("uq_asset_move_undoes_id", "undoes_id", unique=True),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    asset_id: Mapped[str] = mapped_column(key_text(ID.limit))
    asset_key: Mapped[str] = mapped_column(key_text(4 * ID.limit))
    item: Mapped[str] = mapped_column(key_text(ITEM.limit))
    start_position: Mapped[str] = mapped_column(key_text(LOCATION.limit), default="")
    start_key: Mapped[str] = mapped_column(key_text(4 * LOCATION.limit), default="")
    end_position: Mapped[str] = mapped_column(key_text(LOCATION.limit), default="")
    end_key: Mapped[str] = mapped_column(key_text(4 * LOCATION.limit), default="")
    search_key: Mapped[str] = mapped_column(LongText)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    first_id: Mapped[int | None] = mapped_column(ForeignKey("asset_move.id"), index=True)
    undoes_id: Mapped[int | None] = mapped_column(ForeignKey("asset_move.id"))
    client_key: Mapped[str | None] = mapped_column(String(64))
    client_digest: Mapped[str | None] = mapped_column(String(64))


keep_client_keys(
    AssetMove.id, AssetMove.user_id, AssetMove.client_key, AssetMove.client_digest, AssetMove.at
)
