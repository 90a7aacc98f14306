"""Cells of CSV files: the fields of an entity read from them and written into them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from app.fields import Field, Text, fields_of, once_per_state
from app.tables.csv_files import escape, unescape

_REMEMBERED = 4096


def cell_reader(field: Field[Any]) -> Callable[[str], Any]:
    """Return a function that parses the cells of a field; it raises Invalid.

    It remembers the texts it has read, since most texts of a column recur.
    """
    if isinstance(field, Text):
        return lru_cache(_REMEMBERED)(lambda cell: field.parse(unescape(cell)))
    return lru_cache(_REMEMBERED)(field.parse)


def cell_writer(field: Field[Any]) -> Callable[[Any], str]:
    """Return a function that formats values of a field as cells; texts are escaped."""
    if isinstance(field, Text):
        return escape
    return field.format


def state_header(state: type[Any]) -> Sequence[str]:
    """Return the columns of the fields of a state."""
    return [field.json for field in fields_of(state).values()]


def state_cells(state: type[Any], row: Any) -> Sequence[str]:
    """Return the cells of the fields of a state, from a row with its attributes."""
    return [write(getattr(row, name)) for name, write in _writers(state)]


@once_per_state
def _writers(state: type[Any]) -> Sequence[tuple[str, Callable[[Any], str]]]:
    return [(name, cell_writer(field)) for name, field in fields_of(state).items()]
