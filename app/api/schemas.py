"""Bases of the schemas of JSON bodies and replies, and the replies that features share."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields, pre_load


class Body(Schema):
    """Base of all bodies; unknown fields are refused.

    `aliases` maps other names of fields to their names. `constraints` documents, as JSON Schema,
    the rules between fields. With `accepts_single`, one entry may be sent instead of a list.
    """

    aliases: ClassVar[Mapping[str, str]] = {}
    constraints: ClassVar[Mapping[str, Any]] = {}
    accepts_single: ClassVar[bool] = False

    class Meta:
        """Options of marshmallow."""

        unknown = RAISE

    @pre_load(pass_collection=True)
    def _resolve_aliases(self, data: Any, *, many: bool = False, **_: Any) -> Any:
        if not many or not isinstance(data, list):
            return self._with_field_names(data)
        entries: list[Any] = []
        errors: dict[Any, Any] = {}
        for index, entry in enumerate(data):
            try:
                entries.append(self._with_field_names(entry))
            except ValidationError as error:
                errors[index] = {error.field_name: error.messages}
        if errors:
            raise ValidationError(errors)
        return entries

    def _with_field_names(self, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        values: dict[str, Any] = {}
        sent_names: dict[str, str] = {}
        for sent_name, value in data.items():
            name = sent_name if sent_name in self.fields else self.aliases.get(sent_name, sent_name)
            if name in values and values[name] != value:
                raise ValidationError(f"{sent_names[name]} and {sent_name} differ", name)
            values[name], sent_names[name] = value, sent_name
        return values


class Reply(Schema):
    """Base of all replies; every field is always present, if only as null."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:  # noqa: ARG002
        """Document a field as always present."""
        field_obj.required = True


class ListChangeReply(Reply):
    """How many entries the replacement of a list added, changed, left unchanged and removed."""

    added = fields.Integer()
    changed = fields.Integer()
    unchanged = fields.Integer()
    removed = fields.Integer()


class AddedReply(Reply):
    """How many entries were added to a history."""

    added = fields.Integer()
