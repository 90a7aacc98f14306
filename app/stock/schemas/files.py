"""Stock lists as CSV files."""

from collections.abc import Sequence
from pathlib import Path

from app import money, names
from app.errors import Invalid
from app.records.record import Column
from app.stock.queries.levels import StockRow
from app.stock.rules.item_fields import CATEGORY, ITEM_ALIASES, NAME, UNIT
from app.stock.rules.items import DEFAULT_UNIT, ItemState
from app.tables.cells import cell_reader
from app.tables.csv_files import Table

STOCK_FILE: Sequence[Column[StockRow]] = (
    Column("item", lambda row: row.name),
    Column("amount", lambda row: row.amount),
    Column("category", lambda row: row.category),
    Column("unitPrice", lambda row: money.plain_pounds(row.unit_price)),
    Column("unit", lambda row: row.unit),
)

parse_name = cell_reader(NAME)
parse_category = cell_reader(CATEGORY)
_parse_unit = cell_reader(UNIT)


def read_stock(file: Path) -> tuple[list[ItemState], bool]:
    """Return the items of a stock list, and whether it has no column of units.

    Raises FileErrors that names every row and column that is wrong.
    """
    *required, unit = (column.name for column in STOCK_FILE)
    table = Table(file, required, [unit], aliases=ITEM_ALIASES)
    items: list[ItemState] = []
    for cells in table:
        name = cells.read("item", parse_name, "")
        cells.refuse_repeated("item", name, names.key(name))
        items.append(
            ItemState(
                id=None,
                name=name,
                amount=cells.read("amount", parse_amount, 0),
                category=cells.read("category", parse_category, ""),
                unit_price=cells.read("unitPrice", lambda text: money.parse_pounds(text or "0"), 0),
                unit=cells.read("unit", _parse_unit, "") or DEFAULT_UNIT,
            )
        )
    table.check()
    return items, not table.has("unit")


def parse_amount(text: str) -> int:
    """Parse an amount from 0 to MAX_AMOUNT; raises Invalid."""
    amount = money.parse_whole_number(text)
    if amount < 0:
        raise Invalid("Amount must be 0 or more")
    if amount > money.MAX_AMOUNT:
        raise Invalid(f"Amount must be at most {money.format_number(money.MAX_AMOUNT)}")
    return amount
