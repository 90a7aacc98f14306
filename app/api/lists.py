"""JSON lists and their cursors."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlencode

from flask import Response, current_app, g, request, url_for
from itsdangerous import BadData, URLSafeSerializer
from marshmallow import ValidationError, fields, post_load, pre_load, validate

from app import dates
from app.api.fields import FullMessage
from app.api.schemas import Body
from app.errors import Invalid, PreconditionFailed, PreconditionRequired
from app.versions import version_of
from app.web.caching import PRIVATE
from app.web.remembered import VIEW

_PART = ("limit", "cursor")


def decode_cursor(cursor: str) -> str:
    """Return the key or id in a cursor of this list and query; raises Invalid for other texts."""
    try:
        return str(_signer().loads(cursor))
    except BadData:
        raise Invalid(
            "This cursor is not valid. Use the one in the Link header of the previous part.",
            "cursor",
        ) from None


def query_of_list() -> str:
    """Return the filters and the order that the request asks for, '' for none."""
    # A view can change, and a quick range moves with the day.
    day = {"today": dates.today()} if dates.RANGE in request.args else {}
    given = request.args.to_dict() | g.get("view_in_call", day)
    return urlencode(sorted((name, v) for name, v in given.items() if name not in _PART))


def _signer() -> URLSafeSerializer:
    salt = f"quartermaster-cursor {request.path} {query_of_list()}".rstrip()
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=salt)


MAX_ROWS = 5000
_ROWS_PER_CHUNK = 200

Row = TypeVar("Row")
JsonRow = Mapping[str, Any] | str


class QueryCount(fields.Integer):
    """A whole number in a query, as plain digits."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not (value.isascii() and value.isdecimal()):
            raise ValidationError("Must be a whole number.")
        return super()._deserialize(value, *args, **kwargs)


@dataclass(frozen=True)
class ListPaging:
    """The requested part of a list: all rows if `limit` is None, else up to `limit`.

    `after` is the key of the row before, '' at first.
    """

    limit: int | None = None
    after: str = ""


class Paging(Body):
    """The query of a list; without `limit` the whole list is sent."""

    limit = QueryCount(validate=validate.Range(1, MAX_ROWS))
    cursor = fields.String(
        metadata={
            "description": "The cursor in the Link header of the previous part",
            "pattern": "^[A-Za-z0-9_.-]+$",
        }
    )

    @post_load
    def _paging(self, data: dict[str, Any], **_: Any) -> ListPaging:
        if "cursor" not in data:
            return ListPaging(data.get("limit"))
        if "limit" not in data:
            raise ValidationError(FullMessage("A cursor needs a limit beside it."), "limit")
        return ListPaging(data["limit"], decode_cursor(data["cursor"]))


class ViewPaging(Paging):
    """The query of a list that a saved view can filter; `called` are names of its page in calls."""

    called: ClassVar[Mapping[str, str]] = {"q": "search"}

    view = QueryCount(
        metadata={"description": "A saved view of the list; other filters win over it"}
    )

    @pre_load
    def _fill_in(self, data: Mapping[str, str], **_: Any) -> Mapping[str, str]:
        views, names = current_app.extensions["views"], {f.data_key for f in self.fields.values()}
        return views.fill_in(data, self.called, names) if VIEW in data else data


class FilteredPaging(Paging):
    """The query of a list with filters, read as the part and the filters by name."""

    @post_load
    def _paging(self, data: dict[str, Any], **_: Any) -> tuple[ListPaging, dict[str, Any]]:
        filters = {name: data.pop(name) for name in data.keys() - {"limit", "cursor"}}
        return super()._paging(data), filters


