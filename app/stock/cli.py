"""Commands of stock lists and their history."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import click
from flask import current_app
from flask.cli import AppGroup

from app.cli.commands import progress_bar, reports_errors
from app.db import transaction
from app.divisions import SITES, Division, Site, Store
from app.errors import Invalid
from app.last_runs import LEDGER_CHECK, record_run
from app.records.commands import exports, imports
from app.records.reading import read_all
from app.records.record import csv_lines
from app.stock.queries import books, levels
from app.stock.queries.history import stream_history
from app.stock.queries.history_scope import HistoryFilters
from app.stock.rules.items import REASON
from app.stock.schemas.history import HISTORY_COLUMNS, export_cells, read_history
from app.stock.schemas.items import STOCK_FILE, read_stock
from app.stock.schemas.levels import LEVEL_FILE, read_levels
from app.stock.schemas.levels import list_of as level_list
from app.stock.services import history as history_services
from app.stock.services import levels as level_services
from app.stock.services import summaries
from app.stock.services.items import offer_count, set_stock
from app.tables.csv_files import write_rows

stock = AppGroup("stock", help="Import and export stock lists.")
ledger = AppGroup("ledger", help="Check the books, and rebuild what pages count by.")

_division = click.option("--division", required=True, type=click.Choice([d.value for d in SITES]))
_site = click.option("--site", default="main", show_default=True, help="The site's name.")


@imports(stock, _division, _site)
def import_stock(file: Path, division: str, site: str, saving: AbstractContextManager[None]) -> str:
    """Set the items that FILE lists; others stay as they are. All of it, or nothing."""
    store = _store(division, site)
    listed, keeps_unit = read_stock(file)
    with saving:
        result = set_stock(
            store,
            listed,
            reason=f"Import of {file.name}"[: REASON.limit],
            keeps_unit=keeps_unit,
            progress=progress_bar("Importing"),
        )
    return result.summary


@exports(stock, "{division} {site} stock", _division, _site)
def export_stock(division: str, site: str) -> Iterable[str]:
    """Write a site's items as CSV, to standard output or a file."""
    return csv_lines(STOCK_FILE, levels.all_stock(_store(division, site)))


@stock.command("count-tools")
@click.argument("state", type=click.Choice(["show", "hide"]))
@_division
@_site
@reports_errors
def count_tools(state: str, division: str, site: str) -> None:
    """Show or hide the stock-check tools on a site's page."""
    store = _store(division, site)
    with transaction():
        offer_count(store, is_offered=state == "show")
    label = "shown" if state == "show" else "hidden"
    click.echo(f"{store}: the stock check is {label}.")


@ledger.command()
@reports_errors
def verify() -> None:
    """Check that amounts, counts and sums agree with the ledger; exit 1 when one does not."""
    problems = list(books.ledger_problems())
    record_run(current_app.config["QUARTERMASTER"], LEDGER_CHECK, is_right=not problems)
    for problem in problems:
        click.echo(problem, err=True)
    items, entries = books.book_totals()
    if problems:
        raise click.ClickException(f"{len(problems)} problems in {items} items.")
    click.echo(f"The books are right: {items} items, {entries} ledger entries.")


@ledger.command()
@reports_errors
def rebuild() -> None:
    """Make the counts, sums and search of the history anew from the ledger."""
    with transaction():
        summaries.rebuild()
    click.echo("The summaries of the ledger were made anew.")


def _store(division: str, site: str) -> Store:
    owner = Division(division)
    if site not in SITES[owner]:
        choices = ", ".join(SITES[owner])
        raise Invalid(f'{owner.label} has no site "{site}"; it has: {choices}')
    return Store(owner, Site(site))


history = AppGroup("history", help="Import and export history.")


@imports(history, _division)
def import_history(file: Path, division: str, saving: AbstractContextManager[None]) -> str:
    """Add the rows of FILE that aren't in the history yet; amounts in stock stay as they are."""
    owner = Division(division)
    past = read_history(file, owner)
    with saving:
        result = history_services.add_history(owner, past, progress=progress_bar("Importing"))
    rows, added, unchanged = len(past.lines), result.added, result.unchanged
    return f"{rows} rows: {added} added, {unchanged} already there"


@exports(history, "{division} history", _division)
def export_history(division: str) -> Iterable[str]:
    """Write a division's history as CSV, oldest first, to standard output or a file."""
    rows = stream_history(Division(division), HistoryFilters(), oldest_first=True)
    return write_rows(HISTORY_COLUMNS, export_cells(rows))


levels_group = AppGroup("levels", help="Import and export minimums and targets.")


@imports(levels_group, _division, _site)
def import_levels(
    file: Path, division: str, site: str, saving: AbstractContextManager[None]
) -> str:
    """Set the minimums and targets in FILE; other items stay as they are. All or nothing."""
    read = read_levels(file)
    with saving:
        change = level_services.import_levels(read, store=_store(division, site), by=None)
    return change.summary


@exports(levels_group, "levels of {division} {site}", _division, _site)
def export_levels(division: str, site: str) -> Iterable[str]:
    """Write a site's minimums and targets as CSV to standard output or a file."""
    return csv_lines(LEVEL_FILE, read_all(level_list(_store(division, site))))
