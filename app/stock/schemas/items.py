"""JSON and CSV of items: stock lists and count sheets."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, ClassVar

from marshmallow import missing, post_load, validate

from app import money, names
from app.api import replies
from app.api.fields import FullMessage, JsonText, json_field
from app.api.lists import ListPaging, ViewPaging
from app.api.replies import Reply, reply_of
from app.api.schemas import Body, NotEmpty, body_of
from app.errors import Invalid
from app.fields import fields_of
from app.records.calls import order_parameter, parameter
from app.records.record import Column, columns_of
from app.stock.queries.levels import StockRow
from app.stock.rules import items as rules
from app.stock.rules.filters import LOW_LEVEL, STOCK_ORDERS, StockFilters
from app.stock.rules.items import ItemState
from app.stock.rules.operations import Change
from app.tables.columns import Prepared, plan_of
from app.tables.csv_files import Table, cell_reader, errors_of_file
from app.tables.sheets import read_sheet

PRICE = rules.UNIT_PRICE.json

_OPTIONAL: dict[str, Any] = {"load_default": missing, "allow_none": False}


@body_of(ItemState)
class ItemBody(Body):
    """An item of the list; its name acts as id."""

    aliases: ClassVar = rules.ITEM_ALIASES

    amount = json_field(replace(rules.AMOUNT, required="Amount is required"))

    def made(self, data: Mapping[str, Any]) -> ItemState:
        """Return the item, which isn't stored."""
        return ItemState(None, **data)


@body_of(ItemState, **_OPTIONAL)
class ItemChange(Body):
    """The values that a set changes; the others stay."""

    aliases: ClassVar = rules.ITEM_ALIASES
    field_rules: ClassVar = [NotEmpty("Must change something.")]
    example: ClassVar = {PRICE: 2.25}

    name = json_field(
        replace(rules.NAME, required=None),
        validate=validate.Length(min=1, error=FullMessage(rules.NAME.required)),
        **_OPTIONAL,
    )
    amount = json_field(replace(rules.AMOUNT, required=None), **_OPTIONAL)

    def made(self, data: Mapping[str, Any]) -> Change:
        """Return the change of an item that `plan_patch` finds; an empty unit changes nothing."""
        return Change(0, **{**data, "unit": data.get("unit") or None})


class StockParameters(ViewPaging):
    """The parameters of the call of a stock list: a part of it, its filters and its order."""

    search = parameter("search", "Words of an item's name, in any order", "heart")
    category = parameter("category", "The category of the items", "Seasonal")
    level = parameter("level", "low: items below their minimum", LOW_LEVEL, {"enum": [LOW_LEVEL]})
    sort = order_parameter(STOCK_ORDERS)

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> tuple[StockFilters, ListPaging]:
        search, category = data.pop("search", ""), data.pop("category", "")
        order, is_low = STOCK_ORDERS.parse(data.pop("sort", "")), bool(data.pop("level", ""))
        filters = StockFilters(search, category, order, is_low=is_low)
        return filters, super()._paging(data, **options)


class AmountReply(Reply):
    """An item's amount after a change."""

    item = replies.of(rules.NAME, itemgetter(0))
    amount = replies.of(rules.AMOUNT, itemgetter(1))


@reply_of(ItemState)
class ItemReply(Reply):
    """An item of the list; its price is in pounds."""


def item_json(item: Any) -> dict[str, Any]:
    """Return an item of the list as JSON; whole lists take half the time of `ItemReply.write`."""
    return {
        "item": item.name,
        "amount": item.amount,
        "category": item.category,
        PRICE: item.unit_price / 100,
        "unit": item.unit,
    }


MAX_LINES = 10_000


class TeamField(JsonText):
    """A team's name, or an object that has the name as `name` or `id`; null is no team."""

    def __init__(self, **options: Any) -> None:
        metadata = {
            "description": "Its name, or in a body an object that has it as `name` or `id`",
            "example": rules.TEAM.example,
        }
        defaults = {"load_default": rules.TEAM.default, "allow_none": True, "metadata": metadata}
        super().__init__(limit=rules.TEAM.limit, what=rules.TEAM.what, **{**defaults, **options})

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            value = value.get("name") or value.get("id")
        return super()._deserialize(value, *args, **kwargs)


STOCK_FILE: Sequence[Column[StockRow]] = tuple(columns_of(ItemState, lambda row: row))

parse_name = cell_reader(rules.NAME)
parse_category = cell_reader(rules.CATEGORY)
parse_price = cell_reader(rules.UNIT_PRICE)
_parse_unit = cell_reader(rules.UNIT)


def read_stock(source: Prepared) -> tuple[list[ItemState], Collection[str]]:
    """Return a file's items, and the names of the values that it lacks. Raises FileErrors."""
    table = Table(source)
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
                unit_price=cells.read(PRICE, parse_price, 0),
                unit=cells.read("unit", _parse_unit, "") or rules.DEFAULT_UNIT,
            )
        )
    table.check()
    return items, {name for name, f in fields_of(ItemState).items() if not table.has(f.json)}


def parse_amount(text: str) -> int:
    """Parse an amount from 0 to MAX_AMOUNT; raises Invalid."""
    amount = money.parse_whole_number(text)
    if amount < 0:
        raise Invalid("Amount must be 0 or more")
    if amount > money.MAX_AMOUNT:
        raise Invalid(f"Amount must be at most {money.format_number(money.MAX_AMOUNT)}")
    return amount


SHEET_FILE: Sequence[Column[StockRow]] = (
    *(column for column in STOCK_FILE if column.name != "amount"),
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


def read_count_sheet(data: bytes, items: Mapping[str, ItemState]) -> dict[str, Any]:
    """Return a sheet's counted lines, and those outside `items`, by key. Raises FileErrors."""
    name, refusal, required = "count sheet", "Nothing was loaded.", ("item", "counted")
    fields = {column.name: column.field for column in SHEET_FILE}
    with errors_of_file(name, refusal):
        sheet = read_sheet(data)
        plan = plan_of(sheet, fields)
    optional = [column for column in fields if column not in required]
    source = Prepared(name, sheet, plan, fields, required, optional, accepts_others=False)
    table = Table(source, refusal)
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
            price = cells.read(PRICE, parse_price, 0)
            found.append(
                {
                    "name": name,
                    "qty": counted,
                    "category": cells.read("category", parse_category, ""),
                    PRICE: price / 100,
                }
            )
    table.check()
    if not lines and not found:
        raise Invalid("Nothing is filled in: write the counts into the column counted.")
    return {"lines": lines, "found": found}


def _optional_amount(text: str) -> int | None:
    return parse_amount(text) if text.strip() else None
