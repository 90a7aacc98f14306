"""`flask demo load`."""

from datetime import timedelta
from pathlib import Path

import click
from flask import current_app
from flask.cli import AppGroup

from app import dates
from app.accounts import queries as accounts
from app.db import transaction
from app.demo import services
from app.divisions import Division, Site, Store
from app.errors import Conflict
from app.stock.schemas.files import read_stock
from app.stock.schemas.history_files import read_history
from app.stock.services.history import add_history
from app.stock.services.lists import set_stock
from app.web.commands import reports_errors

DATA = Path(__file__).parent / "data"

STOCKED_BEFORE = timedelta(days=60)
"""How long ago the demo's stock came, so that it doesn't stand before what happened to it since."""

demo = AppGroup("demo", help="Try the product.")


@demo.command()
@click.option("--if-empty", is_flag=True, help="Do nothing where there are accounts already.")
@reports_errors
def load(if_empty: bool) -> None:
    """Load demo accounts, three real stock lists and a month of history into an empty database."""
    if current_app.config["QUARTERMASTER"].production:
        if if_empty:
            click.echo("This is a production database; it gets no demo data.")
            return
        raise Conflict("Demo accounts have known passwords; a production database gets none.")
    if not (if_empty and services.is_in_use()):
        _load()
    present = {user.username for user in accounts.all_users()}
    for account in services.ACCOUNTS:
        if account.username in present:
            names = ", ".join(d.label for d in account.divisions)
            click.echo(f"Demo account: {account.username} / {account.password}  ({names})")


def _load() -> None:
    missing = services.missing_accounts()
    # Loaded again on another day, its lines would be other ones.
    is_first = not services.holds_stock()
    opened = dates.today() - STOCKED_BEFORE if is_first else None
    with transaction():
        services.create_accounts(missing)
        for site in Site:
            file = DATA / f"gfm-{site}-stock.csv"
            wanted, keeps_unit = read_stock(file)
            result = set_stock(
                Store(Division.GFM, site),
                wanted,
                reason="Demo data",
                keeps_unit=keeps_unit,
                on=opened,
            )
            click.echo(f"{file.name}: {result.added} items.")
        if is_first:
            past = read_history(DATA / "gfm-history.csv", Division.GFM)
            lines = services.moved_to(dates.today(), past.rows)
            added = add_history(Division.GFM, lines, known=past.known).added
            click.echo(f"gfm-history.csv: {added} movements.")
