"""Schemas and messages that calls share."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from typing import Any, ClassVar, TypeVar

from marshmallow import (
    RAISE,
    Schema,
    ValidationError,
    fields,
    post_load,
    pre_load,
    validates_schema,
)

from app.api import replies
from app.api.field_rules import FieldRule
from app.api.fields import FullMessage, json_field
from app.api.replies import Reply
from app.errors import ErrorCode
from app.fields import camel_case, fields_of

Shape = TypeVar("Shape", bound="type[Body]")

REQUEST_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
"""The id of a request in examples."""


class Body(Schema):
    """Base of all bodies; unknown fields are refused.

    Attributes:
        aliases: Maps other names of fields to their names.
        field_rules: The rules between its fields, checked once each field is valid.
        example: An example for the description, where its fields' examples don't make one.
        accepts_single: Whether one entry may be sent instead of a list.
        constraints: JSON Schema of a rule that the feature's own rules check, as they do for forms.
        state_type: The dataclass that a body is loaded as, which `body_of` sets.
    """

    aliases: ClassVar[Mapping[str, str]] = {}
    field_rules: ClassVar[Sequence[FieldRule]] = ()
    example: ClassVar[Mapping[str, Any] | None] = None
    accepts_single: ClassVar[bool] = False
    constraints: ClassVar[Mapping[str, Any]] = {}
    state_type: ClassVar[type[Any] | None] = None

    class Meta:
        """Options of marshmallow."""

        unknown = RAISE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Name a field in camel case."""
        field_obj.data_key = field_obj.data_key or camel_case(field_name)

    def made(self, data: Mapping[str, Any]) -> Any:
        """Return the loaded value of a valid body: its state if it has one."""
        return data if self.state_type is None else self.state_type(**self.values(data))

    def values(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a valid body has of its state's attributes, by their names."""
        attributes = dataclass_fields(self.state_type) if self.state_type else ()
        return {each.name: data[each.name] for each in attributes if each.name in data}

    @post_load
    def _make(self, data: dict[str, Any], **_: Any) -> Any:
        return self.made(data)

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

    @validates_schema
    def _check_field_rules(self, data: dict[str, Any], **_: Any) -> None:
        by_json_name = {self.fields[name].data_key or "": value for name, value in data.items()}
        for rule in self.field_rules:
            rule.check(by_json_name)

    def _with_field_names(self, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        values: dict[str, Any] = {}
        sent_names: dict[str, str] = {}
        names = {field.data_key for field in self.fields.values()}
        for sent_name, value in data.items():
            name = sent_name if sent_name in names else self.aliases.get(sent_name, sent_name)
            if name in values and values[name] != value:
                raise ValidationError(
                    FullMessage(f"{sent_names[name]} and {sent_name} differ"), name
                )
            values[name], sent_names[name] = value, sent_name
        return values


def body_of(
    state: type[Any], *, without: Collection[str] = (), **options: Any
) -> Callable[[Shape], Shape]:
    """Return a decorator that gives a body the fields of a state, and loads it as one.

    A field that the body declares itself wins. `options` are those of `json_field`.
    """

    def add(body: Shape) -> Shape:
        own = body._declared_fields
        declared = {name: field for name, field in fields_of(state).items() if name not in without}
        made = {name: json_field(field, **options) for name, field in declared.items()} | own
        for name, field in declared.items():
            made[name].data_key = field.json
        body._declared_fields = made
        body.state_type = state
        return body

    return add


class ErrorReply(Schema):
    """What is wrong; `fields` has the messages of single fields, by their path in the body."""

    error = fields.String(required=True, metadata={"example": "Amount must be at least 1"})
    fields_ = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        data_key="fields",
        attribute="fields",
        metadata={"example": {"amount": "Amount must be at least 1"}},
    )
    code = fields.String(
        required=True,
        metadata={
            "enum": [code.value for code in ErrorCode],
            "description": "What went wrong, for programs; texts may change, codes don't",
            "example": ErrorCode.INVALID.value,
        },
    )
    request_id = fields.String(
        required=True,
        data_key="requestId",
        metadata={
            "description": "Under which the log has this request; X-Request-ID has it too",
            "example": REQUEST_ID,
        },
    )


class ListChangeReply(Reply):
    """How many entries the replacement of a list added, changed, left unchanged and removed."""

    added = replies.number(1)
    changed = replies.number(2)
    unchanged = replies.number(76)
    removed = replies.number(0)


class AddedReply(Reply):
    """How many entries were added to a history."""

    added = replies.number(1)


class OfflineReference(Reply):
    """Base of what a browser keeps, so that a page opens without a connection."""

    view_only = replies.text(
        description="Why its user can't change anything there; empty for who can"
    )


class WidgetProps(Reply):
    """Base of the props of the widgets, which pages hand to them as JSON.

    `flask openapi --widgets` describes every subclass, and the widgets' types are made from that.
    """

    def __init_subclass__(cls) -> None:
        """Register the props of a widget."""
        WIDGET_PROPS.append(cls)


WIDGET_PROPS: list[type[WidgetProps]] = []
"""The props of all widgets."""
