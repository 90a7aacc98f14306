"""The directory as JSON holds it, under the seed's field names (seed §3, §7)."""

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validates_schema

from app.api.calls import Body, Reply
from app.api.fields import Moment, Text, WholeNumber
from app.directory.models import Key, Named, Service
from app.directory.queries import Handover
from app.directory.rules import (
    LONGEST_CODE,
    LONGEST_DESCRIPTION,
    LONGEST_HOLDER,
    LONGEST_NAME,
    LONGEST_NOTES,
    KeyState,
    NameState,
)
from app.directory.services.keys import ListedKey, PastHandover


def _name(what: str, **options: Any) -> Text:
    return Text(limit=LONGEST_NAME, what=what, **options)


def _holder(**options: Any) -> Text:
    return Text(limit=LONGEST_HOLDER, what="Holder", **options)


class NameBody(Body):
    """A team or supplier that is new."""

    name = _name("Name", required=True, metadata={"example": "Kitchen"})

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> NameState:
        return NameState(data["name"])


class ServiceBody(Body):
    """A service that is new; `name` is another name for `service`."""

    aliases: ClassVar = {"name": "service"}

    service = _name("Service", required=True, metadata={"example": "Window cleaning"})
    description = Text(limit=LONGEST_DESCRIPTION, what="Description", load_default="")

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> NameState:
        return NameState(data["service"], data["description"])


class RenameBody(Body):
    """Another name for what is called `oldName`; case, width and spacing of that don't count."""

    oldName = _name("Old name", required=True)  # noqa: N815 (the seed's name)
    newName = _name("New name", required=True)  # noqa: N815 (the seed's name)


class KeyBody(Body):
    """A key; its code, or its name where it has none, tells it from the others."""

    constraints: ClassVar = {
        "anyOf": [
            {"required": [name], "properties": {name: {"minLength": 1}}}
            for name in ("code", "name")
        ]
    }

    id = WholeNumber(
        metadata={
            "description": "Given by the server. Sent back it says which key this is, so that it "
            "can get another code or name"
        }
    )
    code = Text(limit=LONGEST_CODE, what="Code", load_default="", metadata={"example": "K12"})
    name = _name("Name", load_default="", metadata={"example": "Boiler room"})
    holder = _holder(load_default="", metadata={"description": "Empty for nobody"})
    notes = Text(limit=LONGEST_NOTES, what="Notes", load_default="")

    @validates_schema
    def _has_a_label(self, data: dict[str, Any], **_: Any) -> None:
        if not (data.get("code") or data.get("name")):
            raise ValidationError("A key needs a code or a name", "code")

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> ListedKey:
        state = KeyState(data["code"], data["name"], data["holder"], data["notes"])
        return ListedKey(state, data.get("id"))


class HandoverBody(Body):
    """A key that changed hands: what and when, never who noted it."""

    accepts_single: ClassVar = True
    aliases: ClassVar = {"code": "key", "name": "key", "ts": "date"}

    key = _name("Key", required=True, metadata={"description": "The key's code or name"})
    holder = _holder(required=True, may_be_empty=True, metadata={"description": "Empty for nobody"})
    previousHolder = _holder(  # noqa: N815 (the seed's name)
        metadata={"description": "When missing, who held it then by the key's history"}
    )
    date = Moment(
        metadata={"description": "A moment, or a day; now when missing", "example": "2011-12-09"}
    )

    @post_load
    def _handover(self, data: dict[str, Any], **_: Any) -> PastHandover:
        return PastHandover(
            data["key"], data["holder"], data.get("previousHolder"), data.get("date")
        )


class NameReply(Reply):
    """A team or supplier."""

    id = fields.Integer()
    name = fields.String(metadata={"example": "Kitchen"})


class ServiceReply(NameReply):
    """A service."""

    description = fields.String()


class KeyReply(Reply):
    """A key; its holder is empty for nobody."""

    id = fields.Integer()
    code = fields.String()
    name = fields.String()
    holder = fields.String()
    notes = fields.String()


class HandoverReply(Reply):
    """A key that changed hands, as it and its holders were called then."""

    id = fields.Integer()
    key = fields.String()
    holder = fields.String(metadata={"description": "Empty for nobody"})
    previousHolder = fields.String(  # noqa: N815 (the seed's name)
        metadata={"description": "Empty for nobody"}
    )
    date = fields.DateTime(metadata={"example": "2011-12-09T12:50:00Z"})
    by = fields.String(metadata={"description": "A user name, empty for the terminal"})


def name_json(row: Named) -> dict[str, Any]:
    """Return a team, supplier or service under the seed's names."""
    described = {"description": row.description} if isinstance(row, Service) else {}
    return {"id": row.id, "name": row.name, **described}


def key_json(key: Key) -> dict[str, Any]:
    """Return a key under the seed's names."""
    return {
        "id": key.id,
        "code": key.code,
        "name": key.name,
        "holder": key.holder,
        "notes": key.notes,
    }


def handover_json(row: Handover) -> dict[str, Any]:
    """Return a handover under the names of JSON."""
    return {
        "id": row.id,
        "key": row.label,
        "holder": row.holder,
        "previousHolder": row.holder_before,
        "date": f"{row.at:%Y-%m-%dT%H:%M:%SZ}",
        "by": row.who,
    }
