"""URL converters for routes."""

from flask import Flask
from werkzeug.routing import IntegerConverter, PathConverter

from app.paging import MAX_ID


class AnyTextConverter(PathConverter):
    """Any text, slashes included, also at its start: an asset's id can be '/a'."""

    part_isolating = False
    regex = ".+?"


class RowIdConverter(IntegerConverter):
    """The id of a row; a number above MAX_ID becomes MAX_ID, which no row has."""

    def to_python(self, value: str) -> int:
        """Convert the digits in a URL."""
        return MAX_ID if len(value) > len(str(MAX_ID)) else min(int(value), MAX_ID)


def init_app(app: Flask) -> None:
    """Register the converters."""
    app.url_map.converters.update(any_text=AnyTextConverter, row_id=RowIdConverter)
