"""The process that reads a spreadsheet's workbook, which may be damaged on purpose.

Run it as a file: it takes the workbook and replies with a line of JSON, then with the sheet as CSV.
The limits of its memory and time are its own: a workbook of 1 KB can claim 17 billion cells.
"""

import csv
import gc
import json
import resource
import sys
from datetime import date, datetime, time
from io import BytesIO, StringIO
from tempfile import NamedTemporaryFile
from typing import Any
from zipfile import ZipFile, is_zipfile

from python_calamine import CalamineError, CalamineWorkbook, PasswordError

MAX_MEMORY = 512 * 1024 * 1024
MAX_SECONDS = 20
MAX_UNPACKED = 150 * 1024 * 1024
MAX_TEXT = 64 * 1024 * 1024
"""How many characters a sheet has at most: a workbook can repeat one text in every cell."""


def text_of(value: Any) -> str:
    """Return a cell as a CSV file of ours has it; a text is never a formula there."""
    if isinstance(value, str):
        return f"'{value}" if value[:1] in {"=", "+", "-", "@", "\t", "\r", "'"} else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        # As many digits as spreadsheets show.
        return str(int(value)) if value.is_integer() else f"{value:.15g}"
    if isinstance(value, datetime):
        is_day = value.time() == time()
        return value.date().isoformat() if is_day else value.isoformat(" ", "seconds")
    return value.isoformat() if isinstance(value, date | time) else str(value)


def read(data: bytes, requested: str) -> tuple[dict[str, Any], str]:
    """Return what a workbook has, and one of its sheets, else its first that isn't empty."""
    if is_zipfile(BytesIO(data)):
        with ZipFile(BytesIO(data)) as file:
            if sum(each.file_size for each in file.infolist()) > MAX_UNPACKED:
                raise MemoryError
    workbook = CalamineWorkbook.from_filelike(BytesIO(data))
    names = [requested] if requested in workbook.sheet_names else workbook.sheet_names
    for name in names:
        rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=False)
        if rows:
            break
    else:
        rows = []
    buffer = StringIO(newline="")
    writer, size = csv.writer(buffer), 0
    for row in rows:
        texts = [text_of(value) for value in row]
        size += sum(map(len, texts))
        if size > MAX_TEXT:
            raise MemoryError
        writer.writerow(texts)
    return {"sheets": workbook.sheet_names, "sheet": name}, buffer.getvalue()


def problem_of(data: bytes) -> str:
    """Return why a file can't be read. Raises MemoryError for a workbook with too many cells.

    Calamine says so only for a file whose name has the ending of its format.
    """
    for ending in (".xlsx", ".xls", ".ods"):
        with NamedTemporaryFile(suffix=ending) as file:
            file.write(data)
            file.flush()
            try:
                CalamineWorkbook.from_path(file.name)
            except PasswordError:
                return "password"
            except CalamineError as error:
                if "limit exceeded" in str(error):
                    raise MemoryError from None
    return "format"


def main() -> None:
    """Read the workbook of standard input, and the sheet that the first argument names."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.disable()  # A million lists of cells make no cycles.
    data = sys.stdin.buffer.read()
    try:
        found, text = read(data, sys.argv[1])
    except CalamineError:
        found, text = {"problem": problem_of(data)}, ""
    sys.stdout.buffer.write(f"{json.dumps(found)}\n{text}".encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
