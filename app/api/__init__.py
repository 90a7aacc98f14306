"""The JSON API: its blueprints, bodies, lists and errors, and their OpenAPI description."""

from collections.abc import Callable, Iterable

from flask import Flask

from app.api import docs
from app.api.openapi import Api


def init_app(app: Flask, features: Iterable[Callable[[Api], None]]) -> None:
    """Serve the calls that these functions of the features register, and their description."""
    api = Api(app)
    for register_calls in features:
        register_calls(api)
    docs.init_app(app, api)
