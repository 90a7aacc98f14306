"""What every JSON call shares: strict bodies, whole lists and parts, keys (design §5)."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, ClassVar, TypeVar

import flask_smorest
from flask import current_app, request
from marshmallow import RAISE, Schema, ValidationError, fields, post_load, pre_load, validate
from webargs.flaskparser import FlaskParser

from app.api.cursors import decode_cursor
from app.api.description import NEXT_LINK, NOT_CHANGED, WHOLE_TAG
from app.db import transaction
from app.errors import Invalid, Malformed, PreconditionFailed, Unsupported
from app.web.access import current_user
from app.web.idempotency import MAX_KEY_LENGTH, KeyReused, Result, Submission, exactly_once

MAX_ROWS = 5000

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

    @pre_load(pass_collection=True)
    def _use_one_name(self, data: Any, *, many: bool = False, **_: Any) -> Any:
        if not many or not isinstance(data, list):
            return self._with_one_name(data)
        read: list[Any] = []
        wrong: dict[Any, Any] = {}
        for place, entry in enumerate(data):
            try:
                read.append(self._with_one_name(entry))
            except ValidationError as error:
                wrong[place] = {error.field_name: error.messages}
        if wrong:
            raise ValidationError(wrong)
        return read

    def _with_one_name(self, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        read: dict[str, Any] = {}
        said: dict[str, str] = {}
        for name, value in data.items():
            known = name if name in self.fields else self.aliases.get(name, name)
            if known in read and read[known] != value:
                raise ValidationError(f"{said[known]} and {name} differ", known)
            read[known], said[known] = value, name
        return read


class Count(fields.Integer):
    """A whole number in an address, in digits alone."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not (value.isascii() and value.isdecimal()):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **kwargs)


class Paging(Body):
    """Part of a list: `limit` rows, behind those before `cursor`, which a part's link names."""

    limit = Count(validate=validate.Range(1, MAX_ROWS))
    cursor = fields.String(
        metadata={
            "description": "What the link of the part before names",
            "pattern": "^[A-Za-z0-9_.-]+$",
        }
    )

    @post_load
    def _place(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        if "cursor" in data and "limit" not in data:
            raise ValidationError("A cursor needs a limit beside it.", "limit")
        return data | {"cursor": decode_cursor(data["cursor"]) if "cursor" in data else ""}


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
            data = req.get_data()
            body = json.loads(data, object_pairs_hook=_named_once)
        except (ValueError, RecursionError):
            raise Malformed("The body is not JSON.") from None
        if b"\\ud" in data.lower() and not _is_writable(body):
            raise Malformed("The body holds half of a character (U+D800 to U+DFFF).")
        if schema.many and schema.one_will_do and isinstance(body, dict):
            return [body]
        if not isinstance(body, list if schema.many else dict):
            wanted = "array" if schema.many else "object"
            raise Malformed(f"The body must be a JSON {wanted}.")
        return body

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> Any:
        found = {path.partition(".")[2] or "body": said for path, said in _flat(error.messages)}
        raise _refusal(found)


def _refusal(found: dict[str, str]) -> Invalid:
    """Return the error that says the first of these problems, and has all of them by field."""
    field, message = next(iter(found.items()))
    refused = Invalid(f"{field}: {message}" if message.startswith(_GENERIC) else message)
    refused.fields = found
    return refused


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

_VISIBLE = re.compile(r"[!-~]+")
_KEY_REUSED = (
    "Something else was sent under this Idempotency-Key. Check before sending under a new one."
)


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A blueprint of calls that are documented and read strictly."""

    ARGUMENTS_PARSER = _Parser()

    def __init__(self, name: str, title: str, description: str, *, url_prefix: str) -> None:
        """Name it for addresses, and by title and description for its readers."""
        super().__init__(f"api_{name}", __name__, url_prefix=url_prefix)
        self.title = title
        self.description = description
        self.before_request(_refuse_unread_query)

    def lists(self, rows: type[Reply] | dict[str, Any]) -> Callable[[View], View]:
        """Declare a view that answers with rows, all with an ETag or a part, as `Paging` asks.

        `rows` is the reply of one, or the JSON Schema of all.
        """

        def declare(view: View) -> View:
            view = self.alt_response(304, description=NOT_CHANGED, success=True)(view)
            schema = rows if isinstance(rows, dict) else rows(many=True)
            headers = {"ETag": WHOLE_TAG, "Link": NEXT_LINK}
            view = self.response(200, schema, headers=headers)(view)
            declared: View = self.arguments(Paging, location="query")(view)
            return declared

        return declare


def _refuse_unread_query() -> None:
    """Raise Invalid where a call that reads no query has one; a parser does so in the others."""
    described = getattr(current_app.view_functions[request.endpoint or ""], "_apidoc", {})
    read = described.get("arguments", {}).get("parameters", ())
    if request.args and not any(parameters["in"] == "query" for parameters in read):
        name = next(iter(request.args))
        raise _refusal({name: "Unknown field."})


def run_once(
    kind: type[Result], work: Callable[[], Result], *, of: str, reads_match: bool = False
) -> Result:
    """Do a change in a transaction; under an Idempotency-Key only the first time it is sent.

    `of` names what it changes, which an address without prefix leaves to the chosen division.
    Raises PreconditionFailed for an If-Match that the work doesn't read: it must not be ignored.
    """
    if "If-Match" in request.headers and not reads_match:
        raise PreconditionFailed("What this changes has no ETag. Send it without If-Match.")
    key = request.headers.get("Idempotency-Key")
    with transaction():
        if key is None:
            return work()
        if not (_VISIBLE.fullmatch(key) and len(key) <= MAX_KEY_LENGTH):
            raise Invalid(
                f"Idempotency-Key must be 1 to {MAX_KEY_LENGTH} letters, digits and signs."
            )
        sent = sha256(request.get_data()).hexdigest()
        body = (("body", sent), ("query", request.full_path))
        # An address may hold more than the key's row does.
        path = sha256(request.path.encode()).hexdigest()
        call = f"{request.method} {path} of {of}"
        try:
            return exactly_once(Submission(current_user().user_id, call, key, body), kind, work)
        except KeyReused:
            raise Invalid(_KEY_REUSED) from None


def _is_writable(body: Any) -> bool:
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


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
