"""Tables in files: CSV files are written, and files of all kinds are read by their header."""

import csv
import io
import sys
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

from app.errors import Invalid
from app.fields import Field, Text
from app.tables.sheets import COMPARED_ROWS, read_sheet

NO_ALIASES: Mapping[str, str] = {}

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_ESCAPED = frozenset((*_FORMULA, "'"))

_ROWS_AT_ONCE = 100
_CHUNK_SIZE = 32_768

Line = TypeVar("Line")


@dataclass(frozen=True)
class Upload:
    """An uploaded file."""

    name: str
    data: bytes

    def read_bytes(self) -> bytes:
        """Return the contents."""
        return self.data


Source = Path | Upload
"""The file that a table is read from."""


class FileErrors(Invalid):
    """A file is refused; the message has a line for each error, with its row and column."""

    def __init__(self, errors: Sequence[str], refusal: str) -> None:
        super().__init__(refusal + "\n" + "\n".join(errors))
        self._errors = errors
        self._refusal = refusal

    def shortened(self, limit: int) -> "FileErrors":
        """Return the refusal with its first errors, and with the number of further ones."""
        more = len(self._errors) - limit
        if more <= 0:
            return self
        return FileErrors([*self._errors[:limit], f"and {more:,} more"], self._refusal)


def escape(text: str) -> str:
    """Return a text as a cell, with ' before it if it starts like a formula or with '."""
    return f"'{text}" if text[:1] in _ESCAPED else text


def unescape(text: str) -> str:
    """Return the text of a cell. Raises Invalid for a formula without ' before it."""
    if text.startswith("'"):
        return text[1:]
    if text.startswith(_FORMULA):
        raise Invalid(f'"{text[:40]}" starts like a formula; put \' before it if it is a text')
    return text


def write_rows(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, quotes_all: bool = False
) -> Iterator[str]:
    """Yield a CSV file in chunks of whole lines; texts among the cells are escaped already."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL if quotes_all else csv.QUOTE_MINIMAL)
    writer.writerow(header)
    remaining = iter(rows)
    while batch := list(islice(remaining, _ROWS_AT_ONCE)):
        writer.writerows(batch)
        chunk = buffer.getvalue()
        if len(chunk) >= _CHUNK_SIZE:
            yield chunk
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def write_lines(lines: Iterable[str], file: Path | None) -> None:
    """Write the chunks of a CSV file, or print them with plain line ends."""
    if file is None:
        sys.stdout.writelines(line.replace("\r\n", "\n") for line in lines)
        return
    with file.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(lines)


class Rows(ABC):
    """The rows of a file by column name; collects the errors in them."""

    def __init__(self, name: str, refusal: str = "Nothing was imported.") -> None:
        self.name = name
        self.columns: Sequence[str] = ()
        self.first_lines: dict[str, int] = {}
        self._errors: list[tuple[int, str]] = []
        self._refusal = refusal

    @abstractmethod
    def __iter__(self) -> Iterator["Cells"]:
        """Yield the rows."""

    def has(self, column: str) -> bool:
        """Return whether the file has a column."""
        return column in self.columns

    def refuse(self, line: int, message: str) -> None:
        """Add an error in the row of a line; `message` continues after the row's number."""
        self._errors.append((line, f"{self.name}: row {line}{message}"))

    def refuse_file(self, problem: str) -> NoReturn:
        """Raise FileErrors: the rows can't be read."""
        raise FileErrors([f"{self.name}: {problem}"], self._refusal) from None

    def check(self) -> None:
        """Raise FileErrors if any row has an error; they are in the order of the rows."""
        if self._errors:
            ordered = sorted(self._errors, key=lambda error: error[0])
            raise FileErrors([text for _, text in ordered], self._refusal)


@dataclass(frozen=True)
class FileLines(Generic[Line]):
    """The values of a file's rows, valid only for rows without an error, and the rows to check."""

    rows: Rows
    lines: Sequence[Line]


