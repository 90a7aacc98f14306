"""Workbooks, written row by row in constant memory."""

import csv
from collections.abc import Collection, Iterator
from functools import partial
from io import StringIO
from itertools import chain
from tempfile import TemporaryFile

from xlsxwriter import Workbook

from app.errors import Invalid

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_TOO_LARGE = "This is more than a workbook can hold. Export it as CSV, or filter the list first."


def write_workbook(lines: Iterator[str], numbers: Collection[str]) -> Iterator[bytes]:
    """Yield the workbook of a CSV file in chunks, once it is whole.

    The columns `numbers` have numbers; all other cells are texts, never formulas. Raises Invalid
    for more rows, or a longer text, than a workbook can hold.
    """
    rows = chain.from_iterable(csv.reader(StringIO(chunk, newline="")) for chunk in lines)
    header = next(rows)
    with TemporaryFile() as file:
        with Workbook(file, {"constant_memory": True}) as workbook:
            sheet = workbook.add_worksheet()
            sheet.freeze_panes(1, 0)
            pence = workbook.add_format({"num_format": "0.00"})
            sheet.write_row(0, 0, header)
            for line, row in enumerate(rows, 1):
                for place, (name, cell) in enumerate(zip(header, row, strict=True)):
                    if cell and name in numbers:
                        style = pence if "." in cell else None
                        failure = sheet.write_number(line, place, float(cell), style)
                    else:
                        failure = sheet.write_string(line, place, cell.removeprefix("'"))
                    if failure:
                        raise Invalid(_TOO_LARGE)
        file.seek(0)
        yield from iter(partial(file.read, 65_536), b"")
