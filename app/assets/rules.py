"""Rules of assets."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

from app import names
from app.fields import Day, Field, LabelledEnum, Pounds, Text, WholeNumber, attribute, fields_of
from app.money import MAX_AMOUNT, format_number
from app.sorting import SortColumn, SortColumns, SortKind, SortOrder

NO_VALUE = "–"
"""Stands for an empty field on pages and for 'none' in the filters of an address."""

DASHES = {"-", NO_VALUE, "—"}

ID = Text(
    name="id",
    label="ID",
    limit=64,
    example="b2f0c9de-2a4f-4c55-9f43-0f8e2d1f7a10",
    description="Identifies the asset whatever its case and spacing; given by the server if empty",
)
ITEM = Text(name="item", limit=120, required="Item name is required", example="Office chair")
LOCATION = Text(
    name="location",
    limit=100,
    example="Room 12",
    description="Empty when unknown; another location is recorded as a move",
)
QUANTITY = WholeNumber(
    name="quantity",
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
    make: str = attribute(Text(limit=80, example="Herman Miller"))
    model: str = attribute(Text(limit=80, example="Aeron"))
    serial: str = attribute(Text(limit=80, example="HM-20417"))
    supplier: str = attribute(Text(limit=80, example="Office & Co"))
    location: str = attribute(LOCATION)
    purchase_date: date | None = attribute(
        Day(earliest=date(1900, 1, 1), example="2024-03-01", description="null when unknown")
    )
    purchase_price: int = attribute(Pounds(default=0, example=899.5, description="Pounds, for one"))
    category: str = attribute(Text(limit=60, example="Furniture"))
    status: str = attribute(Text(limit=40, example="In use", description="Empty when unknown"))
    quantity: int = attribute(QUANTITY)

    def __post_init__(self) -> None:
        """Turn a dash that stands for an empty field into an empty text."""
        for name in TEXT_FIELDS:
            if getattr(self, name) in DASHES:
                object.__setattr__(self, name, "")


ASSET_FIELDS: Mapping[str, Field[Any]] = {"id": ID, **fields_of(AssetState)}
"""The fields of an asset by the names of AssetState, in the order of JSON and CSV files."""

TEXT_FIELDS = tuple(name for name, field in ASSET_FIELDS.items() if isinstance(field, Text))


def label_of(name: str, text: str) -> str:
    """Return the text for a field's value, such as 'No location' without one."""
    return empty_if_dash(text) or f"No {name}"


def empty_if_dash(text: str) -> str:
    """Return a text, or '' for a dash, which stands for an empty field."""
    return "" if text in DASHES else text


DESTINATION_REQUIRED = "Destination is required"

DESTINATION = replace(
    LOCATION,
    name="destination",
    json="destination",
    aliases=("location", "endPosition"),
    label="Destination",
    what="Destination",
    required=DESTINATION_REQUIRED,
    description="",
)
"""The destination of a move."""

MAX_MOVED = 200
"""How many assets the pages move at once."""

STATUSES = ("In use", "In store", "On loan", "In repair", "Missing", "Disposed of")
"""The statuses that forms suggest besides the used ones; any other text is allowed."""

_STATUS_TONES = {names.key("Missing"): "bad", names.key("In repair"): "warn"}


class Dimension(LabelledEnum):
    """A field that the group view groups by; its label is the word for several values."""

    LOCATION = "location", "locations"
    ITEM = "item", "items"
    CATEGORY = "category", "categories"
    SUPPLIER = "supplier", "suppliers"
    MAKE = "make", "makes"
    MODEL = "model", "models"


@dataclass(frozen=True)
class AssetUpdate:
    """New values for some fields of the asset with this id, by the names of AssetState."""

    id: str
    values: Mapping[str, Any]

    def apply_to(self, before: AssetState | None) -> AssetState:
        """Return the asset after the update; `before` is None for a new asset."""
        if before:
            return replace(before, **self.values)
        return AssetState(**{"item": "", **self.values, "id": self.id})


