"""What an asset is, and when it moves; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from typing import Any

from app import names

LONGEST_ID = 64
LONGEST_ITEM = 120
LONGEST_MAKE = 80
LONGEST_SERIAL = 80
LONGEST_SUPPLIER = 80
LONGEST_LOCATION = 100
LONGEST_CATEGORY = 60
LONGEST_STATUS = 40

EARLIEST_PURCHASE = date(1900, 1, 1)

ITEM_REQUIRED = "Item name is required"
DESTINATION_REQUIRED = "Destination is required"

MOST_MOVED = 200
"""How many assets the screens move at once."""

DASH = "–"
"""What stands for a field that holds nothing, on screens and in addresses."""

_DASHES = {"-", DASH, "—"}
"""What people type for it."""

STATUSES = ("In use", "In store", "On loan", "In repair", "Missing", "Disposed of")
"""What the screens offer beside the statuses that are in use; any other text may be given."""

_TONES = {names.key("Missing"): "bad", names.key("In repair"): "warn"}


class Dimension(StrEnum):
    """What the group view groups by (seed §2)."""

    LOCATION = "location"
    ITEM = "item"
    CATEGORY = "category"
    SUPPLIER = "supplier"
    MAKE = "make"
    MODEL = "model"


@dataclass(frozen=True)
class AssetState:
    """An asset as it is; its price is in pence. Without an id it gets one when it is added."""

    item: str
    id: str = ""
    make: str = ""
    model: str = ""
    serial: str = ""
    supplier: str = ""
    location: str = ""
    purchase_date: date | None = None
    purchase_price: int = 0
    category: str = ""
    status: str = ""
    quantity: int = 1

    def __post_init__(self) -> None:
        """Take a dash that stands for nothing as nothing."""
        for each in fields(self):
            if getattr(self, each.name) in _DASHES:
                object.__setattr__(self, each.name, "")


@dataclass(frozen=True)
class ToldAsset:
    """What somebody says of an asset: some fields of AssetState by name; others stay."""

    id: str
    fields: Mapping[str, Any]

    def upon(self, before: AssetState | None) -> AssetState:
        """Return what the asset is once it was told of."""
        return replace(before or AssetState("", self.id), **self.fields)


def said(text: str) -> str:
    """Return a location or other text as it was told; a dash that stands for none is none."""
    return "" if text in _DASHES else text


def moves(before: str, after: str) -> bool:
    """Tell whether a change of location is a move, not only another spelling."""
    return names.key(before) != names.key(after)


def search_key(state: AssetState) -> str:
    """Return the keys of all that a search looks at, a line each."""
    texts = (
        state.item,
        state.id,
        state.make,
        state.model,
        state.serial,
        state.supplier,
        state.location,
        state.category,
        state.status,
    )
    return "\n".join(names.key(text) for text in texts)


def tone(status: str) -> str:
    """Return how a status stands out: 'bad' missing, 'warn' in repair, '' otherwise."""
    return _TONES.get(names.key(status), "")
