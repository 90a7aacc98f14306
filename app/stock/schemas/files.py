"""Stock as files hold it, under the seed's field names."""

from pathlib import Path

from app import money, names
from app.errors import Invalid
from app.stock.rules import operations as rules
from app.stock.rules.operations import ItemState
from app.tables.csv_files import Table, text_of, unescape

_REQUIRED = ("item", "amount", "category", "unitPrice")
_OPTIONAL = ("unit",)
ITEM_ALIASES = {"name": "item", "id": "item", "qty": "amount"}
"""The other names that an item's name and amount have (seed §3)."""

STOCK_COLUMNS = (*_REQUIRED, *_OPTIONAL)


def read_stock(file: Path) -> tuple[list[ItemState], bool]:
    """Return the items of a stock list, and whether it says nothing of units.

    Raises FileErrors that names every row and column that is wrong.
    """
    table = Table(file, _REQUIRED, _OPTIONAL, aliases=ITEM_ALIASES)
    wanted: list[ItemState] = []
    seen: dict[str, int] = {}
    for cells in table:
        name = cells.read("item", parse_name, "")
        key = names.key(name)
        if key and key in seen:
            cells.refuse("item", f'"{name}" stands in row {seen[key]} already')
        seen.setdefault(key, cells.line)
        wanted.append(
            ItemState(
                id=None,
                name=name,
                amount=cells.read("amount", parse_amount, 0),
                category=cells.read("category", text_of("Category", rules.LONGEST_CATEGORY), ""),
                unit_price=cells.read("unitPrice", lambda text: money.parse_pounds(text or "0"), 0),
                unit=cells.read("unit", text_of("Unit", rules.LONGEST_UNIT), "")
                or rules.DEFAULT_UNIT,
            )
        )
    table.check()
    return wanted, not table.has("unit")


def parse_name(text: str) -> str:
    """Read an item's name; raises Invalid."""
    name = names.clean(unescape(text), limit=rules.LONGEST_NAME, what="Item name")
    if not name:
        raise Invalid("Item name is required")
    return name


def parse_amount(text: str) -> int:
    """Read an amount of 0 to MAX_AMOUNT; raises Invalid."""
    amount = money.parse_whole_number(text)
    if amount < 0:
        raise Invalid("Amount must be 0 or more")
    if amount > money.MAX_AMOUNT:
        raise Invalid(f"Amount must be at most {money.format_number(money.MAX_AMOUNT)}")
    return amount
