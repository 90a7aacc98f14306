"""Commands of stock lists and their history."""

import click
from flask import current_app
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.divisions import SITES, Division, Site, Store
from app.errors import Invalid
from app.last_runs import LEDGER_CHECK, record_run
from app.records.commands import add_file_commands
from app.stock.queries import books
from app.stock.services import summaries
from app.stock.services.items import offer_count
from app.stock.targets import TARGETS

stock = AppGroup("stock", help="Import and export stock lists.")
ledger = AppGroup("ledger", help="Check the books, and rebuild what pages count by.")

_division = click.option("--division", required=True, type=click.Choice([d.value for d in SITES]))
_site = click.option("--site", default="main", show_default=True, help="The site's name.")


add_file_commands(
    stock,
    "{division} {site} stock",
    lambda **place: TARGETS["{division}-{site}-stock".format(**_store(**place).place)],
    "Set the items that FILE lists; others stay as they are. All of it, or nothing.",
    _division,
    _site,
)


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


add_file_commands(
    history,
    "{division} history",
    lambda division: TARGETS[f"{division}-history"],
    "Add the rows of FILE that aren't in the history yet; amounts in stock stay as they are.",
    _division,
)

levels_group = AppGroup("levels", help="Import and export minimums and targets.")


add_file_commands(
    levels_group,
    "levels of {division} {site}",
    lambda **place: TARGETS["{division}-{site}-levels".format(**_store(**place).place)],
    "Set the minimums and targets in FILE; other items stay as they are. All or nothing.",
    _division,
    _site,
)
