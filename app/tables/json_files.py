"""JSON files of entries, read as the rows of a table."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.errors import Invalid
from app.tables.csv_files import Cells, Rows, escape

Entry = dict[str, Any]


class Entries(Rows):
    """The entries of a JSON array as rows; each entry can use its own aliases of the columns.

    `flatten` turns an entry into a flat object. Raises FileErrors immediately for a file that
    isn't a JSON array of objects; collects an error for each unknown field, and for two names
    of a column with different values.
    """

    def __init__(
        self,
        source: Path,
        required: Sequence[str],
        optional: Sequence[str],
        *,
        aliases: Mapping[str, str],
        flatten: Callable[[Entry], Entry],
    ) -> None:
        super().__init__(source.name)
        self._columns = {*required, *optional}
        self._aliases = aliases
        entries = [self._cells(n, flatten(entry)) for n, entry in enumerate(self._read(source), 1)]
        present = {column for values, _ in entries for column in values}
        self.columns = [c for c in (*required, *optional) if c in required or c in present]
        self._entries = entries

    def __iter__(self) -> Iterator[Cells]:
        for number, (values, names) in enumerate(self._entries, 1):
            yield Cells(self, number, dict.fromkeys(self.columns, "") | values, names)

    def _read(self, source: Path) -> list[Entry]:
        try:
            entries = json.loads(source.read_bytes())
        except (ValueError, RecursionError):
            self.refuse_file("it is not JSON")
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self.refuse_file("it is not a list of entries")
        return entries

    def _cells(self, number: int, entry: Entry) -> tuple[dict[str, str], dict[str, str]]:
        values: dict[str, str] = {}
        names: dict[str, str] = {}
        for name, value in entry.items():
            column = self._aliases.get(name, name)
            try:
                text = _text(value)
                if column not in self._columns:
                    raise Invalid("is unknown")
                if text and values.get(column, text) != text:
                    raise Invalid(f"it and {names[column]} differ")
            except Invalid as error:
                self.refuse(number, error.message, name)
                continue
            if text:
                values[column], names[column] = text, name
        return values, names


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Invalid("Must be text or a number")
    return escape(value.strip()) if isinstance(value, str) else str(value)
