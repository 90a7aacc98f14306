"""Lists that files are imported into, each declared once, and the comparison of a file with one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, TypeVar

from app import names
from app.divisions import Division
from app.errors import Invalid
from app.fields import Text
from app.records.record import Column
from app.records.synonyms import synonyms_of
from app.tables.columns import Choices, Fields, Prepared, plan_of
from app.tables.csv_files import NO_ALIASES, FileErrors, Source, cell_reader, escape
from app.tables.sheets import Sheet

Lines = TypeVar("Lines")
Cells = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class ImportTarget(Generic[Lines]):
    """A list that files are imported into.

    Attributes:
        key: Its name in addresses and commands.
        label: Its name for people, such as 'Assets'.
        columns: The columns of its export that a file may have; their fields parse its cells.
        required: The columns that a file has to have.
        key_columns: The columns by which a row is an entry of the list, the first filled one.
        read: Reads the lines of a file; raises FileErrors with the errors of all rows.
        current: Returns the rows of its export.
        apply: Saves lines by a user, from a file of this name; returns a change with a `summary`.
        remove: Removes the entries with these keys, for an undo; None for a list whose imports
            have a way back of their own, which `way_back` says.
    """

    key: str
    label: str
    division: Division
    columns: Sequence[Column[Any]]
    required: Sequence[str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    key_columns: Sequence[str]
    read: Callable[[Source], Lines]
    current: Callable[[], Iterable[Any]]
    apply: Callable[[Lines, int | None, str], Any]
    remove: Callable[[Sequence[str], int | None], None] | None = None
    way_back: str = ""

    @cached_property
    def fields(self) -> Fields:
        """Return the columns by name, with the kinds of their values."""
        return {column.name: column.field for column in self.columns}

    def prepare(
        self,
        name: str,
        sheet: Sheet,
        choices: Choices,
        synonyms: Mapping[str, str] = NO_ALIASES,
    ) -> Prepared:
        """Return a sheet with the list's columns. Raises Invalid for a row that isn't complete."""
        synonyms = {**synonyms_of(self.key, sheet), **synonyms}
        plan = plan_of(sheet, self.fields, self.aliases, synonyms, choices)
        return Prepared(name, sheet, plan, self.fields)

    def key_of(self, cells: Cells) -> str:
        """Return the key of a row's entry, '' for a new one."""
        filled = (text for each in self.key_columns if (text := cells.get(each, "").strip()))
        return names.key(next(filled, ""))

    def entries(self) -> Mapping[str, Cells]:
        """Return the rows of the export by their keys, as cells."""
        writers = [(each.name, each.value, each.write) for each in self.columns if each.value]
        rows = ({name: write(of(row)) for name, of, write in writers} for row in self.current())
        return {self.key_of(cells): cells for cells in rows}


class RowState(StrEnum):
    """What an import does with a row."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True)
class ComparedRow:
    """A row of a file beside the list's entry: cells before and after, or what is wrong with it.

    `changes` are the cells of an added or changed row by column, as before and after; `errors` the
    messages by the names of columns in the file, '' for the whole row.
    """

    line: int
    state: RowState
    key: str
    cells: Cells
    changes: Mapping[str, tuple[str, str]]
    errors: Mapping[str, str]


def compare(target: ImportTarget[Any], prepared: Prepared) -> Sequence[ComparedRow]:
    """Compare a file with a list, row by row. Raises FileErrors if its columns don't fit."""
    wrong: dict[int, dict[str, str]] = {}
    try:
        target.read(prepared)
    except FileErrors as error:
        if not error.row_errors:
            raise
        for line, column, message in error.row_errors:
            wrong.setdefault(line, {}).setdefault(column, message)
    entries = target.entries()
    spell = {column.name: _speller(column) for column in target.columns}
    rows = []
    for line, values, _ in prepared:
        key, errors = target.key_of(values), wrong.get(line, {})
        entry = entries.get(key) if key else None
        changes = {}
        if not errors:
            for name, text in values.items():
                before, after = (entry or {}).get(name, ""), spell[name](text)
                is_same_key = name in target.key_columns and names.key(before) == names.key(after)
                if before != after and not is_same_key:
                    changes[name] = before, after
        state = RowState.CHANGED if changes else RowState.UNCHANGED
        state = RowState.REFUSED if errors else state if entry else RowState.ADDED
        rows.append(ComparedRow(line, state, key, values, changes, errors))
    return rows


def _speller(column: Column[Any]) -> Callable[[str], str]:
    """Return the function that writes a cell as the export does."""
    if column.field is None or isinstance(column.field, Text):
        return lambda text: escape(text.removeprefix("'").strip())
    read = cell_reader(column.field)

    def spell(text: str) -> str:
        try:
            return column.write(read(text))
        except Invalid:
            return text

    return spell