def is_move(before: str, after: str) -> bool:
    """Return whether a change of location is a move, not only another spelling."""
    return names.key(before) != names.key(after)


def undo_problem(item: str, end: str, location: str | None, *, is_last: bool) -> str:
    """Return why a move to `end` can't be undone, '' if it can.

    `location` is the asset's, None when it isn't in the register. `is_last` means that it hasn't
    moved since, or that its last move was an undo.
    """
    if location is None:
        return f"{item} is no longer in the register, so its move can't be undone."
    if is_move(location, end):
        return f"{item} is at {location or 'no location'} now. Move it from there instead."
    return "" if is_last else f"{item} has moved since, and is back at {location}. Move it instead."


def search_key(state: AssetState) -> str:
    """Return the keys of all texts of an asset, one per line, for searches."""
    return "\n".join(names.key(getattr(state, name)) for name in TEXT_FIELDS)


def status_tone(status: str) -> str:
    """Return how a status is highlighted: 'bad' if missing, 'warn' if in repair, else ''."""
    return _STATUS_TONES.get(names.key(status), "")


VALUE = "value"
"""The column of quantity × purchase price."""

SORT_COLUMNS = {**{field.json: name for name, field in ASSET_FIELDS.items()}, VALUE: VALUE}
"""The orders of the register: its fields, by their JSON names, and the value."""

DEFAULT_ORDER = SortOrder("item")
"""The order of the register unless an address has another one."""


class GroupColumn(StrEnum):
    """A column that groups are sorted by."""

    NAME = "name"
    QUANTITY = "quantity"
    VALUE = "value"


HIGHEST_VALUE_FIRST = SortOrder(GroupColumn.VALUE, descending=True)

GROUP_COLUMNS = SortColumns(
    {
        GroupColumn.NAME: SortColumn("Name", indexed=True),
        GroupColumn.QUANTITY: SortColumn("Quantity", SortKind.NUMBER, indexed=True),
        GroupColumn.VALUE: SortColumn("Value", SortKind.NUMBER, indexed=True),
    },
    HIGHEST_VALUE_FIRST,
)

NO_SUBGROUPS = "nothing"
"""The second level in an address of groups without subgroups."""


def parse_levels(by: str, then: str) -> tuple[Dimension, Dimension | None]:
    """Return the dimensions of groups and subgroups, None without; wrong ones are the defaults."""
    first = Dimension(by) if by in set(Dimension) else Dimension.LOCATION
    if then == NO_SUBGROUPS:
        return first, None
    if then in set(Dimension) and then != first:
        return first, Dimension(then)
    is_category = first is Dimension.CATEGORY
    return first, Dimension.LOCATION if is_category else Dimension.CATEGORY


_FORM = re.compile(r"(.*?)([0-9]{1,9})")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True)
class IdForm:
    """The common form of numbered ids, such as 'AST-' and four digits."""

    prefix: str
    digits: int

    @property
    def last_number(self) -> int:
        """Return the highest number of this form."""
        return int("9" * self.digits)

    def write(self, number: int) -> str:
        """Return the id with a number."""
        return f"{self.prefix}{number:0{self.digits}d}"

    def number_of(self, asset_id: str) -> int | None:
        """Return the number of an id, None for an id of another form."""
        digits = asset_id[-self.digits :]
        return int(digits) if digits.isascii() and digits.isdecimal() else None


def most_common_form(asset_ids: Iterable[str]) -> IdForm:
    """Return the form that most of some ids have, 'AST-' and four digits if none is numbered."""
    forms = Counter(
        IdForm(found[1], len(found[2]))
        for asset_id in asset_ids
        if (found := _FORM.fullmatch(asset_id)) and not _UUID.fullmatch(asset_id)
    )
    return forms.most_common(1)[0][0] if forms else IdForm("AST-", 4)
