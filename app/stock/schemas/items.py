"""JSON of items."""

from dataclasses import replace
from operator import itemgetter
from typing import Any, ClassVar

from marshmallow import missing, post_load, validate

from app.api import replies
from app.api.field_rules import NotEmpty
from app.api.fields import FullMessage, JsonText, json_field
from app.api.lists import ListPaging, Paging
from app.api.replies import Reply
from app.api.schemas import Body
from app.records.calls import order_parameter, parameter
from app.stock.queries.levels import StockFilters
from app.stock.rules.items import (
    AMOUNT,
    CATEGORY,
    ITEM_ALIASES,
    NAME,
    TEAM,
    UNIT,
    UNIT_PRICE,
    ItemState,
)
from app.stock.rules.operations import Change
from app.stock.rules.sorting import STOCK_ORDERS

_OPTIONAL: dict[str, Any] = {"load_default": missing, "allow_none": False}


class ItemBody(Body):
    """An item of the list; its name acts as id."""

    aliases: ClassVar = ITEM_ALIASES

    item = json_field(NAME)
    amount = json_field(replace(AMOUNT, required="Amount is required"))
    category = json_field(CATEGORY)
    unit_price = json_field(UNIT_PRICE)
    unit = json_field(UNIT)

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> ItemState:
        return ItemState(
            id=None,
            name=data["item"],
            amount=data["amount"],
            category=data["category"],
            unit_price=data["unit_price"],
            unit=data["unit"],
        )


class ItemChange(Body):
    """The values that a set changes; the others stay."""

    aliases: ClassVar = ITEM_ALIASES
    field_rules: ClassVar = [NotEmpty("Must change something.")]
    example: ClassVar = {"unitPrice": 2.25}

    item = json_field(
        replace(NAME, required=None),
        validate=validate.Length(min=1, error=FullMessage(NAME.required)),
        **_OPTIONAL,
    )
    amount = json_field(replace(AMOUNT, required=None), **_OPTIONAL)
    category = json_field(CATEGORY, **_OPTIONAL)
    unit_price = json_field(UNIT_PRICE, **_OPTIONAL)
    unit = json_field(UNIT, **_OPTIONAL)

    @post_load
    def _change(self, data: dict[str, Any], **_: Any) -> Change:
        return Change(
            0,
            name=data.get("item"),
            amount=data.get("amount"),
            category=data.get("category"),
            unit_price=data.get("unit_price"),
            unit=data.get("unit") or None,
        )


class StockParameters(Paging):
    """The parameters of the call of a stock list: a part of it, its filters and its order."""

    search = parameter("search", "Words of an item's name, in any order", "heart")
    category = parameter("category", "The category of the items", "Seasonal")
    sort = order_parameter(STOCK_ORDERS)

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> tuple[StockFilters, ListPaging]:
        search, category = data.pop("search", ""), data.pop("category", "")
        filters = StockFilters(search, category, STOCK_ORDERS.parse(data.pop("sort", "")))
        return filters, super()._paging(data, **options)


class AmountReply(Reply):
    """An item's amount after a change."""

    item = replies.of(NAME, itemgetter(0))
    amount = replies.of(AMOUNT, itemgetter(1))


class ItemReply(Reply):
    """An item of the list; its price is in pounds."""

    item = replies.of(NAME)
    amount = replies.of(AMOUNT)
    category = replies.of(CATEGORY)
    unit_price = replies.of(UNIT_PRICE)
    unit = replies.of(UNIT)


def item_json(item: Any) -> dict[str, Any]:
    """Return an item of the list as JSON; whole lists take half the time of `ItemReply.write`."""
    return {
        "item": item.name,
        "amount": item.amount,
        "category": item.category,
        "unitPrice": item.unit_price / 100,
        "unit": item.unit,
    }


MAX_LINES = 10_000
"""How many operations or lines a body may have."""


class TeamField(JsonText):
    """A team's name, or an object that has the name as `name` or `id`; null is no team."""

    def __init__(self, **options: Any) -> None:
        metadata = {
            "description": "Its name, or in a body an object that has it as `name` or `id`",
            "example": TEAM.example,
        }
        defaults = {"load_default": TEAM.default, "allow_none": True, "metadata": metadata}
        super().__init__(limit=TEAM.limit, what=TEAM.what, **{**defaults, **options})

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            value = value.get("name") or value.get("id")
        return super()._deserialize(value, *args, **kwargs)
