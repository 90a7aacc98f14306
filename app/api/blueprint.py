"""Blueprints of JSON calls: strictly parsed, declared at their views, and documented."""

import json
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any

import flask_smorest
from flask import request
from marshmallow import RAISE, Schema, ValidationError
from webargs.flaskparser import FlaskParser

from app.api.fields import FullMessage
from app.api.lists import Paging
from app.api.replies import Reply
from app.errors import Invalid, Malformed, QuartermasterError, TooLarge, Unsupported
from app.web.policies import View, declared, declares

MAX_LIST = 50_000
"""The most entries of a body that is a list: all of them are changed under one lock."""

NOT_MODIFIED = "The version that If-None-Match names is still current"
ETAG_HEADER: Mapping[str, Any] = {
    "ETag": {
        "schema": {"type": "string"},
        "description": "Version of the list; sent with whole lists only",
    }
}
_LIST_HEADERS: Mapping[str, Any] = {
    **ETAG_HEADER,
    "Link": {
        "schema": {"type": "string"},
        "description": 'Address of the next part, rel="next"; absent on the last part',
    },
}


def text_in_path(name: str, *, limit: int, example: str) -> dict[str, Any]:
    """Return the description of a line of text in a path."""
    schema = {"type": "string", "format": "one-line", "minLength": 1, "maxLength": limit}
    return {"in": "path", "name": name, "required": True, "schema": schema, "example": example}


class IfMatch(StrEnum):
    """Whether a change may or must name the version of its list, or of its RECORD."""

    REFUSED = "refused"
    OPTIONAL = "optional"
    REQUIRED = "required"
    RECORD = "record"


class _Parser(FlaskParser):
    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def load_json(self, req: Any, schema: Any) -> Any:
        if req.mimetype != "application/json":
            raise Unsupported("Send the body as application/json.")
        try:
            data = req.get_data()
            body = json.loads(data, object_pairs_hook=_unique_members)
        except (ValueError, RecursionError):
            raise Malformed("The body is not JSON.") from None
        if b"\\ud" in data.lower() and not _is_encodable(body):
            raise Malformed("The body contains half of a surrogate pair (U+D800 to U+DFFF).")
        if schema.many and schema.accepts_single and isinstance(body, dict):
            return [body]
        if not isinstance(body, list if schema.many else dict):
            raise Malformed(f"The body must be a JSON {'array' if schema.many else 'object'}.")
        if len(body) > MAX_LIST:
            raise TooLarge(f"A list may have up to {MAX_LIST:,} entries. Import longer ones.")
        return body

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> Any:
        messages = _flatten(error.messages)
        raise _invalid({path.partition(".")[2] or "body": text for path, text in messages})


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A blueprint of JSON calls that may be registered once per prefix.

    `feature` begins the ids of its operations; `name` is unique among blueprints. With
    `passes_division` each view gets the division of its prefix, None without a prefix.
    """

    ARGUMENTS_PARSER = _Parser()

    def __init__(
        self,
        name: str,
        title: str,
        description: str,
        *,
        url_prefix: str | None = None,
        feature: str | None = None,
        passes_division: bool = False,
    ) -> None:
        super().__init__(f"api_{name}", __name__, url_prefix=url_prefix, description=description)
        self.title = title
        self.feature = feature or name
        self.passes_division = passes_division
        self.before_request(_refuse_unread_query)

    def add_url_rule(
        self, rule: str, *args: Any, tags: list[str] | None = None, **options: Any
    ) -> None:
        """Register a route, tagged with the title of this blueprint."""
        super().add_url_rule(rule, *args, tags=tags or [self.title], **options)

    def arguments(self, schema: type[Schema] | Schema, **options: Any) -> Callable[[View], View]:
        """Declare the arguments of a view; the schema is made once, not for each request."""
        made = schema() if isinstance(schema, type) else schema
        declare: Callable[[View], View] = super().arguments(made, **options)
        return declare

    def lists(
        self, rows: type[Reply] | dict[str, Any], paging: type[Paging] = Paging
    ) -> Callable[[View], View]:
        """Declare a view that serves a list: whole with an ETag, or one part as `paging` says.

        `rows` is the reply schema of one row, or the JSON Schema of the whole array. A `paging` of
        its own has the list's filters besides.
        """

        def declare(view: View) -> View:
            schema = rows if isinstance(rows, dict) else rows(many=True)
            view = self.alt_response(304, description=NOT_MODIFIED, success=True)(view)
            view = self.response(200, schema, headers=dict(_LIST_HEADERS))(view)
            declared: View = self.arguments(paging, location="query")(view)
            return declared

        return declare

    def one_or_many(
        self, body: type[Schema], reply: type[Schema] | None = None, status: int = 200
    ) -> Callable[[View], View]:
        """Declare a view that takes one entry, or a list of them; with `reply` it replies alike."""

        def content(schema: type[Schema]) -> dict[str, Any]:
            either = {"anyOf": [schema, {"type": "array", "items": schema}]}
            return {"content": {"application/json": {"schema": either}}}

        def declare(view: View) -> View:
            view = self.doc(requestBody=content(body))(view)
            if reply:
                view = self.doc(responses={str(status): content(reply)})(view)
            declared: View = self.arguments(body(many=True))(view)
            return declared

        return declare


def change(*, if_match: IfMatch = IfMatch.REFUSED) -> Callable[[View], View]:
    """Declare a view that changes something: it takes an Idempotency-Key, maybe an If-Match."""
    return declares(if_match=if_match)


def raises(*failures: type[QuartermasterError]) -> Callable[[View], View]:
    """Declare errors of a view beyond the errors of its policy, path, body and headers."""
    return declares(failures=failures)


def _refuse_unread_query() -> None:
    """Raise Invalid if the request has a query and its view declares none.

    Parsers check declared queries.
    """
    parameters = declared("_apidoc", {}).get("arguments", {}).get("parameters", ())
    if request.args and not any(parameter["in"] == "query" for parameter in parameters):
        name = next(iter(request.args))
        raise _invalid({name: "Unknown field."})


def _invalid(messages: dict[str, str]) -> Invalid:
    field, message = next(iter(messages.items()))
    error = Invalid(message if isinstance(message, FullMessage) else f"{field}: {message}")
    error.fields = messages
    return error


def _is_encodable(body: Any) -> bool:
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Malformed("An object in the body has two members of the same name.")
    return members


def _flatten(messages: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield marshmallow's nested messages as pairs of a dotted path and its first message."""
    if isinstance(messages, Mapping):
        for name, inner in messages.items():
            step = "" if name == "_schema" else f".{name}"
            yield from _flatten(inner, f"{path}{step}".removeprefix("."))
    else:
        yield path, messages[0]
