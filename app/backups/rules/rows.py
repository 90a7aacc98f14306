"""A table's rows as lines of JSON, the same on every database."""

import json
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

_READ: Mapping[type, Callable[[str], Any]] = {
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
}


def _moment(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"A backup can't hold a {type(value).__name__} yet")


_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_moment).encode


def line_of(row: Mapping[str, Any]) -> bytes:
    """Write a row; raises TypeError for a value that JSON and `row_of` don't know."""
    return _written(row).encode() + b"\n"


class RowReader:
    """Reads the lines of a table whose columns hold these types."""

    def __init__(self, types: Mapping[str, type]) -> None:
        self._columns = types.keys()
        self._readers = {name: _READ[kind] for name, kind in types.items() if kind in _READ}

    def row_of(self, line: bytes) -> dict[str, Any]:
        """Read a row; raises ValueError when it isn't one of this table."""
        row = json.loads(line)
        if not isinstance(row, dict) or row.keys() != self._columns:
            raise ValueError("the columns are others")
        for name, read in self._readers.items():
            if row[name] is not None:
                row[name] = read(row[name])
        return row
