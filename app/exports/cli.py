"""`flask export`: everything of a division as one file."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import reports_errors
from app.db import transaction
from app.divisions import Division
from app.exports.targets import everything

export = AppGroup("export", help="Export all lists of a division.")


@export.command("all")
@click.option("--division", required=True, type=click.Choice([each.value for each in Division]))
@click.option("--output", required=True, type=click.Path(dir_okay=False, path_type=Path))
@reports_errors
def export_all(division: str, output: Path) -> None:
    """Write a ZIP of all lists of a division as CSV, with a README of their columns."""
    owner = Division(division)
    with transaction():
        record(Event.EXPORT, f"everything of {division}")
    with output.open("wb") as file:
        file.writelines(everything(owner))
    click.echo(f"{output.name}: everything of {owner.label}.")
