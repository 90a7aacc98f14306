"""Repairs with their costs, their mended defects, and their parts from stock."""

from collections.abc import Iterable
from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app import names
from app.db import Base, UtcDateTime, key_text
from app.fleet.rules.plates import MAX_PLATE_LENGTH
from app.idempotency import keep_client_keys
from app.money import MAX_AMOUNT, MAX_PENCE
from app.reference_numbers import ReferenceNumber, Series
from app.search import SearchedText
from app.stock.rules.item_fields import NAME
from app.upkeep.rules.defect_fields import GARAGE
from app.upkeep.rules.repairs import INVOICE_NUMBER


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
    garage: Mapped[str] = mapped_column(String(GARAGE.limit), default="")
    started_on: Mapped[date | None]
    finished_on: Mapped[date]
    odometer: Mapped[int | None]
    invoice_number: Mapped[str] = mapped_column(String(INVOICE_NUMBER.limit), default="")
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
    """Parts that a repair took from stock, by a withdrawal; `pence` is their price in all.

    A reversal's parts came back: quantity and price are negative.
    """

    __tablename__ = "repair_part"
    __table_args__ = (UniqueConstraint("repair_id", "position"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    repair_id: Mapped[int] = mapped_column(ForeignKey("repair.id"))
    position: Mapped[int]
    operation_id: Mapped[int] = mapped_column(ForeignKey("stock_operation.id"), index=True)
    name: Mapped[str] = mapped_column(String(NAME.limit))
    quantity: Mapped[int]
    pence: Mapped[int]
