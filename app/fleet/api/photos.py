"""Photos, sent each by its content."""

from app.divisions import Division
from app.web.api import Blueprint


def add_calls(blueprint: Blueprint, division: Division | None) -> None:
    """Add the calls to a blueprint; `division` is its prefix."""
