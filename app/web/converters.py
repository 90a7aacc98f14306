"""What the gaps of our addresses hold."""

from flask import Flask
from werkzeug.routing import PathConverter


class Anything(PathConverter):
    """A part of an address that is any text; without it '/a' would lead to what 'a' is."""

    part_isolating = False
    regex = ".+?"


def init_app(app: Flask) -> None:
    """Let addresses name them."""
    app.url_map.converters["anything"] = Anything
