"""Moves of assets as JSON."""

from dataclasses import replace
from typing import Any, ClassVar

from marshmallow import fields, missing, post_load

from app.api import replies
from app.api.fields import JsonMoment, json_field
from app.api.replies import Reply
from app.api.schemas import Body
from app.assets.rules import DESTINATION, ID, LOCATION
from app.assets.services.moves import PastMove
from app.fields import aliases_of

_AT_EXAMPLE = "2026-07-01T09:30:00Z"

_ASSET_ID = replace(ID, required="ID is required", example="A/0042", description="The asset's")
_START = replace(
    LOCATION,
    name="start",
    json="startPosition",
    label="Start position",
    what="Start position",
    example="Store",
    description="The asset's location if missing",
)
_END = replace(
    LOCATION,
    name="end",
    json="endPosition",
    aliases=("location",),
    label="End position",
    what="End position",
    required="End position is required",
    description="",
)


class DestinationBody(Body):
    """The destination of an asset; `location` and `endPosition` are other names of it."""

    aliases: ClassVar = aliases_of([DESTINATION])

    destination = json_field(DESTINATION)


class AssetMoveBody(Body):
    """A move of an asset, made by the user who sends it."""

    accepts_single: ClassVar = True
    aliases: ClassVar = {"ts": "date", **aliases_of([_END])}

    # A missing field has the message of all JSON calls, an empty one that of the field.
    id = json_field(_ASSET_ID, error_messages={})
    date = JsonMoment(
        metadata={"description": "A time, or a day; now if missing", "example": _AT_EXAMPLE}
    )
    start_position = json_field(_START, load_default=missing)
    end_position = json_field(_END, error_messages={})
    item = fields.String(metadata={"description": "Of a row that was read; not used"})
    user = fields.String(metadata={"description": "Of a row that was read; not used"})

    @post_load
    def _move(self, data: dict[str, Any], **_: Any) -> PastMove:
        return PastMove(
            data["id"], data["end_position"], data.get("start_position"), data.get("date")
        )


class AssetMoveReply(Reply):
    """A move of an asset; `item` is what the asset was called then."""

    date = replies.moment(_AT_EXAMPLE, "at")
    id = replies.text("A/0042", "asset_id", description="The asset's")
    item = replies.text("Office chair")
    start_position = replies.text("Store", description="Empty when unknown")
    end_position = replies.text("Room 12", description="Empty when unknown")
    user = replies.text("j.marsh", "who", description="A user name; empty for the terminal")
