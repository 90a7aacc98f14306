"""Moves as JSON holds them, under the seed's field names (seed §3, §7)."""

from typing import Any, ClassVar

from marshmallow import fields, post_load

from app.api.calls import Body, Reply
from app.api.fields import Moment, Text
from app.assets.queries.moves import Move
from app.assets.rules import assets as rules
from app.assets.services.moves import PastMove

_AT = "2026-07-01T09:30:00Z"


def _place(what: str, **options: Any) -> Text:
    return Text(limit=rules.LONGEST_LOCATION, what=what, **options)


class DestinationBody(Body):
    """Where an asset goes; `location` and `endPosition` are other names."""

    aliases: ClassVar = {"location": "destination", "endPosition": "destination"}

    destination = _place(
        "Destination",
        required=True,
        error_messages={"required": rules.DESTINATION_REQUIRED},
        metadata={"example": "Room 12"},
    )


class AssetMoveBody(Body):
    """That an asset moved: what and when, never who."""

    accepts_single: ClassVar = True
    aliases: ClassVar = {"ts": "date", "location": "endPosition"}

    id = Text(
        limit=rules.LONGEST_ID,
        what="ID",
        required=True,
        metadata={"description": "The asset's", "example": "A/0042"},
    )
    date = Moment(metadata={"description": "A moment, or a day; now when missing", "example": _AT})
    startPosition = _place(  # noqa: N815 (the seed's name)
        "Start position",
        metadata={"description": "Where the asset is when missing", "example": "Store"},
    )
    endPosition = _place(  # noqa: N815 (the seed's name)
        "End position", required=True, metadata={"example": "Room 12"}
    )

    @post_load
    def _move(self, data: dict[str, Any], **_: Any) -> PastMove:
        return PastMove(
            data["id"], data["endPosition"], data.get("startPosition"), data.get("date")
        )


class AssetMoveReply(Reply):
    """That an asset moved; it is called as it was then."""

    date = fields.DateTime(metadata={"example": _AT})
    id = fields.String(metadata={"description": "The asset's", "example": "A/0042"})
    item = fields.String(metadata={"example": "Office chair"})
    startPosition = fields.String(  # noqa: N815 (the seed's name)
        metadata={"description": "Empty when unknown", "example": "Store"}
    )
    endPosition = fields.String(  # noqa: N815 (the seed's name)
        metadata={"description": "Empty when unknown", "example": "Room 12"}
    )
    user = fields.String(
        metadata={"description": "A user name, empty for the terminal", "example": "j.marsh"}
    )


def move_json(move: Move) -> dict[str, Any]:
    """Return a move under the seed's names."""
    return {
        "date": f"{move.at:%Y-%m-%dT%H:%M:%SZ}",
        "id": move.asset_id,
        "item": move.item,
        "startPosition": move.start_position,
        "endPosition": move.end_position,
        "user": move.who,
    }