def list_response(
    paging: ListPaging,
    name: str,
    *,
    rows: Callable[[], Iterable[Row]],
    rows_after: Callable[[str, int], Sequence[Row]],
    key: Callable[[Any], str] = lambda row: str(row.id),
    write: Callable[[Row], JsonRow],
    version: Callable[[], int | str] | None = None,
) -> Response:
    """Serve a list: whole with the ETag of its version (or 304), or one part of it.

    `rows` reads the whole list, while the reply is being sent. `rows_after` reads at most so many
    rows after the one with a key, from the start for ''. `name` is that of the list's version. A
    `version` that is a text begins with the list's own, and a point before what else the rows show.
    """
    if paging.limit is None:
        current = version_of(name) if version is None else version()
        return whole_list(name, current, lambda: map(write, rows()))
    # One row more tells whether another part follows.
    found = rows_after(paging.after, paging.limit + 1)
    next_key = key(found[paging.limit - 1]) if len(found) > paging.limit else None
    return list_part(map(write, found[: paging.limit]), paging.limit, next_key)


def if_match_versions(name: str) -> frozenset[int] | None:
    """Return the versions of a list that If-Match names, None without If-Match.

    Compression adds its encoding to a tag, which is ignored. A weak tag never matches
    (RFC 9110, 13.1.1); these lists have none. Raises PreconditionRequired for `*`, since it
    doesn't tell which version the client has seen.
    """
    if "If-Match" not in request.headers:
        return None
    if request.if_match.star_tag:
        raise PreconditionRequired("If-Match must be the ETag of the list that this replaces.")
    tags = request.if_match.as_set()
    versions = {parse_tag(tag).removeprefix(f"{name}-").partition(".")[0] for tag in tags}
    return frozenset(int(v) for v in versions if v.isascii() and v.isdecimal() and len(v) < 12)


def check_record(name: str, version: int) -> None:
    """Check that If-Match is there and names the version of a record that a change is based on."""
    versions = None if request.if_match.star_tag else if_match_versions(name)
    if versions is None:
        raise PreconditionRequired("Send If-Match with the ETag of what this changes.")
    if version not in versions:
        raise PreconditionFailed("It has changed since. Load it again.")


def parse_tag(tag: str | None) -> str:
    """Return a tag without W/, quotes and compression's suffix; Werkzeug parses '' as None."""
    return (tag or "").removeprefix("W/").strip('"').partition(":")[0]


def whole_list(name: str, version: int | str, rows: Callable[[], Iterable[JsonRow]]) -> Response:
    """Stream a list as a JSON array with the ETag of its version and query, or reply 304."""
    query = query_of_list()
    # No version in If-Match: what replaces the list must know the whole list.
    of_query = f"~{hashlib.sha256(query.encode()).hexdigest()[:12]}" if query else ""
    tag = f"{name}{of_query}-{version}"
    cached = {parse_tag(cached) for cached in request.if_none_match.as_set(include_weak=True)}
    response = (
        Response(status=304)
        if tag in cached
        else Response(json_array(rows()), mimetype="application/json")
    )
    response.set_etag(tag)
    response.headers["Cache-Control"] = PRIVATE
    return response


def list_part(rows: Iterable[JsonRow], limit: int, next_key: str | None) -> Response:
    """Reply with one part of a list, and a link to the next one if `next_key` is given."""
    response = Response(json_array(rows), mimetype="application/json")
    response.headers["Cache-Control"] = PRIVATE
    if next_key is not None:
        part = {"limit": limit, "cursor": _signer().dumps(next_key)}
        values = {**(request.view_args or {}), **request.args, **part}
        response.headers["Link"] = f'<{url_for(request.endpoint or "", **values)}>; rel="next"'
    return response


_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def json_array(rows: Iterable[JsonRow]) -> Iterator[str]:
    """Yield the text of a JSON array in chunks of some rows."""
    separator = "["
    chunk: list[str] = []
    for row in rows:
        chunk.append(separator + _to_json(row))
        separator = ",\n"
        if len(chunk) == _ROWS_PER_CHUNK:
            yield "".join(chunk)
            chunk = []
    yield "".join(chunk) + ("]" if separator != "[" else "[]")
