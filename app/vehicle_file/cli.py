"""The command that removes old records of vehicles."""

from collections import Counter

import click
from flask import current_app
from flask.cli import AppGroup

from app import dates
from app.cli.commands import progress_bar, reports_errors
from app.config import Settings
from app.db import transaction
from app.due.rules.next_due import add_months
from app.vehicle_file.queries.record import vehicles_with_rows
from app.vehicle_file.rules import Kept, parse_months
from app.vehicle_file.services import prune as prune_vehicle

fleet = AppGroup("fleet", help="Look after the fleet's records.")


@fleet.command()
@click.option("--older-than", required=True, metavar="MONTHS", help="Such as 15m.")
@click.option("--dry-run", is_flag=True, help="Print what would be removed.")
@reports_errors
def prune(older_than: str, dry_run: bool) -> None:
    """Remove checks, bookings, closed defects, repairs and what else ended months ago.

    Nothing of an open case is removed, and never less than RETENTION_MONTHS. Each vehicle is done
    whole or not at all; photos and documents go with the next flask photos sweep.
    """
    settings: Settings = current_app.config["QUARTERMASTER"]
    months = parse_months(older_than, least=settings.retention_months)
    before = add_months(dates.today(), -months)
    removed: Counter[Kept] = Counter()
    for reg_key in progress_bar("Vehicles")([None, *vehicles_with_rows()]):
        with transaction(commit=not dry_run):
            removed += prune_vehicle(reg_key, before)
    numbers = ", ".join(f"{removed[kind]:,} {kind}" for kind in Kept)
    click.echo(
        f"{'Would remove' if dry_run else 'Removed'} from before {dates.format_day(before)}: "
        f"{numbers}." + (" Dry run: nothing was removed." if dry_run else "")
    )
