"""Workbooks, written row by row in constant memory."""

import csv
from collections.abc import Iterator
from functools import partial
from io import StringIO
from itertools import chain
from tempfile import TemporaryFile

from xlsxwriter import Workbook

from app.errors import Invalid

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_TOO_LARGE = "This is more than a workbook can hold. Export it as CSV, or filter the list first."


def write_workbook(lines: Iterator[str]) -> Iterator[bytes]:
    """Yield the workbook of a CSV file in chunks, once it is whole.

    All cells are texts: no formula, and no zero that gets lost. Raises Invalid for more rows, or a
    longer text, than a workbook can hold.
    """
    rows = chain.from_iterable(csv.reader(StringIO(chunk, newline="")) for chunk in lines)
    with TemporaryFile() as file:
        with Workbook(file, {"constant_memory": True}) as workbook:
            sheet = workbook.add_worksheet()
            sheet.freeze_panes(1, 0)
            for line, row in enumerate(rows):
                for place, cell in enumerate(row):
                    # It returns why a cell can't be written.
                    if sheet.write_string(line, place, cell.removeprefix("'")):
                        raise Invalid(_TOO_LARGE)
        file.seek(0)
        yield from iter(partial(file.read, 65_536), b"")