class Table(Rows):
    """The rows of a CSV file or a workbook; collects every error with its row and column.

    `aliases` are other names of columns, and `ignored` are columns that a file may have without
    being asked for them. Raises FileErrors immediately for a file that can't be read or has an
    unexpected header.
    """

    def __init__(
        self,
        source: Source,
        required: Sequence[str],
        optional: Sequence[str] = (),
        *,
        aliases: Mapping[str, str] = NO_ALIASES,
        ignored: Sequence[str] = (),
        refusal: str = "Nothing was imported.",
    ) -> None:
        super().__init__(source.name, refusal)
        try:
            self._sheet = read_sheet(source.read_bytes())
            found = self._find_header({*required, *optional, *ignored, *aliases})
        except Invalid as error:
            self.refuse_file(error.message)
        self._header_line, header, cells = found
        self.columns = [aliases.get(name, name) for name in header]
        self._names = dict(zip(self.columns, map(str.strip, cells), strict=True))
        self._check_header(required, optional, ignored)

    def __iter__(self) -> Iterator["Cells"]:
        width = len(self.columns)
        for line, values in self._sheet:
            if line <= self._header_line:
                continue
            if len(values) == width:
                yield Cells(self, line, dict(zip(self.columns, values, strict=True)), self._names)
            else:
                self.refuse(line, f": {len(values)} columns, the header has {width}")

    def _find_header(self, expected: set[str]) -> tuple[int, Sequence[str], Sequence[str]]:
        """Return the header's line, its columns, and their names in the file.

        It is the first of the first rows that names two columns, else the first row.
        """
        # All rows, so that one that isn't complete is refused at once.
        first = [row for number, row in enumerate(self._sheet) if number < COMPARED_ROWS]
        by_key = {column_key(name): name for name in expected}
        found = [
            (line, [by_key.get(column_key(cell), cell.strip()) for cell in row], row)
            for line, row in first
        ]
        named = (row for row in found if len(expected.intersection(row[1])) > 1)
        return next(named, found[0] if found else (0, [], []))

    def _check_header(
        self, required: Sequence[str], optional: Sequence[str], ignored: Sequence[str]
    ) -> None:
        expected = {*required, *optional, *ignored}
        if not self.columns:
            self.refuse_file("it is empty")
        wrong = [f"{c} is missing" for c in required if c not in self.columns]
        wrong += [f'"{c}" is unknown' for c in self.columns if c not in expected]
        wrong += [f"the column {c} occurs twice" for c in expected if self.columns.count(c) > 1]
        if wrong:
            header = ",".join(required)
            header += f", and if you like {','.join(optional)}" if optional else ""
            self.refuse_file(f"row {self._header_line}: {', '.join(wrong)}; expected {header}")


def column_key(name: str) -> str:
    """Return the key by which two names of columns are equal: their letters and digits."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(character for character in plain if character.isalnum())


class Cells:
    """One row of a file; `names` maps each column to the name that the file uses for it."""

    __slots__ = ("_names", "_rows", "_values", "is_valid", "line")

    def __init__(
        self, rows: Rows, line: int, values: Mapping[str, str], names: Mapping[str, str]
    ) -> None:
        self.line = line
        self.is_valid = True
        self._rows = rows
        self._values = values
        self._names = names

    def name_of(self, column: str) -> str:
        """Return the name that the file uses for a column."""
        return self._names.get(column, column)

    def read(self, column: str, parse: Callable[[str], Any], default: Any = None) -> Any:
        """Parse a cell; for an invalid one, add an error and return `default`."""
        text = self._values.get(column)
        if text is None:
            return default
        try:
            return parse(text)
        except Invalid as error:
            self.refuse(column, error.message)
            return default

    def refuse_repeated(self, column: str, text: str, key: str) -> None:
        """Add an error if an earlier row has the same key; an empty key is never repeated."""
        first_line = self._rows.first_lines.setdefault(key, self.line)
        if key and first_line != self.line:
            self.refuse(column, f'"{text}" is already in row {first_line}')

    def refuse(self, column: str, message: str) -> None:
        """Add an error at this row and column."""
        self.is_valid = False
        self._rows.refuse(self.line, f", {self.name_of(column)}: {message}")


_REMEMBERED = 4096


def cell_reader(field: Field[Any]) -> Callable[[str], Any]:
    """Return a function that parses a field's cells, most of which recur; it raises Invalid."""
    if isinstance(field, Text):
        return lru_cache(_REMEMBERED)(lambda cell: field.parse(unescape(cell)))
    return lru_cache(_REMEMBERED)(field.parse)


def cell_writer(field: Field[Any]) -> Callable[[Any], str]:
    """Return a function that formats values of a field as cells; texts are escaped."""
    if isinstance(field, Text):
        return escape
    return field.format
