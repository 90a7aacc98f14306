"""Shapes of JSON values: exactly these fields, of these types."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Any

NUMBER = int | float
TEXT_OR_NULL = str | None


@dataclass(frozen=True)
class Each:
    """A list with at least one entry, all of one shape."""

    shape: Any


def problem(value: Any, shape: Any, place: str = "the reply") -> str:
    """Return how a value differs from a shape, '' if it matches.

    A shape is a type, a dict of the shapes of exactly these fields, of which those that end with
    '?' may be missing, a list of those of exactly these entries, `Each`, or the value itself.
    """
    if isinstance(shape, type | UnionType):
        is_right = isinstance(value, shape) and (not isinstance(value, bool) or shape is bool)
        return "" if is_right else f"{place} is {value!r}, not of type {shape}"
    if isinstance(shape, Each):
        if not isinstance(value, list) or not value:
            return f"{place} is {value!r}, not a list with entries"
        entries = [shape.shape] * len(value)
        return _first(problem(*each) for each in _numbered(value, entries, place))
    if isinstance(shape, dict):
        required = {name for name in shape if not name.endswith("?")}
        shapes = {name.removesuffix("?"): inner for name, inner in shape.items()}
        if not isinstance(value, dict) or not required <= value.keys() <= shapes.keys():
            return f"{place} is {value!r}, not an object with exactly {sorted(shape)}"
        return _first(problem(value[n], shapes[n], f"{place}.{n}") for n in value)
    if isinstance(shape, list) and isinstance(value, list) and len(value) == len(shape):
        return _first(problem(*each) for each in _numbered(value, shape, place))
    return "" if value == shape else f"{place} is {value!r}, not {shape!r}"


def _numbered(values: list[Any], shapes: list[Any], place: str) -> Iterator[tuple[Any, Any, str]]:
    pairs = zip(values, shapes, strict=True)
    return ((value, shape, f"{place}[{n}]") for n, (value, shape) in enumerate(pairs))


def _first(problems: Iterator[str]) -> str:
    return next(filter(None, problems), "")
