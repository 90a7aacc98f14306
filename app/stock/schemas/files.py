"""CSV of stock lists, and count sheets."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app import money, names
from app.api import replies
from app.api.replies import Reply
from app.errors import Invalid
from app.records.record import Column
from app.stock.queries.levels import StockRow
from app.stock.rules.items import CATEGORY, DEFAULT_UNIT, ITEM_ALIASES, NAME, UNIT, ItemState
from app.tables.csv_files import Source, Table, cell_reader

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


_REQUIRED = ("item", "counted")
_OPTIONAL = ("category", "unitPrice", "unit", "expected")

_STOCK = {column.name: column for column in STOCK_FILE}
SHEET_FILE: Sequence[Column[StockRow]] = (
    _STOCK["item"],
    _STOCK["category"],
    _STOCK["unitPrice"],
    _STOCK["unit"],
    Column("expected", lambda row: row.amount),
    Column("counted", lambda _: None),
)
"""The columns of a sheet; `counted` is empty."""


class SheetLine(Reply):
    """A counted item."""

    id = replies.text("HAND WARMER UNION JACK")
    expected = replies.number(79)
    counted = replies.number(77)


class FoundItem(Reply):
    """A counted item that isn't in the list."""

    name = replies.text("HAND WARMER UNION JACK")
    qty = replies.number(3)
    category = replies.text("Seasonal")
    unit_price = replies.pounds(2.1)


class SheetReply(Reply):
    """The content of a filled-in sheet, without the lines that were left empty."""

    lines = replies.rows(SheetLine)
    found = replies.rows(FoundItem)


def read_sheet(source: Source, items: Mapping[str, ItemState]) -> dict[str, Any]:
    """Return the counted lines, and separately the lines of items outside the list.

    `items` are the site's items by key. A line without an expected amount expects the current one.
    Raises FileErrors with every wrong row and column.
    """
    table = Table(source, _REQUIRED, _OPTIONAL, refusal="Nothing was loaded.")
    lines: list[dict[str, Any]] = []
    found: list[dict[str, Any]] = []
    for cells in table:
        name = cells.read("item", parse_name, "")
        counted = cells.read("counted", _optional_amount)
        expected = cells.read("expected", _optional_amount)
        if counted is None or not name:
            continue
        key = names.key(name)
        cells.refuse_repeated("item", name, key)
        item = items.get(key)
        if item is not None:
            expected = item.amount if expected is None else expected
            lines.append({"id": item.name, "expected": expected, "counted": counted})
        elif expected is not None:
            cells.refuse("item", f'"{name}" is no longer in stock')
        elif counted:
            price = cells.read("unitPrice", lambda text: money.parse_pounds(text or "0"), 0)
            found.append(
                {
                    "name": name,
                    "qty": counted,
                    "category": cells.read("category", parse_category, ""),
                    "unitPrice": price / 100,
                }
            )
    table.check()
    if not lines and not found:
        raise Invalid("Nothing is filled in: write the counts into the column counted.")
    return {"lines": lines, "found": found}


def _optional_amount(text: str) -> int | None:
    return parse_amount(text) if text.strip() else None
