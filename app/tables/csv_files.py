"""Tables in files: CSV files are written, and files of all kinds are read by their header."""

import csv
import io
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from app.errors import Invalid
from app.fields import Field, Text
from app.tables.columns import Prepared

REFUSAL = "Nothing was imported."

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_ESCAPED = frozenset((*_FORMULA, "'"))

_ROWS_AT_ONCE = 100
_CHUNK_SIZE = 32_768

Line = TypeVar("Line")


class RowError(NamedTuple):
    """An error in a row of a file; `column` is its name in the file, '' for the whole row."""

    line: int
    column: str
    message: str

    def __str__(self) -> str:
        column = f", {self.column}" if self.column else ""
        return f"row {self.line}{column}: {self.message}"


class FileErrors(Invalid):
    """A file is refused; the message has a line for each error, with its row and column.

    `row_errors` are those of rows, empty if the file can't be read.
    """

    def __init__(
        self, errors: Sequence[str], refusal: str = REFUSAL, row_errors: Sequence[RowError] = ()
    ) -> None:
        super().__init__(refusal + "\n" + "\n".join(errors))
        self.row_errors = row_errors


@contextmanager
def errors_of_file(name: str, refusal: str = REFUSAL) -> Iterator[None]:
    """Raise what makes a whole file invalid as FileErrors."""
    try:
        yield
    except Invalid as error:
        raise FileErrors([f"{name}: {error.message}"], refusal) from None


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

    def __init__(self, name: str, refusal: str = REFUSAL) -> None:
        self.name = name
        self.columns: Sequence[str] = ()
        self.first_lines: dict[str, int] = {}
        self._errors: list[RowError] = []
        self._refusal = refusal

    @abstractmethod
    def __iter__(self) -> Iterator["Cells"]:
        """Yield the rows."""

    def has(self, column: str) -> bool:
        """Return whether the file has a column."""
        return column in self.columns

    def refuse(self, line: int, message: str, column: str = "") -> None:
        """Add an error in the row of a line, in a column if it is named."""
        self._errors.append(RowError(line, column, message))

    def refuse_file(self, problem: str) -> NoReturn:
        """Raise FileErrors: the rows can't be read."""
        raise FileErrors([f"{self.name}: {problem}"], self._refusal) from None

    def check(self) -> None:
        """Raise FileErrors if any row has an error; they are in the order of the rows."""
        if self._errors:
            ordered = sorted(self._errors, key=lambda error: error.line)
            raise FileErrors([f"{self.name}: {each}" for each in ordered], self._refusal, ordered)


@dataclass(frozen=True)
class FileLines(Generic[Line]):
    """The values of a file's rows, valid only for rows without an error, and the rows to check."""

    rows: Rows
    lines: Sequence[Line]


class Table(Rows):
    """The rows of a table; collects every error with its row and column.

    Raises FileErrors immediately for an unexpected header.
    """

    def __init__(self, source: Prepared, refusal: str = REFUSAL) -> None:
        super().__init__(source.name, refusal)
        self._source = source
        self.columns = source.plan.filled
        self._names = dict(zip(source.plan.columns, source.plan.names, strict=True))
        self._check_header()

    def __iter__(self) -> Iterator["Cells"]:
        width = len(self._source.plan.names)
        for line, values, found in self._source:
            if found == width:
                yield Cells(self, line, values, self._names)
            else:
                self.refuse(line, f"{found} columns, the header has {width}")

    def _check_header(self) -> None:
        plan, required, optional = self._source.plan, self._source.required, self._source.optional
        if not plan.names:
            self.refuse_file("it is empty")
        wrong = [f"{each} is missing" for each in required if each not in self.columns]
        if not self._source.accepts_others:
            wrong += [f'"{name}" is unknown' for name in plan.ignored]
        wrong += [f"the column {each} occurs twice" for each in plan.repeated.values()]
        if wrong:
            header = ",".join(required)
            header += f", and if you like {','.join(optional)}" if optional else ""
            self.refuse_file(f"row {plan.header}: {', '.join(wrong)}; expected {header}")


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
        self._rows.refuse(self.line, message, self.name_of(column))


def cell_reader(field: Field[Any]) -> Callable[[str], Any]:
    """Return a function that parses a field's cells, most of which recur; it raises Invalid."""
    is_text = isinstance(field, Text)
    return lru_cache(4096)((lambda cell: field.parse(unescape(cell))) if is_text else field.parse)


def cell_writer(field: Field[Any]) -> Callable[[Any], str]:
    """Return a function that formats values of a field as cells; texts are escaped."""
    if isinstance(field, Text):
        return escape
    return field.format
