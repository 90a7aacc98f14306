"""What the gaps of our addresses hold."""

from flask import Flask
from werkzeug.routing import IntegerConverter, PathConverter

from app.paging import MAX_ID


class Anything(PathConverter):
    """A part of an address that is any text; without it '/a' would lead to what 'a' is."""

    part_isolating = False
    regex = ".+?"


class Number(IntegerConverter):
    """The id of a row: one that no row can have is the last of all, so that it isn't there."""

    def to_python(self, value: str) -> int:
        """Read the digits of an address."""
        return MAX_ID if len(value) > len(str(MAX_ID)) else min(int(value), MAX_ID)


def init_app(app: Flask) -> None:
    """Let addresses name them."""
    app.url_map.converters.update(anything=Anything, number=Number)
