"""Streamed file downloads."""

from collections.abc import Iterable, Iterator, Sequence

from flask import Response

from app.tables.csv_files import write_rows


def download(name: str, chunks: Iterator[str], mimetype: str) -> Response:
    """Return a response that streams a file."""
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(chunks, mimetype=mimetype, headers=headers)


def csv_download(
    name: str, header: Sequence[str], rows: Iterable[Sequence[object]], *, quotes_all: bool = False
) -> Response:
    """Return a response that streams rows as CSV; texts among the cells are escaped already."""
    return download(name, write_rows(header, rows, quotes_all=quotes_all), "text/csv")
