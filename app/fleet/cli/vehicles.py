"""`flask vehicles`: import and export the lists, and add a vehicle."""

from pathlib import Path
from typing import Any

import click
from flask.cli import AppGroup

from app.audit.rules import Event
from app.audit.services import record
from app.cli.commands import reports_errors
from app.db import transaction
from app.fields import fields_of
from app.fleet.queries.vehicles import all_vehicles
from app.fleet.rules.plates import clean_plate
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.schemas.vehicles import VEHICLE_COLUMNS, read_vehicles, vehicle_rows
from app.fleet.services import lists
from app.fleet.services.vehicles import add_vehicle
from app.tables.csv_files import write_lines, write_rows

vehicles = AppGroup("vehicles", help="Add, import and export vehicles.")

_list = click.option(
    "--list",
    "list_name",
    default=FleetList.VEHICLES.value,
    show_default=True,
    type=click.Choice([fleet_list.value for fleet_list in FleetList]),
    help="Which of the two lists; the screens show the vans where there are no vehicles.",
)


@vehicles.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_list
@click.option("--dry-run", is_flag=True, help="Check the file and print what would change.")
@reports_errors
def import_vehicles(file: Path, list_name: str, dry_run: bool) -> None:
    """Add or change the vehicles in FILE; others stay as they are. All or nothing is imported."""
    states = read_vehicles(file)
    with transaction(commit=not dry_run):
        change = lists.import_vehicles(FleetList(list_name), states, by=None)
    click.echo(
        f"{file.name}: {change.added} added, {change.changed} changed, "
        f"{change.unchanged} unchanged." + (" Dry run: nothing was written." if dry_run else "")
    )


@vehicles.command("export")
@_list
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_vehicles(list_name: str, output: Path | None) -> None:
    """Write a list as CSV to standard output or a file."""
    with transaction():
        record(Event.EXPORT, list_name)
    rows = vehicle_rows(all_vehicles(FleetList(list_name)))
    write_lines(write_rows(VEHICLE_COLUMNS, rows), output)


@vehicles.command("add")
@click.argument("reg")
@click.option("--make", default="")
@click.option("--model", default="")
@click.option("--classification", default="", help="Such as Van or Car.")
@click.option("--status", default="", help="Unknown when it isn't given.")
@click.option("--location", default="")
@reports_errors
def add(reg: str, **options: str) -> None:
    """Add the vehicle with the registration REG to the list that the screens show."""
    values: dict[str, Any] = {
        name: field.parse(options[name]) for name, field in fields_of(VehicleState).items()
    }
    new = VehicleState(clean_plate(reg), **values)
    with transaction():
        added = add_vehicle(new, by=None)
    click.echo(f"Added {added.reg}.")
