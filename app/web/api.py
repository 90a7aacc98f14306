"""What every JSON call shares: strict bodies, whole lists and parts, keys (design §5)."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, ClassVar, TypeVar

import flask_smorest
from flask import Response, request, url_for
from marshmallow import RAISE, Schema, ValidationError, fields, pre_load, validate
from webargs.flaskparser import FlaskParser

from app.db import transaction
from app.errors import Invalid, Malformed, PreconditionRequired, Unsupported
from app.web.access import viewer
from app.web.caching import PRIVATE
from app.web.idempotency import Result, Submission, exactly_once
from app.web.openapi import NEXT_LINK, NOT_CHANGED, WHOLE_TAG

MOST_ROWS = 5000

View = TypeVar("View", bound=Callable[..., Any])


class Body(Schema):
    """Base of all bodies: unknown fields are refused, `aliases` are the seed's other names.

    `constraints` documents, as JSON Schema, what holds between its fields.
    Where a list is asked for and `one_will_do`, an entry by itself is a list of one.
    """

    aliases: ClassVar[Mapping[str, str]] = {}
    constraints: ClassVar[Mapping[str, Any]] = {}
    one_will_do: ClassVar[bool] = False

    class Meta:
        """Refuse what isn't known."""

        unknown = RAISE

    @pre_load
    def _use_one_name(self, data: Any, **_: Any) -> Any:
        if not isinstance(data, dict):
            return data
        read: dict[str, Any] = {}
        for name, value in data.items():
            known = name if name in self.fields else self.aliases.get(name, name)
            if known in read and read[known] != value:
                raise ValidationError(f"{known} and its other name differ", known)
            read[known] = value
        return read


class Paging(Body):
    """Part of a list: `limit` rows after `cursor`, both optional."""

    limit = fields.Integer(validate=validate.Range(1, MOST_ROWS))
    cursor = fields.String(load_default="")


class Reply(Schema):
    """Base of all replies: every field is there, if only as null."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:  # noqa: ARG002
        """Document a field as always there."""
        field_obj.required = True


class ListChangeReply(Reply):
    """How many entries a full list added, changed, left and removed."""

    added = fields.Integer()
    changed = fields.Integer()
    unchanged = fields.Integer()
    removed = fields.Integer()


class AddedReply(Reply):
    """How many entries were added to a history."""

    added = fields.Integer()


class _Parser(FlaskParser):
    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def load_json(self, req: Any, schema: Any) -> Any:
        if req.mimetype != "application/json":
            raise Unsupported("Send the body as application/json.")
        try:
            body = json.loads(req.get_data(), object_pairs_hook=_named_once)
        except (ValueError, RecursionError):
            raise Malformed("The body is not JSON.") from None
        if schema.many and schema.one_will_do and isinstance(body, dict):
            return [body]
        if not isinstance(body, list if schema.many else dict):
            wanted = "array" if schema.many else "object"
            raise Malformed(f"The body must be a JSON {wanted}.")
        return body

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> Any:
        found = {path.partition(".")[2] or "body": said for path, said in _flat(error.messages)}
        field, message = next(iter(found.items()))
        refused = Invalid(f"{field}: {message}" if message.startswith(_GENERIC) else message)
        refused.fields = found
        raise refused


_GENERIC = (
    "An op",
    "Field ",
    "Invalid",
    "Length",
    "Longer",
    "Missing",
    "Must",
    "Not a",
    "Shorter",
    "Unknown",
)
"""How messages begin that say nothing without their field."""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A blueprint of calls that are documented and read strictly."""

    ARGUMENTS_PARSER = _Parser()

    def __init__(self, name: str, title: str, description: str, *, url_prefix: str) -> None:
        """Name it for addresses, and by title and description for its readers."""
        super().__init__(f"api_{name}", __name__, url_prefix=url_prefix)
        self.title = title
        self.description = description

    def lists(
        self, rows: type[Reply] | dict[str, Any], *, cursor: type[Paging] | None
    ) -> Callable[[View], View]:
        """Declare a view that answers with rows: all with an ETag, or a part where `cursor` is.

        `rows` is the reply of one, or the JSON Schema of all.
        """
        links = {"Link": NEXT_LINK} if cursor else {}

        def declare(view: View) -> View:
            view = self.alt_response(304, description=NOT_CHANGED, success=True)(view)
            schema = rows if isinstance(rows, dict) else rows(many=True)
            view = self.response(200, schema, headers={"ETag": WHOLE_TAG, **links})(view)
            return self.arguments(cursor, location="query")(view) if cursor else view

        return declare


