"""The directory as files hold it, under the seed's field names."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from app import names
from app.directory.models import Key, Named, Service
from app.directory.rules import (
    LONGEST_CODE,
    LONGEST_DESCRIPTION,
    LONGEST_HOLDER,
    LONGEST_NAME,
    LONGEST_NOTES,
    KeyState,
    Kind,
    NameState,
)
from app.errors import Invalid
from app.tables.csv_files import Cells, Table, escape, unescape

COLUMNS = {
    Kind.TEAMS: ("name",),
    Kind.SUPPLIERS: ("name",),
    Kind.SERVICES: ("name", "description"),
    Kind.KEYS: ("code", "name", "holder", "notes"),
}


def read_names(file: Path, kind: Kind) -> list[NameState]:
    """Return the teams, suppliers or services of a file.

    Raises FileErrors that names every row and column that is wrong.
    """
    table = Table(file, COLUMNS[kind])
    seen: dict[str, int] = {}
    wanted = []
    for cells in table:
        name = cells.read("name", _required_name, "")
        _check_named_once(cells, "name", name, seen)
        wanted.append(
            NameState(
                name, cells.read("description", _text("Description", LONGEST_DESCRIPTION), "")
            )
        )
    table.check()
    return wanted


def read_keys(file: Path) -> list[KeyState]:
    """Return the keys of a file.

    Raises FileErrors that names every row and column that is wrong.
    """
    table = Table(file, COLUMNS[Kind.KEYS])
    seen: dict[str, int] = {}
    wanted = []
    for cells in table:
        code = cells.read("code", _text("Code", LONGEST_CODE))
        name = cells.read("name", _text("Name", LONGEST_NAME))
        if code == "" and name == "":
            cells.refuse("code", "A key needs a code or a name")
        key = KeyState(
            code=code or "",
            name=name or "",
            holder=cells.read("holder", _text("Holder", LONGEST_HOLDER), ""),
            notes=cells.read("notes", _text("Notes", LONGEST_NOTES), ""),
        )
        _check_named_once(cells, "code" if key.code else "name", key.label, seen)
        wanted.append(key)
    table.check()
    return wanted


def name_rows(entries: Iterable[Named]) -> Iterator[Sequence[str]]:
    """Return teams, suppliers or services as rows of a file."""
    for row in entries:
        described = (row.description,) if isinstance(row, Service) else ()
        yield [escape(text) for text in (row.name, *described)]


def key_rows(keys: Iterable[Key]) -> Iterator[Sequence[str]]:
    """Return keys as rows of a file."""
    for key in keys:
        yield [escape(text) for text in (key.code, key.name, key.holder, key.notes)]


def _check_named_once(cells: Cells, column: str, name: str, seen: dict[str, int]) -> None:
    key = names.key(name)
    if key and key in seen:
        cells.refuse(column, f'"{name}" stands in row {seen[key]} already')
    seen.setdefault(key, cells.line)


def _required_name(text: str) -> str:
    name = _text("Name", LONGEST_NAME)(text)
    if not name:
        raise Invalid("Name is required")
    return name


def _text(what: str, limit: int) -> Callable[[str], str]:
    return lambda text: names.clean(unescape(text), limit=limit, what=what)
