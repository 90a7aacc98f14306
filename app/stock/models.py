"""Sites, items and the ledger that explains every amount."""

from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime, key_text, partial_index, text_enum
from app.divisions import Division, Site
from app.idempotency import keep_client_keys
from app.money import MAX_AMOUNT, MAX_PENCE
from app.stock.rules.items import CATEGORY, DEFAULT_UNIT, NAME, REASON, TEAM, UNIT, EntryKind
from app.stock.rules.levels import SNOOZE_REASON, SUPPLIER, Source

LISTED = "NOT (kind = 'count' AND delta = 0)"
"""The SQL condition that a history lists a ledger entry: not a count that found the amount right.

It is a text without parameters, because indexes of the listed entries serve no other condition.
"""

LIVE = "removed_at IS NULL"
AT_ZERO = f"{LIVE} AND amount = 0"
"""The SQL condition that a site has none of an item, a text for the same reason."""

LOW = "removed_at IS NULL AND amount < minimum"
"""The SQL condition that an item is below its minimum, a text for the same reason."""

COUNTED = "kind = 'count'"
"""The SQL condition of an entry of a stock check, a text for the same reason."""


class StockSite(Base):
    """One division's stock at one site; every change of it increments `version`.

    `items`, `units` and the value of the live items are kept by the ledger. The value is
    `value_high` × app.money.PRICE_PART + `value_low`, in pence.
    """

    __tablename__ = "stock_site"
    __table_args__ = (sa.UniqueConstraint("division", "site"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    division: Mapped[Division] = mapped_column(text_enum(Division, "division"))
    site: Mapped[Site] = mapped_column(text_enum(Site, "site"))
    version: Mapped[int] = mapped_column(default=0)
    items: Mapped[int] = mapped_column(default=0, server_default="0")
    units: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    value_high: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    value_low: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    hides_count: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    """Whether the site's page hides the stock check."""
    takes_deliveries: Mapped[bool] = mapped_column(default=True, server_default=sa.true())
    """Whether deliveries can be ordered for it, even without the setting GFM_DELIVERIES."""
    levels_version: Mapped[int] = mapped_column(default=0, server_default="0")
    """The version of its minimums and targets, which `version` leaves out."""


class Item(Base):
    """Something kept at one site, its price in pence; `revision` counts edits.

    `minimum` is the minimum in force, of its StockLevel, None without one.
    """

    __tablename__ = "item"

    id: Mapped[int] = mapped_column(primary_key=True)
    site_id: Mapped[int] = mapped_column(sa.ForeignKey("stock_site.id"))
    name: Mapped[str] = mapped_column(sa.String(NAME.limit))
    name_key: Mapped[str] = mapped_column(key_text(4 * NAME.limit))
    amount: Mapped[int]
    category: Mapped[str] = mapped_column(sa.String(CATEGORY.limit), default="")
    unit_price: Mapped[int] = mapped_column(default=0)
    unit: Mapped[str] = mapped_column(sa.String(UNIT.limit), default=DEFAULT_UNIT)
    revision: Mapped[int] = mapped_column(default=0)
    removed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    minimum: Mapped[int | None]

    __table_args__: Any = (
        sa.CheckConstraint(f"amount BETWEEN 0 AND {MAX_AMOUNT}", name="amount_in_range"),
        sa.CheckConstraint(f"unit_price BETWEEN 0 AND {MAX_PENCE}", name="unit_price_in_range"),
        sa.CheckConstraint("removed_at IS NULL OR amount = 0", name="removed_is_empty"),
        partial_index("uq_item_live_name", "site_id", "name_key", where=sa.text(LIVE), unique=True),
        *(
            partial_index(f"ix_item_live_{name}", "site_id", name, "name_key", where=sa.text(LIVE))
            for name in ("category", "amount", "unit_price")
        ),
        partial_index("ix_item_at_zero", "site_id", "name_key", where=sa.text(AT_ZERO)),
        partial_index("ix_item_low", "site_id", "name_key", where=sa.text(LOW)),
        partial_index("ix_item_removed_name", "site_id", "name_key", where=removed_at.is_not(None)),
    )


class StockLevel(Base):
    """The minimum and target of an item, and where it is reordered.

    It stays with a removed item until an item of its name is added again: a trigger hands it on.
    `revision` counts edits.
    """

    __tablename__ = "stock_level"
    __table_args__ = (
        sa.CheckConstraint("pack >= 1", name="pack_is_positive"),
        sa.CheckConstraint("target >= minimum", name="target_reaches_minimum"),
    )

    item_id: Mapped[int] = mapped_column(
        sa.ForeignKey("item.id"), primary_key=True, autoincrement=False
    )
    minimum: Mapped[int | None]
    target: Mapped[int | None]
    pack: Mapped[int] = mapped_column(default=1)
    source: Mapped[Source] = mapped_column(text_enum(Source, "source"), default=Source.SUPPLIER)
    supplier: Mapped[str] = mapped_column(sa.String(SUPPLIER.limit), default="")
    from_site: Mapped[Site | None] = mapped_column(text_enum(Site, "from_site"))
    lead_days: Mapped[int | None]
    snoozed_until: Mapped[date | None]
    snooze_reason: Mapped[str] = mapped_column(sa.String(SNOOZE_REASON.limit), default="")
    set_by: Mapped[int | None] = mapped_column(sa.ForeignKey("user_account.id"))
    set_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revision: Mapped[int] = mapped_column(default=0)


class StockOperation(Base):
    """A set of changes that were made together, by a user or at the terminal.

    `undoes_id` is the operation that this one takes back; each is taken back at most once. The
    client's key and digest, and `made_at` if it waited, are its submission's.
    """

    __tablename__ = "stock_operation"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int | None] = mapped_column(sa.ForeignKey("user_account.id"))
    recorded_at: Mapped[datetime] = mapped_column(UtcDateTime)
    undoes_id: Mapped[int | None] = mapped_column(sa.ForeignKey("stock_operation.id"))
    client_key: Mapped[str | None] = mapped_column(sa.String(64))
    client_digest: Mapped[str | None] = mapped_column(sa.String(64))
    made_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__ = (
        sa.Index("uq_stock_operation_undoes_id", "undoes_id", unique=True),
        sa.Index("ix_stock_operation_user_id_id", "user_id", "id"),
    )


keep_client_keys(
    StockOperation.id,
    StockOperation.user_id,
    StockOperation.client_key,
    StockOperation.client_digest,
    StockOperation.recorded_at,
)


def _index_where(condition: str, *columns: str) -> sa.Index:
    name = "_".join(("ix_ledger_entry", *columns))
    return partial_index(name, *columns, where=sa.text(condition))


class LedgerEntry(Base):
    """One line of an operation, never changed or deleted.

    `changes` are the values other than the amount that it changed, as (before, after). A line of
    imported history has delta 0 and the old system's own values in the columns that begin with
    `imported`; the total is in pence.
    """

    __tablename__ = "ledger_entry"
    __table_args__ = (
        sa.UniqueConstraint("operation_id", "line"),
        sa.Index("ix_ledger_entry_item_id", "item_id"),
        sa.Index("ix_ledger_entry_effective_at_id", "effective_at", "id"),
        _index_where(LISTED, "site_id", "effective_at", "id"),
        _index_where(LISTED, "site_id", "team", "effective_at", "id"),
        _index_where(LISTED, "site_id", "kind", "effective_at", "id"),
        _index_where("imported_amount IS NULL", "item_id", "effective_at", "id"),
        _index_where("imported_amount IS NULL", "site_id", "delta"),
        _index_where("imported_amount IS NOT NULL", "site_id", "imported_amount"),
        _index_where("imported_site IS NOT NULL", "imported_site"),
        _index_where("reason <> ''", "reason"),
        _index_where(COUNTED, "item_id", "effective_at"),
        _index_where(COUNTED, "site_id", "effective_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    operation_id: Mapped[int] = mapped_column(sa.ForeignKey("stock_operation.id"))
    line: Mapped[int]
    site_id: Mapped[int] = mapped_column(sa.ForeignKey("stock_site.id"))
    item_id: Mapped[int] = mapped_column(sa.ForeignKey("item.id"))
    item_name: Mapped[str] = mapped_column(sa.String(NAME.limit))
    kind: Mapped[EntryKind] = mapped_column(text_enum(EntryKind, "kind"))
    delta: Mapped[int]
    unit_price: Mapped[int]
    team: Mapped[str] = mapped_column(sa.String(TEAM.limit), default="")
    reason: Mapped[str] = mapped_column(sa.String(REASON.limit), default="")
    effective_at: Mapped[datetime] = mapped_column(UtcDateTime)
    changes: Mapped[dict[str, Any] | None] = mapped_column(sa.JSON(none_as_null=True))
    imported_amount: Mapped[int | None]
    imported_total: Mapped[int | None] = mapped_column(sa.BigInteger)
    imported_site: Mapped[str | None] = mapped_column(sa.String(10))


class LedgerSummary(Base):
    """The number of entries in a site's history on a London day, with units and total prices.

    Each combination of displayed values has a row, and one of ALL_DAYS; the ledger's writers keep
    them, so that pages count without reading entries. `team` is the stored text, `site` what is
    displayed. The total prices are `value_high` × app.money.PRICE_PART + `value_low`, in pence.
    The columns that begin with `undone` sum up the entries that were undone.
    """

    __tablename__ = "ledger_summary"

    site_id: Mapped[int] = mapped_column(sa.ForeignKey("stock_site.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    kind: Mapped[EntryKind] = mapped_column(text_enum(EntryKind, "kind"), primary_key=True)
    team: Mapped[str] = mapped_column(sa.String(TEAM.limit), primary_key=True)
    site: Mapped[str] = mapped_column(sa.String(10), primary_key=True)
    is_imported: Mapped[bool] = mapped_column(primary_key=True)
    entries: Mapped[int]
    units: Mapped[int] = mapped_column(sa.BigInteger)
    value_high: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    value_low: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    undone_units: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    undone_high: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    undone_low: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")


class ItemUse(Base):
    """The movements of an item on a London day: by how much it changed, and what was withdrawn.

    `units` were withdrawn, of which `undone` were taken back later, whatever the day. The total
    price of the rest is `value_high` × app.money.PRICE_PART + `value_low`, in pence. A trigger of
    the ledger adds its entries; `undone` is kept by who undoes them.
    """

    __tablename__ = "item_use"

    item_id: Mapped[int] = mapped_column(sa.ForeignKey("item.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    delta: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    units: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    undone: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    value_high: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")
    value_low: Mapped[int] = mapped_column(sa.BigInteger, default=0, server_default="0")


class LedgerReason(Base):
    """A reason that ledger entries have, with its key for the search."""

    __tablename__ = "ledger_reason"

    id: Mapped[int] = mapped_column(primary_key=True)
    reason: Mapped[str] = mapped_column(sa.String(REASON.limit), unique=True)
    reason_key: Mapped[str] = mapped_column(key_text(4 * REASON.limit))


class PastName(Base):
    """The key of a name that an item had when the ledger recorded some of its entries."""

    __tablename__ = "item_past_name"
    __table_args__ = (sa.UniqueConstraint("item_id", "name_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    item_id: Mapped[int] = mapped_column(sa.ForeignKey("item.id"))
    name_key: Mapped[str] = mapped_column(key_text(4 * NAME.limit), index=True)
