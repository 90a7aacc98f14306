"""Commands of odometer readings."""

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.mileage import services
from app.mileage.acts import TARGETS
from app.records.commands import add_file_commands

readings = AppGroup("readings", help="Import and export odometer readings.")


add_file_commands(
    readings,
    "readings",
    lambda: TARGETS["readings"],
    "Add the readings in FILE (reg,day,miles) that aren't there. All or nothing is imported.",
)


@readings.command("rebuild")
@reports_errors
def rebuild() -> None:
    """Add the readings of checks that have none, as an update under load may leave them."""
    added, part = 0, 1
    while part:
        with transaction():
            part = services.rebuild_readings()
        added += part
    click.echo(f"{added} readings added.")
