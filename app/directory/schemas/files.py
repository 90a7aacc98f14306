"""The directory's lists as CSV files."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from app import names
from app.directory.models import Key, NamedEntry, Service
from app.directory.rules import (
    DESCRIPTION,
    NAME,
    DirectoryList,
    KeyState,
    NameState,
)
from app.fields import fields_of, values_of
from app.tables.cells import cell_reader
from app.tables.csv_files import Cells, Table, escape

COLUMNS = {
    DirectoryList.TEAMS: ("name",),
    DirectoryList.SUPPLIERS: ("name",),
    DirectoryList.SERVICES: ("name", "description"),
    DirectoryList.KEYS: tuple(fields_of(KeyState)),
}


_KEY_READERS = {name: cell_reader(field) for name, field in fields_of(KeyState).items()}


def read_names(file: Path, list_name: DirectoryList) -> list[NameState]:
    """Read the teams, suppliers or services of a file.

    Raises FileErrors that lists every error with its row and column.
    """
    table = Table(file, COLUMNS[list_name])
    rows_by_key: dict[str, int] = {}
    read = []
    for cells in table:
        name = cells.read("name", cell_reader(NAME), "")
        _check_unique(cells, "name", name, rows_by_key)
        description = cells.read("description", cell_reader(DESCRIPTION), "")
        read.append(NameState(name, description))
    table.check()
    return read


def read_keys(file: Path) -> list[KeyState]:
    """Read the keys of a file.

    Raises FileErrors that lists every error with its row and column.
    """
    table = Table(file, COLUMNS[DirectoryList.KEYS])
    rows_by_key: dict[str, int] = {}
    read = []
    for cells in table:
        values = {name: cells.read(name, read) for name, read in _KEY_READERS.items()}
        key = KeyState(**{name: value or "" for name, value in values.items()})
        if values["code"] == "" == values["name"]:
            cells.refuse("code", "A key needs a code or a name")
        _check_unique(cells, "code" if key.code else "name", key.label, rows_by_key)
        read.append(key)
    table.check()
    return read


def name_rows(entries: Iterable[NamedEntry]) -> Iterator[Sequence[str]]:
    """Return teams, suppliers or services as the rows of a file."""
    for entry in entries:
        texts = [entry.name]
        if isinstance(entry, Service):
            texts.append(entry.description)
        yield [escape(text) for text in texts]


def key_rows(keys: Iterable[Key]) -> Iterator[Sequence[str]]:
    """Return keys as the rows of a file."""
    for key in keys:
        yield [escape(text) for text in values_of(key.state).values()]


def _check_unique(cells: Cells, column: str, name: str, rows_by_key: dict[str, int]) -> None:
    key = names.key(name)
    if key and key in rows_by_key:
        cells.refuse(column, f'"{name}" is already in row {rows_by_key[key]}')
    rows_by_key.setdefault(key, cells.line)
