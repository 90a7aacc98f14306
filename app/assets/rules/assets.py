"""Updates, moves, search and status of assets; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app import names
from app.assets.rules.fields import LOCATION, TEXT_FIELDS, AssetState
from app.fields import LabelledEnum

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
        return replace(before or AssetState("", self.id), **self.values)


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
