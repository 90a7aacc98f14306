"""A table's rows as lines of JSON, the same on every database."""

import json
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

_PARSERS: Mapping[type, Callable[[str], Any]] = {
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
}


def _encode_time(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"A backup can't hold a {type(value).__name__} yet")


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_encode_time).encode


def line_of(row: Mapping[str, Any]) -> bytes:
    """Return a row as a line; raises TypeError for a value that `parse_row` can't restore."""
    return _encode(row).encode() + b"\n"


class RowReader:
    """Parses the lines of a table with the given column types."""

    def __init__(self, types: Mapping[str, type]) -> None:
        self._columns = types.keys()
        self._parsers = {name: _PARSERS[kind] for name, kind in types.items() if kind in _PARSERS}

    def parse_row(self, line: bytes) -> dict[str, Any]:
        """Return the row of a line; raises ValueError when it isn't one of this table."""
        row = json.loads(line)
        if not isinstance(row, dict) or row.keys() != self._columns:
            raise ValueError("the columns are others")
        for name, parse in self._parsers.items():
            if row[name] is not None:
                row[name] = parse(row[name])
        return row
