"""Tables in whatever file people have, as rows of texts: CSV in any dialect, and workbooks.

A workbook is read by a process of its own (app/tables/workbook.py), whose end is an answer too.
"""

import codecs
import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from charset_normalizer import from_bytes

from app.errors import Invalid
from app.tables import workbook

MAX_BYTES = 24 * 1024 * 1024
csv.field_size_limit(MAX_BYTES)
SEPARATORS = ",;\t|"
COMPARED_ROWS = 20
"""How many rows decide on a separator and on the header."""

_SAMPLE = 64 * 1024
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
"""The beginnings of XLSX and ODS, and of XLS and protected files."""

_DAMAGED = "This workbook is too large or damaged. Save the sheet as CSV."
_PROBLEMS = {
    "password": "It is protected by a password. Save it without.",
    "format": "This isn't a table. Choose a CSV file or a spreadsheet.",
}
_FOREIGN = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"{\\rtf")
_MARKS = {codecs.BOM_UTF8: "UTF-8", codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}
ENCODINGS = {
    "UTF-8": "utf-8-sig",
    "UTF-16": "utf-16",
    "UTF-16 LE": "utf-16-le",
    "UTF-16 BE": "utf-16-be",
    "Windows-1252": "cp1252",
}
"""The encodings that are recognised, as Python names them."""

_GUESSED = {codec.replace("-", "_"): name for name, codec in ENCODINGS.items()}


@dataclass(frozen=True)
class Sheet:
    """The rows of a file as texts, and what was recognised of it.

    A workbook has the names of its `sheets`, one of which is `sheet`, else a text its `encoding`.
    """

    text: str
    separator: str = ","
    encoding: str = ""
    sheets: Sequence[str] = ()
    sheet: str = ""

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that aren't empty with the numbers of their first lines, from 1.

        Rows of a workbook have their numbers there. Raises Invalid for a row that isn't complete.
        """
        reader = csv.reader(
            io.StringIO(self.text, newline=""), delimiter=self.separator, strict=True
        )
        first_line = number = 1
        try:
            for row in reader:
                if any(row) if self.sheets else row:
                    yield (number if self.sheets else first_line), row
                first_line, number = reader.line_num + 1, number + 1
        except csv.Error:
            line = number if self.sheets else first_line
            raise Invalid(f"Row {line} isn't complete. Save the file again.") from None


def read_sheet(data: bytes, *, separator: str = "", encoding: str = "", sheet: str = "") -> Sheet:
    """Return the table in a file; what isn't given is recognised. Raises Invalid."""
    if data.startswith(_WORKBOOKS):
        return _read_workbook(data, sheet)
    text, encoding = _decode(data, encoding)
    return Sheet(text, separator or _separator_of(text), encoding)


def _decode(data: bytes, encoding: str) -> tuple[str, str]:
    """Return the text of a file, and the name of its encoding."""
    if data.startswith(_FOREIGN):
        raise Invalid(_PROBLEMS["format"])
    # Without a NUL beside each separator it isn't UTF-16: Snipe-IT writes this mark before UTF-8.
    if data.startswith(codecs.BOM_UTF16_BE) and b"\0" not in data:
        data = data.removeprefix(codecs.BOM_UTF16_BE)
    marked = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "")
    name = marked or encoding or "UTF-8"
    try:
        text = data.decode(ENCODINGS[name])
    except UnicodeDecodeError as error:
        valid = data[: error.start]
        is_cut = "unexpected end" in error.reason or not valid.isascii()
        guessed = "" if marked or encoding or is_cut else _guess(data)
        if not guessed:
            row = valid.count(b"\n") + 1
            raise Invalid(f"Row {row} isn't complete. Save the file again.") from None
        name, text = guessed, data.decode(ENCODINGS[guessed], "replace")
    # Western texts in UTF-16 are valid UTF-8, with a NUL beside each character.
    if text.count("\0") > len(text) / 4 and (guessed := _guess(data)):
        name, text = guessed, data.decode(ENCODINGS[guessed], "replace")
    if "\0" in text:
        row = text[: text.index("\0")].count("\n") + 1
        raise Invalid(f"Row {row} holds a character that can't be stored (U+0000).")
    return text, name


def _guess(data: bytes) -> str:
    best = from_bytes(data[:_SAMPLE], cp_isolation=["utf_16_le", "utf_16_be", "cp1252"]).best()
    return _GUESSED[best.encoding] if best else ""


def _separator_of(text: str) -> str:
    """Return the separator by which the first rows are equally wide, else that of most columns."""
    widths = {each: _widths(text, each) for each in SEPARATORS}
    equal = [each for each, found in widths.items() if len(set(found)) == 1 and found[0] > 1]
    return max(equal or widths, key=lambda each: max(widths[each], default=0))


def _widths(text: str, separator: str) -> Sequence[int]:
    rows = csv.reader(io.StringIO(text[:_SAMPLE], newline=""), delimiter=separator)
    return [len(row) for row in islice(rows, COMPARED_ROWS) if any(row)]


def _read_workbook(data: bytes, sheet: str) -> Sheet:
    command = [sys.executable, "-I", str(Path(workbook.__file__)), sheet]
    try:
        reply = subprocess.run(  # noqa: S603 (our own program)
            command, input=data, capture_output=True, timeout=workbook.MAX_SECONDS, check=True
        ).stdout
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        raise Invalid(_DAMAGED) from None
    head, _, text = reply.partition(b"\n")
    found = json.loads(head)
    if problem := found.get("problem"):
        raise Invalid(_PROBLEMS[problem])
    return Sheet(text.decode(), sheets=found["sheets"], sheet=found["sheet"])
