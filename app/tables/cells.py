"""Cells of CSV files: the fields of an entity read from them and written into them."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from app.fields import Field, Text
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
