"""The fields of an asset, each defined once; pure.

The model, forms, JSON, CSV files, sorting and search derive from ASSET_FIELDS.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.fields import Day, Field, Pounds, Text, WholeNumber, attribute, fields_of
from app.money import MAX_AMOUNT, format_number

NO_VALUE = "–"
"""Stands for an empty field on pages and for 'none' in the filters of an address."""

_DASHES = {"-", NO_VALUE, "—"}

ID = Text(
    name="id",
    label="ID",
    limit=64,
    example="b2f0c9de-2a4f-4c55-9f43-0f8e2d1f7a10",
    description="Identifies the asset whatever its case and spacing; given by the server if empty",
)
ITEM = Text(
    name="item",
    label="Item",
    limit=120,
    required="Item name is required",
    example="Office chair",
)
LOCATION = Text(
    name="location",
    label="Location",
    limit=100,
    example="Room 12",
    description="Empty when unknown; another location is recorded as a move",
)
QUANTITY = WholeNumber(
    name="quantity",
    label="Quantity",
    minimum=1,
    range_message=f"Quantity must be 1 to {format_number(MAX_AMOUNT)}",
    default=1,
    example=2,
)


@dataclass(frozen=True)
class AssetState:
    """The values of an asset; its price is in pence. Without an id it gets one when it is added."""

    item: str = attribute(ITEM)
    id: str = attribute(ID)
    make: str = attribute(Text(name="make", label="Make", limit=80, example="Herman Miller"))
    model: str = attribute(Text(name="model", label="Model", limit=80, example="Aeron"))
    serial: str = attribute(Text(name="serial", label="Serial", limit=80, example="HM-20417"))
    supplier: str = attribute(
        Text(name="supplier", label="Supplier", limit=80, example="Office & Co")
    )
    location: str = attribute(LOCATION)
    purchase_date: date | None = attribute(
        Day(
            name="purchase_date",
            json="purchaseDate",
            label="Purchase date",
            earliest=date(1900, 1, 1),
            example="2024-03-01",
            description="null when unknown",
        )
    )
    purchase_price: int = attribute(
        Pounds(
            name="purchase_price",
            json="purchasePrice",
            label="Purchase price",
            default=0,
            example=899.5,
            description="Pounds, for one",
        )
    )
    category: str = attribute(
        Text(name="category", label="Category", limit=60, example="Furniture")
    )
    status: str = attribute(
        Text(
            name="status",
            label="Status",
            limit=40,
            example="In use",
            description="Empty when unknown",
        )
    )
    quantity: int = attribute(QUANTITY)

    def __post_init__(self) -> None:
        """Turn a dash that stands for an empty field into an empty text."""
        for name in TEXT_FIELDS:
            if getattr(self, name) in _DASHES:
                object.__setattr__(self, name, "")


ASSET_FIELDS: Mapping[str, Field[Any]] = {"id": ID, **fields_of(AssetState)}
"""The fields of an asset by the names of AssetState, in the order of JSON and CSV files."""

TEXT_FIELDS = tuple(name for name, field in ASSET_FIELDS.items() if isinstance(field, Text))


def label_of(name: str, text: str) -> str:
    """Return the text for a field's value, such as 'No location' without one."""
    return empty_if_dash(text) or f"No {name}"


def empty_if_dash(text: str) -> str:
    """Return a text, or '' for a dash, which stands for an empty field."""
    return "" if text in _DASHES else text
