"""Cells of CSV files: the fields of an entity read from them and written into them."""

from collections.abc import Callable
from typing import Any

from app.fields import Field, Text
from app.tables.csv_files import escape, unescape


def cell_reader(field: Field[Any]) -> Callable[[str], Any]:
    """Return a function that parses the cells of a field; it raises Invalid."""
    if isinstance(field, Text):
        return lambda cell: field.parse(unescape(cell))
    return field.parse


def cell_writer(field: Field[Any]) -> Callable[[Any], str]:
    """Return a function that formats values of a field as cells; texts are escaped."""
    if isinstance(field, Text):
        return escape
    return field.format
