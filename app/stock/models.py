"""Sites, items and the ledger that explains every amount."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text, text_enum
from app.divisions import Division, Site
from app.money import MAX_AMOUNT, MAX_PENCE
from app.stock.rules.item_fields import CATEGORY, NAME, REASON, TEAM, UNIT
from app.stock.rules.items import (
    DEFAULT_UNIT,
    EntryKind,
)


class StockSite(Base):
    """One division's stock at one site; every change of it increments `version`."""

    __tablename__ = "stock_site"
    __table_args__ = (UniqueConstraint("division", "site"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    division: Mapped[Division] = mapped_column(text_enum(Division, "division"))
    site: Mapped[Site] = mapped_column(text_enum(Site, "site"))
    version: Mapped[int] = mapped_column(default=0)
    hides_count: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether the site's page hides the stock check."""


class Item(Base):
    """Something kept in stock at one site; its price is in pence.

    `revision` counts the changes of its values other than the amount.
    """

    __tablename__ = "item"

    id: Mapped[int] = mapped_column(primary_key=True)
    site_id: Mapped[int] = mapped_column(ForeignKey("stock_site.id"))
    name: Mapped[str] = mapped_column(String(NAME.limit))
    name_key: Mapped[str] = mapped_column(key_text(4 * NAME.limit))
    amount: Mapped[int]
    category: Mapped[str] = mapped_column(String(CATEGORY.limit), default="")
    unit_price: Mapped[int] = mapped_column(default=0)
    unit: Mapped[str] = mapped_column(String(UNIT.limit), default=DEFAULT_UNIT)
    revision: Mapped[int] = mapped_column(default=0)
    removed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__: Any = (
        CheckConstraint(f"amount BETWEEN 0 AND {MAX_AMOUNT}", name="amount_in_range"),
        CheckConstraint(f"unit_price BETWEEN 0 AND {MAX_PENCE}", name="unit_price_in_range"),
        CheckConstraint("removed_at IS NULL OR amount = 0", name="removed_is_empty"),
        Index(
            "uq_item_live_name",
            "site_id",
            "name_key",
            unique=True,
            sqlite_where=removed_at.is_(None),
            postgresql_where=removed_at.is_(None),
        ),
        Index(
            "ix_item_live_category",
            "site_id",
            "category",
            "name_key",
            sqlite_where=removed_at.is_(None),
            postgresql_where=removed_at.is_(None),
        ),
    )


class StockOperation(Base):
    """A set of changes that were made together; without a user it came from the terminal.

    `undoes_id` is the operation that this one takes back; each is taken back at most once.
    """

    __tablename__ = "stock_operation"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    recorded_at: Mapped[datetime] = mapped_column(UtcDateTime)
    undoes_id: Mapped[int | None] = mapped_column(ForeignKey("stock_operation.id"))

    __table_args__ = (Index("uq_stock_operation_undoes_id", "undoes_id", unique=True),)


class LedgerEntry(Base):
    """One line of an operation, never changed or deleted.

    `changes` are the values other than the amount that it changed, as (before, after). A line of
    imported history has delta 0 and the old system's own values in the columns that begin with
    `imported`; the total is in pence.
    """

    __tablename__ = "ledger_entry"
    __table_args__ = (
        UniqueConstraint("operation_id", "line"),
        Index("ix_ledger_entry_site_id_effective_at", "site_id", "effective_at"),
        Index("ix_ledger_entry_item_id", "item_id"),
        Index("ix_ledger_entry_effective_at_id", "effective_at", "id"),
        Index("ix_ledger_entry_site_id_team", "site_id", "team"),
        Index("ix_ledger_entry_site_id_kind_delta", "site_id", "kind", "delta"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    operation_id: Mapped[int] = mapped_column(ForeignKey("stock_operation.id"))
    line: Mapped[int]
    site_id: Mapped[int] = mapped_column(ForeignKey("stock_site.id"))
    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"))
    item_name: Mapped[str] = mapped_column(String(NAME.limit))
    kind: Mapped[EntryKind] = mapped_column(text_enum(EntryKind, "kind"))
    delta: Mapped[int]
    unit_price: Mapped[int]
    team: Mapped[str] = mapped_column(String(TEAM.limit), default="")
    reason: Mapped[str] = mapped_column(String(REASON.limit), default="")
    effective_at: Mapped[datetime] = mapped_column(UtcDateTime)
    changes: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    imported_amount: Mapped[int | None]
    imported_total: Mapped[int | None] = mapped_column(BigInteger)
    imported_site: Mapped[str | None] = mapped_column(String(10))
