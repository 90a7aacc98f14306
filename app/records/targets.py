"""Lists that files are imported into, each declared once, and the comparison of a file with one."""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from app import names
from app.divisions import Division
from app.errors import Invalid
from app.lists import grouped
from app.records.record import Column
from app.records.synonyms import synonyms_of
from app.tables.columns import NO_VALUE, RECOGNISED, Choices, Fields, Prepared, column_key, plan_of
from app.tables.csv_files import FileErrors, cell_reader, unescape, write_rows
from app.tables.sheets import Sheet, read_sheet

_FORMULA = re.compile(r"[=@]|[-+](?![\d.,]+$)")

Lines = TypeVar("Lines")
Cells = Mapping[str, str]


@dataclass(frozen=True)
class Imported:
    """What an import did, in words; `notes` are about rows."""

    summary: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class ImportTarget(Generic[Lines]):
    """A list that files are imported into.

    Attributes:
        key: Its name in addresses and commands.
        label: Its name for people, such as 'Assets'.
        call: The path of its JSON call, below /api.
        columns: The columns of its export that a file may have; their fields parse its cells. What
            a file has in those without a `value` is ignored.
        required: The columns that a file has to have.
        key_columns: The columns by which a row is an entry of the list, the first filled one; an
            import keeps the spelling of what has the same `fold`.
        fold: Returns the key of a text in a key column.
        identify: Returns the key of a row's cells where it takes several columns.
        alike: The columns by which a new row may be an entry that has another key.
        units: The column of the number of units, if there is one; the prices are for one.
        new_rows: Returns the numbers of the rows that add something, for a list whose entries an
            import leaves alone. Such rows have no keys.
        empty_means: What an empty cell stands for, by column; None for what the entry has.
        blanks: Texts that empty a value.
        read: Reads the lines of a table; raises FileErrors with the errors of all rows.
        read_json: Reads those of a JSON file likewise; None for a list that takes none.
        check: Refuses the rows of FileLines that don't fit what is stored.
        version: Returns a version of the list, which changes with its rows; with `locks` it stays
            the same until the transaction ends.
        current: Returns the rows of its export.
        apply: Saves lines by a user from a file of this name, in batches that a function passes on
            if one is given; returns what changed, with a `summary`.
        restore: Sets entries back for an undo, and empties values whose cells are empty; `apply`
            unless given.
        remove: Removes the entries with these keys, for an undo; None for a list whose imports
            have a way back of their own, which `way_back` says.
    """

    key: str
    label: str
    call: str
    division: Division
    columns: Sequence[Column[Any]]
    required: Sequence[str]
    aliases: Mapping[str, str] = field(default_factory=dict)
    key_columns: Sequence[str] = ()
    fold: Callable[[str], str] = names.key
    identify: Callable[[Cells], str] | None = None
    alike: Sequence[str] = ()
    units: str = ""
    new_rows: Callable[[Lines], Collection[int]] | None = None
    empty_means: Mapping[str, str | None] = field(default_factory=dict)
    blanks: Collection[str] = ()
    read: Callable[[Prepared], Lines]
    read_json: Callable[[Path], Lines] | None = None
    check: Callable[[Lines], Any] | None = None
    version: Callable[..., Hashable]
    current: Callable[[], Iterable[Any]]
    apply: Callable[..., Any]
    restore: Callable[..., Any] | None = None
    remove: Callable[[Sequence[str], int | None], Any] | None = None
    way_back: str = ""

    @cached_property
    def fields(self) -> Fields:
        """Return the columns by name, with the kinds of their values."""
        return {column.name: column.field for column in self.columns}

    def prepare(self, name: str, sheet: Sheet, choices: Choices = RECOGNISED) -> Prepared:
        """Return a sheet with the list's columns. Raises Invalid for a row that isn't complete."""
        headings = {column.heading: column.name for column in self.columns if column.heading}
        synonyms = headings | dict(synonyms_of(self.key, sheet))
        plan = plan_of(sheet, self.fields, self.aliases, synonyms, choices)
        exported = [column.name for column in self.columns if column.value]
        optional = [name for name in exported if name not in self.required]
        return Prepared(name, sheet, plan, self.fields, self.required, optional)

    def load(self, file: Path) -> Lines:
        """Read the lines of a file. Raises FileErrors."""
        return self.read(self.prepare(file.name, read_sheet(file.read_bytes())))

    def read_checked(self, prepared: Prepared) -> Lines:
        """Read the lines of a table that fit what is stored. Raises FileErrors."""
        lines: Any = self.read(prepared)
        if self.check:
            self.check(lines)
            lines.rows.check()
        return cast(Lines, lines)

    def prepare_chosen(
        self, name: str, sheet: Sheet, columns: Mapping[str, str], day_first: bool | None = None
    ) -> Prepared:
        """Return a sheet with columns that are chosen by name. Raises Invalid for unknown ones."""
        prepared = self.prepare(name, sheet, Choices(columns=columns, day_first=day_first))
        check_names("column", columns, prepared.plan.names)
        check_names("column", filter(None, columns.values()), self.fields)
        if day_first is None and (problem := prepared.plan.day_problem):
            raise Invalid(f"{problem} Choose the order of days, or write 2026-02-13.")
        return prepared

    def key_of(self, cells: Cells) -> str:
        """Return the key of a row's entry, '' for a new one; `cells` are written as exported."""
        if self.identify:
            return self.identify(cells)
        texts = (cells.get(each, "").removeprefix("'") for each in self.key_columns)
        return self.fold(next(filter(None, texts), ""))

    def rows(self) -> Iterator[Cells]:
        """Yield the rows of the export, as cells."""
        writers = [(each.name, each.value, each.write) for each in self.columns if each.value]
        return ({name: write(of(row)) for name, of, write in writers} for row in self.current())

    def entries(self) -> Mapping[str, Cells]:
        """Return the rows of the export by their keys, as cells."""
        return {self.key_of(cells): cells for cells in self.rows()}


