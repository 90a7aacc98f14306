"""The description of the calls as people read it: /api/docs, without a script."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

Documented = Mapping[str, Any]

_PREFIX = re.compile(r"^/api/(?:gfm|gpm|fleet)(?=/)")
_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Shape:
    """What a body or reply looks like: the name of its schema where it has one."""

    kind: str
    schema: str | None = None
    example: str | None = None


@dataclass(frozen=True)
class Parameter:
    """What an address or a header of a call holds."""

    name: str
    place: str
    kind: str
    text: str
    is_required: bool


@dataclass(frozen=True)
class Answer:
    """How a call answers when it worked."""

    status: str
    text: str
    shape: Shape | None
    headers: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Failure:
    """How a call answers when it was refused: the error, or the body that tells more."""

    status: str
    name: str
    text: str


@dataclass
class Call:
    """A call under each of the addresses at which it takes and answers the same."""

    id: str
    method: str
    summary: str
    parameters: list[Parameter]
    body: list[Shape]
    answers: list[Answer]
    failures: list[Failure]
    addresses: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Field:
    """A field of a body or reply."""

    name: str
    kind: str
    schema: str | None
    text: str
    is_required: bool


@dataclass(frozen=True)
class Fields:
    """The fields of a schema."""

    name: str
    text: str
    fields: list[Field]


def marked(text: str) -> Markup:
    """Write a text whose `parts` between backticks are code."""
    plain = text.split("`")
    tags = (Markup("<code>{}</code>") if n % 2 else Markup("{}") for n in range(len(plain)))
    return Markup("").join(tag.format(part) for tag, part in zip(tags, plain, strict=True))


def sections(document: Documented) -> list[tuple[str, str, list[Call]]]:
    """Return title, description and calls of each part, each call once with all its addresses."""
    calls: dict[str, dict[Any, Call]] = {tag["name"]: {} for tag in document["tags"]}
    errors = document["components"]["responses"]
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if (operation := methods.get(method)) is None:
                continue
            call = _call(operation, method, methods.get("parameters", ()), errors)
            plain = _PREFIX.sub("/api", path)
            same = (method, plain, call.summary, str(call.parameters), str(call.answers))
            whom = operation.get("description", "")
            calls[operation["tags"][0]].setdefault(same, call).addresses.append((path, whom))
    return [
        (tag["name"], tag["description"], list(calls[tag["name"]].values()))
        for tag in document["tags"]
    ]


def failures(document: Documented) -> list[tuple[str, str, str]]:
    """Return the name, meaning and an example of each error."""
    return [
        (name, said["description"], _written(said["content"]["application/json"]["example"]))
        for name, said in document["components"]["responses"].items()
    ]


def schemas(document: Documented) -> list[Fields]:
    """Return the bodies and replies with their fields, by name."""
    described = document["components"]["schemas"]
    return [_fields(name, described[name]) for name in sorted(described)]


def _call(
    operation: Documented, method: str, shared: Iterable[Documented], errors: Documented
) -> Call:
    content = operation.get("requestBody", {}).get("content", {})
    replies = sorted(operation["responses"].items())
    return Call(
        id=operation["operationId"],
        method=method.upper(),
        summary=operation["summary"],
        parameters=[_parameter(said) for said in (*shared, *operation["parameters"])],
        body=[_shape(kind, said) for kind, said in content.items()],
        answers=[_answer(status, said) for status, said in replies if status < "400"],
        failures=[_failure(status, said, errors) for status, said in replies if status >= "400"],
    )


def _parameter(said: Documented) -> Parameter:
    return Parameter(
        name=said["name"],
        place=said["in"],
        kind=_kind(said["schema"]),
        text=said.get("description", ""),
        is_required=said.get("required", False),
    )


def _answer(status: str, said: Documented) -> Answer:
    content = said.get("content", {})
    shape = next((_shape(kind, inner) for kind, inner in content.items()), None)
    headers = ((name, h["description"]) for name, h in said.get("headers", {}).items())
    return Answer(status, said["description"], shape, tuple(headers))


def _shape(kind: str, said: Documented) -> Shape:
    if kind != "application/json":
        return Shape(kind)
    return Shape(_kind(said["schema"]), _schema(said["schema"]), _written(said["example"]))


def _failure(status: str, said: Documented, errors: Documented) -> Failure:
    if name := _schema(said):
        return Failure(status, name, errors[name]["description"])
    schema = said["content"]["application/json"]["schema"]
    return Failure(status, _schema(schema) or "", said["description"])


def _fields(name: str, schema: Documented) -> Fields:
    required = schema.get("required", ())
    properties = schema.get("properties", {}).items()
    shown = [
        Field(each, _kind(said), _schema(said), _text(said), each in required)
        for each, said in properties
    ]
    return Fields(name, schema.get("description", ""), shown)


def _text(said: Documented) -> str:
    parts = [said.get("description", "")]
    if "example" in said:
        parts.append(f"such as {json.dumps(said['example'], ensure_ascii=False)}")
    if said.get("default", "") not in ("", [], {}):
        parts.append(f"{json.dumps(said['default'])} when missing")
    return "; ".join(part for part in parts if part)


def _kind(said: Documented) -> str:
    """Write a schema's type in words: 'text, up to 200', 'one of a, b', 'list of ItemBody'."""
    if "$ref" in said:
        return _schema(said) or ""
    if "enum" in said:
        each = (text if isinstance(text, str) else json.dumps(text) for text in said["enum"])
        return "one of " + ", ".join(each)
    kinds = said.get("type", [])
    named = [_KINDS.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    if "items" in said:
        named[0] = f"list of {_kind(said['items'])}"
    formats = [inner["format"] for inner in said.get("anyOf", ()) if "format" in inner]
    formats += [said["format"]] if "format" in said else []
    if formats and "text" in named:
        named[named.index("text")] = " or ".join(_KINDS.get(each, each) for each in formats)
    named += [_kind(inner) for inner in said.get("anyOf", ()) if "format" not in inner]
    return ", ".join([" or ".join(named), *_limits(said)])


def _limits(said: Documented) -> Iterator[str]:
    if "minimum" in said or "maximum" in said:
        ends = (said.get(end) for end in ("minimum", "maximum"))
        yield " to ".join("…" if end is None else f"{end:,}" for end in ends)
    if "maxLength" in said:
        yield f"up to {said['maxLength']} characters"
    if "pattern" in said:
        yield said["pattern"]


_KINDS = {
    "array": "list",
    "boolean": "true or false",
    "date": "day",
    "date-time": "moment",
    "integer": "whole number",
    "number": "number",
    "object": "object",
    "one-line": "one-line text",
    "string": "text",
}


def _schema(said: Documented) -> str | None:
    """Return the name of the schema that is meant, if it has one."""
    if "$ref" in said:
        name: str = said["$ref"].rpartition("/")[2]
        return name
    inner = said.get("items") or next((i for i in said.get("anyOf", ()) if "$ref" in i), None)
    return _schema(inner) if inner else None


def _written(example: Any) -> str:
    return json.dumps(example, indent=2, ensure_ascii=False)
