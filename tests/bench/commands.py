"""Measure commands: their start, and the imports of stock and of history."""

import csv
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from app import dates, money
from app.demo.cli import DATA
from app.stock.schemas.history import HISTORY_COLUMNS
from app.stock.schemas.items import STOCK_FILE
from app.stock.targets import TARGETS
from tests.bench import data, figures
from tests.bench.processes import seconds_of
from tests.serving import environment

RUNS = 3
ITEM_COPIES = 10
"""How often the imported list of stock has the real one, under names of their own."""
LINES = 30_000


def measure(url: str, folder: Path) -> dict[str, float]:
    """Return the figures of commands on an empty database, their start subtracted from imports."""
    stock, history = folder / "stock.csv", folder / "history.csv"
    items = write_stock(stock)
    write_history(history)
    variables = environment(url, folder)
    start = min(seconds_of(["users", "list"], variables) for _ in range(RUNS))
    where = ["--division", "gfm"]
    stock_import = seconds_of(["stock", "import", str(stock), *where], variables)
    history_import = seconds_of(["history", "import", str(history), *where], variables)
    return {
        figures.USERS_LIST: start,
        figures.STOCK_IMPORT: items / (stock_import - start),
        figures.HISTORY_IMPORT: LINES / (history_import - start),
    }


def write_stock(file: Path) -> int:
    """Write a stock list of copies of the real one; return the number of its items."""
    listed, _ = TARGETS["gfm-main-stock"].load(DATA / "gfm-main-stock.csv")
    items = data.numbered(listed, ITEM_COPIES)
    rows = (
        (item.name, item.amount, item.category, money.plain_pounds(item.unit_price), item.unit)
        for item in items
    )
    _write(file, [column.name for column in STOCK_FILE], rows)
    return len(items)


def write_history(file: Path) -> None:
    """Write a file of history."""
    rows = (
        (
            dates.format_local_time(line.at),
            line.event.value,
            line.team,
            line.item,
            line.amount,
            money.plain_pounds(line.unit_price),
            money.plain_pounds(line.amount * line.unit_price),
            line.site,
        )
        for line in islice(data.movements(1), LINES)
    )
    _write(file, HISTORY_COLUMNS, rows)


def _write(file: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with file.open("w", newline="") as written:
        writer = csv.writer(written)
        writer.writerow(columns)
        writer.writerows(rows)