def check_names(what: str, requested: Iterable[str], existing: Collection[str]) -> None:
    """Raise Invalid for a name that isn't among the existing ones."""
    for name in requested:
        if name not in existing:
            raise Invalid(f'There is no {what} "{name}"; there is: {", ".join(existing) or "none"}')


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
    messages by the names of columns in the file, '' for the whole row. A new row that is `similar`
    to an entry, whose cells these are, is refused until it is said to be another one.
    """

    line: int
    state: RowState
    key: str
    cells: Cells
    changes: Mapping[str, tuple[str, str]]
    errors: Mapping[str, str]
    similar: Cells | None = None


def read_rows(
    target: ImportTarget[Lines], prepared: Prepared
) -> tuple[Lines, Mapping[int, Mapping[str, str]]]:
    """Read the rows of a file that aren't refused. Raises FileErrors if its columns don't fit.

    The messages about refused rows are by their numbers, and by the names of columns in the file.
    """
    wrong: dict[int, dict[str, str]] = {}
    while True:
        left_out = {*prepared.left_out, *wrong}
        try:
            return target.read_checked(replace(prepared, left_out=left_out)), wrong
        except FileErrors as error:
            if not error.row_errors:
                raise
            for line, column, message in error.row_errors:
                wrong.setdefault(line, {}).setdefault(column, message)


def refused_lines(prepared: Prepared, wrong: Mapping[int, Mapping[str, str]]) -> Iterator[str]:
    """Yield the refused rows with their mended cells, as CSV with why they are refused."""
    width = len(prepared.plan.names)

    def cells(line: int, row: Sequence[str]) -> Sequence[str]:
        mends = prepared.mends.get(line, {})
        named = zip_longest(row, prepared.plan.columns, fillvalue="")
        mended = (mends.get(column, cell) if column else cell for cell, column in named)
        # A file from elsewhere isn't trusted not to have formulas.
        safe = (f"'{cell}" if _FORMULA.match(cell) else cell for cell in mended)
        why = (f"{name}: {text}" if name else text for name, text in wrong[line].items())
        return [*[*safe, *[""] * width][:width], "; ".join(why)]

    rows = (cells(line, row) for line, row in prepared.sheet if line in wrong)
    return write_rows([*prepared.plan.names, "why"], rows)


class Comparison(Generic[Lines]):
    """A file beside a list, row by row.

    Once its rows were read, `lines` are those of the rows that aren't refused. `entries` are the
    list's. Without `finds_similar`, new rows that are similar to entries are added. Raises
    FileErrors if the file's columns don't fit.
    """

    def __init__(
        self, target: ImportTarget[Lines], prepared: Prepared, *, finds_similar: bool = True
    ) -> None:
        self.lines, self._wrong = read_rows(target, prepared)
        self._target, self._prepared = target, prepared
        self._new_rows = {*target.new_rows(self.lines)} if target.new_rows else None
        rows = target.rows() if self._new_rows is None else ()
        self._found = grouped((target.key_of(cells), cells) for cells in rows)
        self.entries = {key: found[-1] for key, found in self._found.items()}
        self._by_cell = {
            (name, key): cells
            for cells in (self.entries.values() if finds_similar else ())
            for name in target.alike
            if (key := _comparable(cells[name]))
        }

    def __iter__(self) -> Iterator[ComparedRow]:
        """Yield the rows, once: fifty thousand don't fit into the worker's memory."""
        columns = (column for column in self._target.columns if column.value)
        spell = {column.name: _writer(self._target, column) for column in columns}
        left_out = []
        for line, values, _ in self._prepared:
            if line in self._wrong:
                wrong = self._wrong[line]
                yield ComparedRow(line, RowState.REFUSED, "", values, {}, wrong)
                continue
            cells = {name: spell[name](text) for name, text in values.items() if name in spell}
            row = self._compare(line, values, cells)
            if row.similar:
                left_out.append(line)
            yield row
        if left_out:
            left_out += self._wrong
            self.lines, _ = read_rows(self._target, replace(self._prepared, left_out=left_out))

    def _compare(self, line: int, values: Cells, cells: Cells) -> ComparedRow:
        is_new = self._new_rows is None or line in self._new_rows
        key = self._target.key_of(cells) if self._new_rows is None else ""
        found = self._found.get(key, []) if key else []
        options = [_changes(self._target, entry, values, cells) for entry in found or [{}]]
        place = min(range(len(options)), key=lambda n: len(options[n]))
        changes, other = options[place], None
        if found:
            # Some lists have entries with the same key; each is one row's.
            found.pop(place)
            state = RowState.CHANGED if changes else RowState.UNCHANGED
        elif is_new:
            # A mend under '' says that the row is another entry.
            if "" not in self._prepared.mends.get(line, {}):
                pairs = ((each, _comparable(cells.get(each, ""))) for each in self._target.alike)
                other = next(filter(None, map(self._by_cell.get, pairs)), None)
            state = RowState.REFUSED if other else RowState.ADDED
        else:
            changes, state = {}, RowState.UNCHANGED
        return ComparedRow(line, state, key, cells, changes, {}, other)


def _comparable(cell: str) -> str:
    """Return the letters and digits of a cell, '' for no value."""
    return "" if cell.strip().casefold() in NO_VALUE else column_key(cell)


def _changes(
    target: ImportTarget[Any], entry: Cells, values: Cells, cells: Cells
) -> Mapping[str, tuple[str, str]]:
    changes = {}
    for name, after in cells.items():
        before, fold = entry.get(name, ""), target.fold
        is_kept = target.empty_means.get(name, "") is None and not values[name].strip()
        is_same = before == after or (name in target.key_columns and fold(before) == fold(after))
        if not (is_same or is_kept):
            changes[name] = before, after
    return changes


def _writer(target: ImportTarget[Any], column: Column[Any]) -> Callable[[str], str]:
    """Return the function that writes a cell as the export does."""
    read = cell_reader(column.field) if column.field else lambda text: unescape(text).strip()

    @lru_cache(4096)
    def spell(cell: str) -> str:
        plain = cell.removeprefix("'").strip()
        if not plain and column.name in target.empty_means:
            return target.empty_means[column.name] or ""
        try:
            return column.write(read("" if plain in target.blanks else cell))
        except Invalid:
            return cell

    return spell
