"""`flask demo load`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import click
from flask import current_app
from flask.cli import AppGroup

from app import dates
from app.accounts import queries as accounts
from app.accounts.services import users
from app.assets import acts as register
from app.attachments.services import PreparedFile, prepare_files
from app.cli.commands import reports_errors
from app.db import transaction
from app.deliveries import services as deliveries
from app.deliveries.services import receipts
from app.demo import schemas
from app.demo.rules import draw_invoice
from app.demo.schemas import DATA
from app.demo.services import filling as services
from app.demo.services.bookings import booking_steps
from app.demo.services.filling import PastCheck
from app.demo.services.story import play
from app.demo.services.upkeep import upkeep_steps
from app.directory import acts as directory
from app.directory.rules import DirectoryList
from app.directory.services.keys import set_keys
from app.directory.services.names import set_names
from app.divisions import Division, Site, Store
from app.errors import Conflict
from app.sent_files import SentFile
from app.stock import targets as stock
from app.stock.services.history import add_history
from app.stock.services.items import set_stock
from app.stock.services.levels import import_levels

STOCK_AGE = timedelta(days=60)
"""How long ago the demo's stock was added, so that its history comes after it."""

demo = AppGroup("demo", help="Try the product.")


@demo.command()
@click.option("--if-empty", is_flag=True, help="Do nothing where there are accounts already.")
@reports_errors
def load(if_empty: bool) -> None:
    """Load demo accounts, stock, GPM's desk, a fleet and assets into an empty database."""
    if current_app.config["QUARTERMASTER"].production:
        if if_empty:
            click.echo("This is a production database; it gets no demo data.")
            return
        raise Conflict("Demo accounts have known passwords; a production database gets none.")
    if not (if_empty and services.is_in_use()):
        _load()
    existing = {user.username for user in accounts.all_users()}
    for account in services.ACCOUNTS:
        if account.username in existing:
            names = ", ".join(d.label for d in account.divisions)
            roles = "".join(f"; {role}" for role in account.roles)
            click.echo(f"Demo account: {account.username} / {account.password}  ({names}{roles})")


def _load() -> None:
    missing = services.missing_accounts()
    # History and deliveries depend on the day, so a second load would add them again.
    is_first = not services.has_stock()
    stocked_on = dates.today() - STOCK_AGE if is_first else None
    fleet = None if services.has_fleet() else _read_fleet()
    has_assets = services.has_assets()
    with transaction():
        for new in missing:
            users.create_user(new.username, new.password, new.divisions, (), new.roles)
        for site in Site:
            _load_stock(Store(Division.GFM, site), stocked_on)
        _load_stock(Store(Division.GPM, Site.MAIN), stocked_on)
        _load_directory(is_first=is_first)
        if is_first:
            _load_history(Division.GFM)
            _load_history(Division.GPM)
            _load_deliveries()
            _take_stock()
            _load_levels(Store(Division.GFM, Site.MAIN))
            services.save_views()
        if not has_assets:
            _load_assets()
        if fleet:
            _load_fleet(*fleet)


def _load_stock(store: Store, stocked_on: date | None) -> None:
    file = DATA / f"{store.division}-{store.site}-stock.csv"
    items, keeps = stock.TARGETS[file.stem].load(file)
    result = set_stock(store, items, reason="Demo data", keeps=keeps, on=stocked_on)
    click.echo(f"{file.name}: {result.added} items.")


def _load_levels(store: Store) -> None:
    file = DATA / f"{store.division}-{store.site}-levels.csv"
    change = import_levels(stock.TARGETS[file.stem].load(file), store=store, by=None)
    click.echo(f"{file.name}: {change.added} levels.")


def _load_history(division: Division) -> None:
    file = DATA / f"{division}-history.csv"
    past = stock.TARGETS[file.stem].load(file)
    lines = services.shift_to(dates.today(), past.lines)
    added = add_history(division, replace(past, lines=lines)).added
    click.echo(f"{file.name}: {added} movements.")


def _load_directory(*, is_first: bool) -> None:
    # Keys are locked before teams, as in a rename.
    for list_name in sorted(DirectoryList, key=lambda name: name is not DirectoryList.KEYS):
        file = DATA / f"gpm-{list_name}.csv"
        imported = directory.TARGETS[list_name].load(file)
        if list_name is DirectoryList.KEYS:
            past = schemas.read_handovers(dates.today())
            result = services.fill_keys(imported, past) if is_first else set_keys(imported, by=None)
        else:
            result = set_names(list_name, imported)
        click.echo(f"{file.name}: {result.added} {list_name}.")


def _load_deliveries() -> None:
    past = list(schemas.read_deliveries(dates.today()))
    for order, delivered_on in past:
        scheduled = deliveries.schedule(Division.GPM, order, by=None)
        if delivered_on:
            at = dates.noon_in_london(delivered_on)
            receipts.mark_delivered(
                Division.GPM, scheduled.id, confirmation=None, recipient=None, at=at, by=None
            )
    click.echo(f"gpm-deliveries.csv: {len(past)} deliveries.")


def _take_stock() -> None:
    """Move stock as the demo's workers, so that their dashboards have recent items."""
    services.take_stock(Store(Division.GFM, Site.MAIN), services.KEEPER, "United Kingdom")
    services.take_stock(Store(Division.GFM, Site.GUILDFORD), services.MANAGER, "United Kingdom")
    services.take_stock(Store(Division.GPM, Site.MAIN), services.MANAGER, "Electricians")


def _read_fleet() -> tuple[Sequence[PastCheck], Sequence[PreparedFile]]:
    """Read checks and papers; photos are drawn here, before the transaction begins."""
    invoice = SentFile.with_data("HG-2098.pdf", draw_invoice("HG-2098"))
    return schemas.read_checks(dates.today()), prepare_files([invoice], by=0)


def _load_fleet(checks: Sequence[PastCheck], papers: Sequence[PreparedFile]) -> None:
    today, by = dates.today(), services.user_ids()[services.MANAGER.username]
    changes = list(schemas.read_changes(today))
    play(
        [
            *services.fleet_steps(changes, checks, today=today, by=by),
            *upkeep_steps(papers, today=today, by=by),
            *booking_steps(today=today, by=by),
        ]
    )
    click.echo(f"fleet-vehicles.csv: {len(changes)} changes of vehicles.")
    click.echo(f"fleet-checks.csv: {len(checks)} checks.")


def _load_assets() -> None:
    assets = register.TARGETS["assets"].load(DATA / "assets.csv")
    moves = list(schemas.read_moves(dates.today()))
    services.fill_assets(assets, moves)
    click.echo(f"assets.csv: {len(assets)} assets.")
    click.echo(f"asset-moves.csv: {len(moves)} moves.")
