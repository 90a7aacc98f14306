"""The directory's lists as CSV files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app import names
from app.directory.rules import (
    DESCRIPTION,
    NAME,
    DirectoryList,
    KeyState,
    NameState,
)
from app.fields import fields_of
from app.records.record import Column, columns_of
from app.tables.cells import cell_reader
from app.tables.csv_files import Table

_NAME, _DESCRIPTION = columns_of(NameState, lambda entry: entry)

FILES: Mapping[DirectoryList, Sequence[Column[Any]]] = {
    DirectoryList.TEAMS: [_NAME],
    DirectoryList.SUPPLIERS: [_NAME],
    DirectoryList.SERVICES: [_NAME, _DESCRIPTION],
    DirectoryList.KEYS: list(columns_of(KeyState, lambda key: key.state)),
}

_KEY_READERS = {name: cell_reader(field) for name, field in fields_of(KeyState).items()}


def read_names(file: Path, list_name: DirectoryList) -> list[NameState]:
    """Read the teams, suppliers or services of a file.

    Raises FileErrors that lists every error with its row and column.
    """
    table = _table(file, list_name)
    read = []
    for cells in table:
        name = cells.read("name", cell_reader(NAME), "")
        cells.refuse_repeated("name", name, names.key(name))
        description = cells.read("description", cell_reader(DESCRIPTION), "")
        read.append(NameState(name, description))
    table.check()
    return read


def read_keys(file: Path) -> list[KeyState]:
    """Read the keys of a file.

    Raises FileErrors that lists every error with its row and column.
    """
    table = _table(file, DirectoryList.KEYS)
    read = []
    for cells in table:
        values = {name: cells.read(name, read) for name, read in _KEY_READERS.items()}
        key = KeyState(**{name: value or "" for name, value in values.items()})
        if values["code"] == "" == values["name"]:
            cells.refuse("code", "A key needs a code or a name")
        cells.refuse_repeated("code" if key.code else "name", key.label, names.key(key.label))
        read.append(key)
    table.check()
    return read


def _table(file: Path, list_name: DirectoryList) -> Table:
    return Table(file, [column.name for column in FILES[list_name]])