def once(kind: type[Result], work: Callable[[], Result], *, of: str) -> Result:
    """Do a change in a transaction; under an Idempotency-Key only the first time it is sent.

    `of` names what it changes, which an address without prefix leaves to the chosen division.
    """
    key = request.headers.get("Idempotency-Key")
    with transaction():
        if key is None:
            return work()
        body = (("body", request.get_data(as_text=True)), ("query", request.full_path))
        # An address may hold more than the key's row does.
        path = sha256(request.path.encode()).hexdigest()
        call = f"{request.method} {path} of {of}"
        return exactly_once(Submission(viewer().user_id, call, key, body), kind, work)


def stated_versions(name: str) -> frozenset[int] | None:
    """Return the versions of a list that If-Match names, None without If-Match.

    A compressed reply carries its encoding in the tag, which says nothing of the version.
    Raises PreconditionRequired for `*`, which says nothing of what its sender has seen.
    """
    if "If-Match" not in request.headers:
        return None
    if request.if_match.star_tag:
        raise PreconditionRequired("If-Match must be the ETag of the list that this replaces.")
    tags = request.if_match.as_set(include_weak=True)
    versions = {plain_tag(tag).removeprefix(f"{name}-") for tag in tags}
    return frozenset(int(v) for v in versions if v.isascii() and v.isdecimal() and len(v) < 12)


def plain_tag(tag: str | None) -> str:
    """Return a tag without W/, quotes and the encoding that compression puts behind it.

    Werkzeug reads an empty tag as None.
    """
    return (tag or "").removeprefix("W/").strip('"').partition(":")[0]


def whole_list(
    name: str, version: int, rows: Callable[[], Iterator[Mapping[str, Any] | str]]
) -> Response:
    """Stream a list as a JSON array with the ETag of its version, or answer 304."""
    tag = f"{name}-{version}"
    held = {plain_tag(held) for held in request.if_none_match.as_set(include_weak=True)}
    response = (
        Response(status=304)
        if tag in held
        else Response(json_array(rows()), mimetype="application/json")
    )
    response.set_etag(tag)
    response.headers["Cache-Control"] = PRIVATE
    return response


def part_of_list(rows: Iterable[Mapping[str, Any]], limit: int, following: str | None) -> Response:
    """Answer with part of a list, with a link to the next part where there is one."""
    response = Response(json_array(rows), mimetype="application/json")
    response.headers["Cache-Control"] = PRIVATE
    if following is not None:
        values = {**(request.view_args or {}), "limit": limit, "cursor": following}
        response.headers["Link"] = f'<{url_for(request.endpoint or "", **values)}>; rel="next"'
    return response


_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def json_array(rows: Iterable[Mapping[str, Any] | str]) -> Iterator[str]:
    """Write rows as a JSON array, some at a time."""
    separator = "["
    part: list[str] = []
    for row in rows:
        part.append(separator + _written(row))
        separator = ",\n"
        if len(part) == 200:
            yield "".join(part)
            part = []
    yield "".join(part) + ("]" if separator != "[" else "[]")


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its members; a name that stands twice hides what was meant."""
    read = dict(pairs)
    if len(read) != len(pairs):
        raise Malformed("A name stands twice in one object of the body.")
    return read


def _flat(messages: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            step = "" if name == "_schema" else f".{name}"
            yield from _flat(inner, f"{path}{step}".removeprefix("."))
    else:
        yield path, str(messages[0])
