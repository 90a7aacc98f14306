"""Replies with files that are stored under a name made from their content."""

from typing import Protocol

from flask import Response, request

from app.errors import FileLost

IMMUTABLE = "private, max-age=31536000, immutable"
"""For what has the same content at its address for ever."""


class Files(Protocol):
    """A store that files are read from."""

    def get(self, name: str) -> bytes:
        """Return a file; raises FileLost."""

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""


def file_response(
    files: Files, name: str, media_type: str, cache_control: str, *, size: int | None = None
) -> Response:
    """Reply with a stored file; its name is a hash of its content and so is its ETag."""
    if request.if_none_match.contains(name):
        response = Response(status=304)
    elif request.method == "HEAD":
        response = _head_response(files, name, media_type, size)
    else:
        response = Response(files.get(name), mimetype=media_type)
    response.set_etag(name)
    response.headers["Cache-Control"] = cache_control
    return response


def _head_response(files: Files, name: str, media_type: str, size: int | None) -> Response:
    """Reply without reading the file, with its length if that is known."""
    if not files.exists(name):
        raise FileLost
    # Werkzeug would send Content-Length: 0 for an empty list.
    response = Response(iter(()), mimetype=media_type)
    if size is not None:
        response.content_length = size
    return response
