"""The register and its history as files hold them, under the seed's field names (design §6)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from app import dates, money, names
from app.assets.queries.moves import Move
from app.assets.queries.register import AssetRow
from app.assets.rules import assets as rules
from app.assets.rules.assets import ToldAsset
from app.errors import Invalid
from app.tables.csv_files import Cells, Table, escape, text_of

ASSET_COLUMNS = (
    "id",
    "item",
    "make",
    "model",
    "serial",
    "supplier",
    "location",
    "purchaseDate",
    "purchasePrice",
    "category",
    "status",
    "quantity",
)
MOVE_COLUMNS = ("date", "id", "item", "startPosition", "endPosition", "user")


def read_assets(file: Path) -> list[ToldAsset]:
    """Return the assets of a file; a column that it lacks tells nothing.

    Raises FileErrors that names every row and column that is wrong.
    """
    table = Table(file, ("item",), tuple(name for name in ASSET_COLUMNS if name != "item"))
    seen: dict[str, int] = {}
    told = [_asset(cells, seen) for cells in table]
    table.check()
    return told


def asset_rows(assets: Iterable[AssetRow]) -> Iterator[Sequence[str]]:
    """Return assets as rows of a file."""
    for row in assets:
        yield (
            escape(row.asset_id),
            escape(row.item),
            escape(row.make),
            escape(row.model),
            escape(row.serial),
            escape(row.supplier),
            escape(row.location),
            row.purchase_date.isoformat() if row.purchase_date else "",
            money.plain_pounds(row.purchase_price),
            escape(row.category),
            escape(row.status),
            str(row.quantity),
        )


def move_rows(moves: Iterable[Move]) -> Iterator[Sequence[str]]:
    """Return moves as rows of a file."""
    for move in moves:
        yield (
            dates.london_day(move.at).isoformat(),
            escape(move.asset_id),
            escape(move.item),
            escape(move.start_position),
            escape(move.end_position),
            escape(move.who),
        )


def _item(text: str) -> str:
    item = text_of("Item", rules.LONGEST_ITEM)(text)
    if not item:
        raise Invalid(rules.ITEM_REQUIRED)
    return item


def _day(text: str) -> date | None:
    if not text.strip():
        return None
    return dates.check_day(dates.parse_day(text), earliest=rules.EARLIEST_PURCHASE)


def _price(text: str) -> int:
    return money.parse_pounds(text) if text.strip() else 0


def _quantity(text: str) -> int:
    number = money.parse_whole_number(text) if text.strip() else 1
    if not 1 <= number <= money.MAX_AMOUNT:
        raise Invalid(f"Quantity must be 1 to {money.format_number(money.MAX_AMOUNT)}")
    return number


_READ: dict[str, tuple[str, Callable[[str], Any]]] = {
    "item": ("item", _item),
    "make": ("make", text_of("Make", rules.LONGEST_MAKE)),
    "model": ("model", text_of("Model", rules.LONGEST_MAKE)),
    "serial": ("serial", text_of("Serial", rules.LONGEST_SERIAL)),
    "supplier": ("supplier", text_of("Supplier", rules.LONGEST_SUPPLIER)),
    "location": ("location", text_of("Location", rules.LONGEST_LOCATION)),
    "purchaseDate": ("purchase_date", _day),
    "purchasePrice": ("purchase_price", _price),
    "category": ("category", text_of("Category", rules.LONGEST_CATEGORY)),
    "status": ("status", text_of("Status", rules.LONGEST_STATUS)),
    "quantity": ("quantity", _quantity),
}


def _asset(cells: Cells, seen: dict[str, int]) -> ToldAsset:
    asset_id = cells.read("id", text_of("ID", rules.LONGEST_ID), "")
    key = names.key(asset_id)
    if key and key in seen:
        cells.refuse("id", f'"{asset_id}" stands in row {seen[key]} already')
    seen.setdefault(key, cells.line)
    missing = object()
    told = {name: cells.read(column, parse, missing) for column, (name, parse) in _READ.items()}
    return ToldAsset(
        asset_id, {name: value for name, value in told.items() if value is not missing}
    )
