"""`flask deliveries`: import and export of pending deliveries."""

import click
from flask.cli import AppGroup

from app.deliveries.acts import TARGETS
from app.divisions import SITES
from app.records.commands import add_file_commands

deliveries = AppGroup("deliveries", help="Import and export pending deliveries.")

add_file_commands(
    deliveries,
    "pending deliveries of {division}",
    lambda division: TARGETS[f"{division}-deliveries"],
    "Schedule the deliveries in FILE, or change the pending ones that it names. All or nothing.",
    click.option("--division", required=True, type=click.Choice([each.value for each in SITES])),
)
