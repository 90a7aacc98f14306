"""An asset as JSON holds it, under the seed's field names (seed §3, §7)."""

from dataclasses import dataclass
from typing import Any

from marshmallow import fields, post_load, pre_load, validate

from app.api.calls import Body, Reply
from app.api.fields import Day, Pounds, Text, WholeNumber
from app.assets.models import Asset
from app.assets.queries.register import AssetRow
from app.assets.rules import assets as rules
from app.assets.rules.assets import AssetState
from app.money import MAX_AMOUNT, format_number

_EXAMPLES = {
    "id": "b2f0c9de-2a4f-4c55-9f43-0f8e2d1f7a10",
    "item": "Office chair",
    "make": "Herman Miller",
    "model": "Aeron",
    "serial": "HM-20417",
    "supplier": "Office & Co",
    "location": "Room 12",
    "purchaseDate": "2024-03-01",
    "purchasePrice": 899.5,
    "category": "Furniture",
    "status": "In use",
    "quantity": 2,
}


@dataclass(frozen=True)
class AssetRecord:
    """An asset as a call answered with it, which a replay repeats."""

    values: dict[str, Any]


def _example(name: str, description: str = "") -> dict[str, Any]:
    described = {"description": description} if description else {}
    return {"example": _EXAMPLES[name], **described}


def _text(name: str, what: str, limit: int, description: str = "") -> Text:
    return Text(limit=limit, what=what, load_default="", metadata=_example(name, description))


class AssetBody(Body):
    """An asset of a list; what isn't told is empty, a quantity is 1 and a price 0."""

    id = _text(
        "id", "ID", rules.LONGEST_ID, "Tells assets apart; case and spacing don't. Given if missing"
    )
    item = Text(
        limit=rules.LONGEST_ITEM,
        what="Item name",
        required=True,
        error_messages={"required": rules.ITEM_REQUIRED},
        metadata=_example("item"),
    )
    make = _text("make", "Make", rules.LONGEST_MAKE)
    model = _text("model", "Model", rules.LONGEST_MAKE)
    serial = _text("serial", "Serial", rules.LONGEST_SERIAL)
    supplier = _text("supplier", "Supplier", rules.LONGEST_SUPPLIER)
    location = _text("location", "Location", rules.LONGEST_LOCATION, "Another one is a move")
    purchaseDate = Day(  # noqa: N815 (the seed's name)
        earliest=rules.EARLIEST_PURCHASE,
        allow_none=True,
        load_default=None,
        metadata=_example("purchaseDate", "null or empty when unknown"),
    )
    purchasePrice = Pounds(  # noqa: N815 (the seed's name)
        what="Purchase price",
        load_default=0,
        metadata=_example("purchasePrice", "Pounds, for one"),
    )
    category = _text("category", "Category", rules.LONGEST_CATEGORY)
    status = _text("status", "Status", rules.LONGEST_STATUS)
    quantity = WholeNumber(
        load_default=1,
        validate=validate.Range(
            1, MAX_AMOUNT, error=f"Quantity must be 1 to {format_number(MAX_AMOUNT)}"
        ),
        metadata=_example("quantity"),
    )

    @pre_load
    def _read_empty_day(self, data: Any, **_: Any) -> Any:
        is_empty = isinstance(data, dict) and data.get("purchaseDate") == ""
        return {**data, "purchaseDate": None} if is_empty else data

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> AssetState:
        data["purchase_date"] = data.pop("purchaseDate")
        data["purchase_price"] = data.pop("purchasePrice")
        return AssetState(**data)


class AssetReply(Reply):
    """An asset."""

    id = fields.String(metadata=_example("id"))
    item = fields.String(metadata=_example("item"))
    make = fields.String(metadata=_example("make"))
    model = fields.String(metadata=_example("model"))
    serial = fields.String(metadata=_example("serial"))
    supplier = fields.String(metadata=_example("supplier"))
    location = fields.String(metadata=_example("location", "Empty when unknown"))
    purchaseDate = fields.String(  # noqa: N815 (the seed's name)
        allow_none=True,
        metadata={"format": "date", **_example("purchaseDate", "null when unknown")},
    )
    purchasePrice = fields.Float(  # noqa: N815 (the seed's name)
        metadata=_example("purchasePrice", "Pounds, for one")
    )
    category = fields.String(metadata=_example("category"))
    status = fields.String(metadata=_example("status", "Empty when unknown"))
    quantity = fields.Integer(metadata=_example("quantity"))


def asset_json(asset: Asset | AssetRow) -> dict[str, Any]:
    """Return an asset under the seed's names."""
    bought = asset.purchase_date
    return {
        "id": asset.asset_id,
        "item": asset.item,
        "make": asset.make,
        "model": asset.model,
        "serial": asset.serial,
        "supplier": asset.supplier,
        "location": asset.location,
        "purchaseDate": bought.isoformat() if bought else None,
        "purchasePrice": asset.purchase_price / 100,
        "category": asset.category,
        "status": asset.status,
        "quantity": asset.quantity,
    }
