"""Lists as JSON: whole with an ETag, or in parts that lead to each other (design §5)."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from flask import Response, request, url_for

from app.api.cursors import encode_cursor
from app.errors import PreconditionRequired
from app.web.caching import PRIVATE


def if_match_versions(name: str) -> frozenset[int] | None:
    """Return the versions of a list that If-Match names, None without If-Match.

    A compressed reply carries its encoding in the tag, which says nothing of the version. A weak
    tag matches nothing here (RFC 9110, 13.1.1), and none of these lists is sent with one.
    Raises PreconditionRequired for `*`, which says nothing of what its sender has seen.
    """
    if "If-Match" not in request.headers:
        return None
    if request.if_match.star_tag:
        raise PreconditionRequired("If-Match must be the ETag of the list that this replaces.")
    tags = request.if_match.as_set()
    versions = {parse_tag(tag).removeprefix(f"{name}-") for tag in tags}
    return frozenset(int(v) for v in versions if v.isascii() and v.isdecimal() and len(v) < 12)


def parse_tag(tag: str | None) -> str:
    """Return a tag without W/, quotes and the encoding that compression puts behind it.

    Werkzeug reads an empty tag as None.
    """
    return (tag or "").removeprefix("W/").strip('"').partition(":")[0]


def whole_list(
    name: str, version: int, rows: Callable[[], Iterator[Mapping[str, Any] | str]]
) -> Response:
    """Stream a list as a JSON array with the ETag of its version, or answer 304."""
    tag = f"{name}-{version}"
    held = {parse_tag(held) for held in request.if_none_match.as_set(include_weak=True)}
    response = (
        Response(status=304)
        if tag in held
        else Response(json_array(rows()), mimetype="application/json")
    )
    response.set_etag(tag)
    response.headers["Cache-Control"] = PRIVATE
    return response


def list_part(
    rows: Iterable[Mapping[str, Any] | str], limit: int, following: str | None
) -> Response:
    """Answer with part of a list, with a link to the next part where there is one."""
    response = Response(json_array(rows), mimetype="application/json")
    response.headers["Cache-Control"] = PRIVATE
    if following is not None:
        values = {**(request.view_args or {}), "limit": limit, "cursor": encode_cursor(following)}
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
