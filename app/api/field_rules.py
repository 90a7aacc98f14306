"""Rules between the fields of a body: each checks the values and describes itself."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError

JsonSchema = dict[str, Any]


class FieldRule(ABC):
    """A rule between the fields of a body."""

    @abstractmethod
    def json_schema(self) -> JsonSchema:
        """Return the rule as JSON Schema."""

    @abstractmethod
    def check(self, values: Mapping[str, Any]) -> None:
        """Check the loaded values of a body. Raises ValidationError."""


@dataclass(frozen=True)
class AtLeastOne(FieldRule):
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
class ExactlyOne(FieldRule):
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
class NotEmpty(FieldRule):
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
class RequiredByKind(FieldRule):
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
        for value, fields in self.required.items():
            kinds.setdefault(fields, []).append(value)
        return {"oneOf": [self.case(values, fields) for fields, values in kinds.items()]}

    def case(
        self, values: Iterable[str], fields: Iterable[str], properties: JsonSchema | None = None
    ) -> JsonSchema:
        """Return the JSON Schema of bodies of these kinds with these needed fields."""
        kind = {self.kind: {"enum": [str(value) for value in values]}}
        return {"properties": {**kind, **(properties or {})}, "required": list(fields)}

    def check(self, values: Mapping[str, Any]) -> None:
        """Check that the needed fields of the kind are present and not empty texts."""
        kind = values[self.kind]
        for field in self.required[kind]:
            if values.get(field) in (None, ""):
                raise ValidationError(self.message.format(kind=kind, field=field), field)


def combine(rules: Iterable[FieldRule]) -> dict[str, Any]:
    """Return the JSON Schema of all these rules together."""
    schemas = [rule.json_schema() for rule in rules]
    keywords = [keyword for schema in schemas for keyword in schema]
    if len(set(keywords)) < len(keywords):
        return {"allOf": schemas}
    return {keyword: value for schema in schemas for keyword, value in schema.items()}
