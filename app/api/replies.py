"""Replies: a field says its type, its texts in the description, and where its value is."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from operator import attrgetter
from typing import Any, TypeVar

from marshmallow import Schema, fields, missing

from app.api.fields import documented, json_choices, json_moment, json_writer
from app.fields import Choice, Day, Field, Flag, Pounds, WholeNumber, camel_case, fields_of

Read = str | Callable[[Any], Any]
"""Where a value is: a path of attributes of the row, or a function of the row."""

Convert = Callable[[Any], Any]

K = TypeVar("K", bound=fields.Field[Any])

WRITTEN = "write"
"""Where a field's metadata has its `Read` and its `Convert`, each None for the plain one."""


class Reply(Schema):
    """Base of all replies: every field is always present, if only as null, in camel case."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Name a field in camel case, and document it as always present."""
        if field_obj.data_key is None:
            field_obj.data_key = field_obj.attribute = camel_case(field_name)
        field_obj.required = True

    def dump(self, obj: Any, *, many: bool | None = None) -> Any:
        """Return a reply as JSON, of a list all."""
        return super().dump(obj, many=isinstance(obj, list) if many is None else many)

    @classmethod
    def write(cls, row: Any = None, **values: Any) -> dict[str, Any]:
        """Return a row as JSON; `values` are fields' values that the row doesn't have."""
        written = {}
        for name, key, read, convert in _writers(cls):
            value = values[name] if name in values else read(row)
            written[key] = convert(value) if convert else value
        return written

    @classmethod
    def write_all(cls, rows: Iterable[Any]) -> list[dict[str, Any]]:
        """Return rows as JSON."""
        return [cls.write(row) for row in rows]


@cache
def _writers(reply: type[Reply]) -> Sequence[tuple[str, str, Convert, Convert | None]]:
    """Return the attribute, JSON name, reader and converter of each field."""
    writers = []
    for name, declared in reply._declared_fields.items():
        read, convert = declared.metadata.get(WRITTEN, (None, None))
        reader = read if callable(read) else attrgetter(read or name)
        writers.append((name, declared.data_key or camel_case(name), reader, convert))
    return writers


def reply_of(
    state: type[Any], *, without: Collection[str] = (), at: str = ""
) -> Callable[[type[Reply]], type[Reply]]:
    """Return a decorator that adds a state's fields, at a row's path `at`, to those of a reply."""

    def add(reply: type[Reply]) -> type[Reply]:
        own = reply._declared_fields
        taken = {camel_case(name) for name in own}
        made = {
            name: of(entity, f"{at}.{name}" if at else name, data_key=entity.json)
            for name, entity in fields_of(state).items()
            if name not in without and entity.json not in taken
        }
        reply._declared_fields = made | own
        return reply

    return add


def field(
    kind: Callable[..., K],
    example: Any = missing,
    value: Read | None = None,
    *,
    inner: Sequence[Any] = (),
    null: bool = False,
    convert: Convert | None = None,
    data_key: str | None = None,
    **about: Any,
) -> K:
    """Return a field of a reply; `value` is where its value is.

    `null` allows none, `convert` makes JSON of the value, and `about` are JSON Schema's.
    """
    if example is not missing:
        about["example"] = example
    metadata = {**about, WRITTEN: (value, convert)}
    names = {"data_key": data_key, "attribute": data_key}
    return kind(*inner, allow_none=null, metadata=metadata, **names)


text = partial(field, fields.String)
number = partial(field, fields.Integer)
flag = partial(field, fields.Boolean)
texts = partial(field, fields.List, inner=[fields.String()], convert=list)
pounds = partial(field, fields.Float, convert=json_writer(Pounds()))
"""The field of an amount of money: the row has pence, JSON pounds."""

day = partial(field, fields.String, convert=json_writer(Day()), format="date")
moment = partial(field, fields.String, convert=json_moment, format="date-time")


def choice(choices: Iterable[str], *args: Any, null: bool = False, **options: Any) -> fields.String:
    """Return the field of a member of an enum, or of one of several texts."""
    enum = [*choices, *([None] if null else [])]
    return text(*args, null=null, enum=enum, convert=_choice, **options)


def rows(
    reply: type[Reply], value: Read | None = None, example: Any = missing, **options: Any
) -> "fields.List[Any]":
    """Return the field of a list of replies."""
    options = {"convert": reply.write_all} | options
    return field(fields.List, example, value, inner=[fields.Nested(reply)], **options)


def nested(reply: type[Reply], *args: Any, **options: Any) -> fields.Nested:
    """Return the field of one reply."""

    def convert(row: Any) -> Any:
        return None if row is None else reply.write(row)

    return field(fields.Nested, missing, *args, inner=[reply], convert=convert, **options)


_KINDS: Mapping[type[Field[Any]], type[fields.Field[Any]]] = {
    WholeNumber: fields.Integer,
    Pounds: fields.Float,
    Flag: fields.Boolean,
}
"""The fields of entities' fields that aren't texts in JSON."""


def of(entity: Field[Any], value: Read | None = None, **options: Any) -> fields.Field[Any]:
    """Return the field for an entity's field."""
    null = entity.default is None and not entity.required
    options = {"null": null, "convert": json_writer(entity)} | documented(entity) | options
    if isinstance(entity, Day):
        options["format"] = "date"
    if isinstance(entity, Choice):
        options["enum"] = [*json_choices(entity), *([None] if options["null"] else [])]
    kinds = (kind for base, kind in _KINDS.items() if isinstance(entity, base))
    kind = next(kinds, fields.String)
    return field(kind, value=value, **options)


def _choice(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
