"""Replies with files: streamed exports, and files stored under a name made from their content."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain
from typing import Protocol
from urllib.parse import quote

from flask import Response, request

from app.errors import FileLost, Invalid

IMMUTABLE = "private, max-age=31536000, immutable"
"""The Cache-Control of an address whose content never changes."""


class Files(Protocol):
    """A store that files are read from."""

    def get(self, name: str) -> bytes:
        """Return a file; raises FileLost."""

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""


_UNUSUAL = re.compile(r"[^A-Za-z0-9 ._()-]")
_NEVER_RUN = "sandbox; default-src 'none'"
"""The Content-Security-Policy of a file that may hold anything."""


def download(name: str, chunks: Iterator[str] | Iterator[bytes], mimetype: str) -> Response:
    """Return a response that streams a file."""
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(chunks, mimetype=mimetype, headers=headers)


def csv_download(name: str, lines: Iterator[str]) -> Response:
    """Return a response that streams a CSV file, or its workbook if the address asks for that."""
    requested = request.args.get("format", "csv")
    if requested == "csv":
        return download(name, lines, "text/csv")
    if requested != "xlsx":
        raise Invalid("There is no such format. Choose csv or xlsx.", "format")
    from app.tables import xlsx_files

    chunks = xlsx_files.write_workbook(lines)
    # The first chunk comes once the workbook is whole, so a refusal is still a reply.
    whole = chain([next(chunks)], chunks)
    return download(f"{name.removesuffix('.csv')}.xlsx", whole, xlsx_files.MEDIA_TYPE)


def file_response(
    files: Files,
    name: str,
    media_type: str,
    cache_control: str,
    *,
    size: int | None = None,
    download_name: str = "",
) -> Response:
    """Reply with a stored file; its name is a hash of its content and so is its ETag.

    With a `download_name` a browser saves it under that name and shows nothing of it.
    """
    if request.if_none_match.contains(name):
        response = Response(status=304)
    elif request.method == "HEAD":
        response = _head_response(files, name, media_type, size)
    else:
        response = Response(files.get(name), mimetype=media_type)
    response.set_etag(name)
    response.headers["Cache-Control"] = cache_control
    if download_name:
        response.headers["Content-Disposition"] = _attachment_header(download_name)
        response.headers["Content-Security-Policy"] = _NEVER_RUN
    return response


def _attachment_header(name: str) -> str:
    """Return the header in the way of RFC 6266: a plain name, and in full."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = _UNUSUAL.sub("_", plain)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _head_response(files: Files, name: str, media_type: str, size: int | None) -> Response:
    if not files.exists(name):
        raise FileLost
    # Werkzeug would send Content-Length: 0 for an empty list.
    response = Response(iter(()), mimetype=media_type)
    if size is not None:
        response.content_length = size
    return response
