"""Files that are sent while they are read."""

from collections.abc import Iterable, Iterator, Sequence

from flask import Response

from app.tables.csv_files import in_chunks, write_rows


def download(name: str, parts: Iterator[str], mimetype: str) -> Response:
    """Send a file in parts."""
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(parts, mimetype=mimetype, headers=headers)


def csv_download(
    name: str, header: Sequence[str], rows: Iterable[Sequence[str]], *, quotes_all: bool = False
) -> Response:
    """Send rows as CSV; texts must be escaped already."""
    lines = write_rows(header, rows, quotes_all=quotes_all)
    return download(name, in_chunks(lines), "text/csv")
