"""JSON bodies and replies of the directory."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import fields, missing, post_load

from app.api.field_rules import AtLeastOne
from app.api.fields import (
    JsonMoment,
    JsonText,
    JsonWholeNumber,
    json_field,
    json_moment,
    state_json,
)
from app.api.messages import FullMessage
from app.api.schemas import Body, Reply, body_of, reply_of
from app.directory.models import Key, NamedEntry, Service
from app.directory.queries import Handover
from app.directory.rules import (
    DESCRIPTION,
    HOLDER,
    NAME,
    KeyState,
    NameState,
)
from app.directory.services.keys import ListedKey, PastHandover


def _name(what: str, **options: Any) -> JsonText:
    return JsonText(limit=NAME.limit, what=what, **options)


class NameBody(Body):
    """A new team or supplier."""

    name = _name(NAME.what, required=True, metadata={"example": NAME.example})

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> NameState:
        return NameState(data["name"])


class ServiceBody(Body):
    """A new service; `name` is another name for `service`."""

    aliases: ClassVar = {"name": "service"}

    service = _name("Service", required=True, metadata={"example": "Window cleaning"})
    description = json_field(DESCRIPTION)

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> NameState:
        return NameState(data["service"], data["description"])


class RenameBody(Body):
    """A new name for the entry `oldName`, whose case, width and spacing don't matter."""

    oldName = _name("Old name", required=True, metadata={"example": "Kitchen"})  # noqa: N815 (JSON name)
    newName = _name("New name", required=True, metadata={"example": "Kitchen and bar"})  # noqa: N815 (JSON name)


@body_of(KeyState)
class KeyBody(Body):
    """A key; it is identified by its code, or by its name without one."""

    field_rules: ClassVar = [
        AtLeastOne(("code", "name"), FullMessage("A key needs a code or a name"))
    ]

    id = JsonWholeNumber(
        metadata={
            "description": "Assigned by the server. Send it back to give the same key another "
            "code or name",
            "example": 12,
        }
    )

    def made(self, data: Mapping[str, Any]) -> ListedKey:
        """Return the key, and its id if it has one."""
        return ListedKey(super().made(data), data.get("id"))


class HandoverBody(Body):
    """A handover of a key; the server records the user."""

    accepts_single: ClassVar = True
    aliases: ClassVar = {"code": "key", "name": "key", "ts": "date"}

    key = _name(
        "Key", required=True, metadata={"description": "The key's code or name", "example": "K12"}
    )
    holder = json_field(HOLDER, required=True, may_be_empty=True, load_default=missing)
    previousHolder = json_field(  # noqa: N815 (JSON name)
        HOLDER,
        load_default=missing,
        metadata={
            "description": "If missing, the holder at that time by the key's history",
            "example": "",
        },
    )
    date = JsonMoment(
        metadata={"description": "A time or a day; now if missing", "example": "2011-12-09"}
    )

    @post_load
    def _handover(self, data: dict[str, Any], **_: Any) -> PastHandover:
        return PastHandover(
            data["key"], data["holder"], data.get("previousHolder"), data.get("date")
        )


class NameReply(Reply):
    """A team or supplier."""

    id = fields.Integer(metadata={"example": 12})
    name = fields.String(metadata={"example": "Kitchen"})


class ServiceReply(NameReply):
    """A service."""

    description = fields.String(metadata={"example": "Inside and outside"})


@reply_of(KeyState)
class KeyReply(Reply):
    """A key; its holder is empty if nobody has it."""

    id = fields.Integer(metadata={"example": 12})
    name = fields.String(metadata={"example": "HAND WARMER UNION JACK"})
    holder = fields.String(metadata={"example": "Kitchen"})


class HandoverReply(Reply):
    """A handover, with the names of the key and its holders at that time."""

    id = fields.Integer(metadata={"example": 12})
    key = fields.String(metadata={"example": "K12"})
    holder = fields.String(metadata={"description": "Empty for nobody", "example": "Kitchen"})
    previousHolder = fields.String(  # noqa: N815 (JSON name)
        metadata={"description": "Empty for nobody", "example": ""}
    )
    date = fields.DateTime(metadata={"example": "2011-12-09T12:50:00Z"})
    by = fields.String(
        metadata={"description": "A user name, empty for the terminal", "example": "keeper"}
    )


def name_json(row: NamedEntry) -> dict[str, Any]:
    """Return a team, supplier or service as JSON."""
    description = {"description": row.description} if isinstance(row, Service) else {}
    return {"id": row.id, "name": row.name, **description}


def key_json(key: Key) -> dict[str, Any]:
    """Return a key as JSON."""
    return {"id": key.id, **state_json(KeyState, key)}


def handover_json(row: Handover) -> dict[str, Any]:
    """Return a handover as JSON."""
    return {
        "id": row.id,
        "key": row.label,
        "holder": row.holder,
        "previousHolder": row.holder_before,
        "date": json_moment(row.at),
        "by": row.username,
    }
