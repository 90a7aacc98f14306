"""Stub."""

from app.web.api import Blueprint


def add_calls(blueprint: Blueprint) -> None:
    """Add the calls to a blueprint."""
