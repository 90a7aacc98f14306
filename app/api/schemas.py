"""Schemas that calls share, and the rules between the fields of a body."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from app.api.fields import FullMessage, json_field
from app.api.replies import Reply
from app.errors import ErrorCode
from app.fields import camel_case, fields_of

Shape = TypeVar("Shape", bound="type[Body]")
JsonSchema = dict[str, Any]

REQUEST_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
"""The id of a request in examples."""


@dataclass(frozen=True)
class AtLeastOne:
    """One of these fields or more must be present and not empty."""

    fields: tuple[str, ...]
    message: str

    def json_schema(self) -> JsonSchema:
        """Return the rule as JSON Schema."""
        return {
            "anyOf": [
                {"required": [name], "properties": {name: {"minLength": 1}}} for name in self.fields
            ]
        }

    def check(self, values: Mapping[str, Any]) -> None:
        """Check that a field isn't empty; the error belongs to the first one."""
        if not any(values.get(name) for name in self.fields):
            raise ValidationError(self.message, self.fields[0])


@dataclass(frozen=True)
class ExactlyOne:
    """One of these fields must be present, and no other of them."""

    fields: tuple[str, ...]
    message: str

    def json_schema(self) -> JsonSchema:
        """Return the rule as JSON Schema."""
        return {"oneOf": [{"required": [name]} for name in self.fields]}

    def check(self, values: Mapping[str, Any]) -> None:
        """Check that one field isn't empty and all others are."""
        if sum(bool(values.get(name)) for name in self.fields) != 1:
            raise ValidationError(self.message)


@dataclass(frozen=True)
class NotEmpty:
    """The body must have at least one field."""

    message: str

    def json_schema(self) -> JsonSchema:
        """Return the rule as JSON Schema."""
        return {"minProperties": 1}

    def check(self, values: Mapping[str, Any]) -> None:
        """Check that at least one field is present."""
        if not values:
            raise ValidationError(self.message)


@dataclass(frozen=True)
class RequiredByKind:
    """The value of a body's field `kind` decides which fields the body needs.

    `required` maps each value to the needed fields. The message is formatted with `kind` and the
    missing `field`.
    """

    kind: str
    required: Mapping[str, tuple[str, ...]]
    message: str

    def json_schema(self) -> JsonSchema:
        """Return the rule as JSON Schema: a case for all values that need the same fields."""
        kinds: dict[tuple[str, ...], list[str]] = {}
        for value, needed in self.required.items():
            kinds.setdefault(needed, []).append(value)
        return {"oneOf": [self.case(values, needed) for needed, values in kinds.items()]}

    def case(
        self, values: Iterable[str], needed: Iterable[str], properties: JsonSchema | None = None
    ) -> JsonSchema:
        """Return the JSON Schema of bodies of these kinds with these needed fields."""
        kind = {self.kind: {"enum": [str(value) for value in values]}}
        return {"properties": {**kind, **(properties or {})}, "required": list(needed)}

    def check(self, values: Mapping[str, Any]) -> None:
        """Check that the needed fields of the kind are present and not empty texts."""
        kind = values[self.kind]
        for field in self.required[kind]:
            if values.get(field) in (None, ""):
                raise ValidationError(self.message.format(kind=kind, field=field), field)


FieldRule = AtLeastOne | ExactlyOne | NotEmpty | RequiredByKind
"""A rule between the fields of a body, whose check raises ValidationError."""


def combine(rules: Iterable[FieldRule]) -> dict[str, Any]:
    """Return the JSON Schema of all these rules together."""
    schemas = [rule.json_schema() for rule in rules]
    keywords = [keyword for schema in schemas for keyword in schema]
    if len(set(keywords)) < len(keywords):
        return {"allOf": schemas}
    return {keyword: value for schema in schemas for keyword, value in schema.items()}


FILES = "attachments"
"""The member of bodies and replies that has files; errors name it `files`."""


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
        """Return the loaded value of a valid body: its state if it has one, and its files."""
        if self.state_type is None:
            return data
        state = self.state_type(**self.values(data))
        return (state, data[FILES]) if FILES in data else state

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
    """Return a decorator that adds a state's fields to those of a body, and loads it as one."""

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


def refusal(error: str, code: ErrorCode, *, field: str = "", **details: object) -> dict[str, Any]:
    """Return the example of a reply that refuses something, because of a `field` if given."""
    of_field = {"fields": {field: error}} if field else {}
    return {"error": error, "code": code.value, "requestId": REQUEST_ID, **of_field, **details}


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
    """Base of the props of the widgets; `flask openapi --widgets` describes every subclass."""

    def __init_subclass__(cls) -> None:
        """Register the props of a widget."""
        WIDGET_PROPS.append(cls)


WIDGET_PROPS: list[type[WidgetProps]] = []
"""The props of all widgets."""
