"""`flask vehicles`: the lists in and out, and one vehicle more."""

from pathlib import Path

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.fleet.queries.vehicles import all_vehicles
from app.fleet.rules import vehicles as rules
from app.fleet.rules.plates import clean_plate
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.schemas.vehicles import VEHICLE_COLUMNS, read_vehicles, vehicle_rows
from app.fleet.services.lists import set_vehicles
from app.fleet.services.vehicles import add_vehicle
from app.names import clean
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
@click.option("--dry-run", is_flag=True, help="Check the file and say what would change.")
@reports_errors
def import_vehicles(file: Path, list_name: str, dry_run: bool) -> None:
    """Set the vehicles that FILE lists; others stay as they are. All of it, or nothing."""
    wanted = read_vehicles(file)
    with transaction(keep=not dry_run):
        result = set_vehicles(FleetList(list_name), wanted, by=None)
    click.echo(
        f"{file.name}: {result.added} added, {result.changed} changed, "
        f"{result.unchanged} unchanged." + (" Dry run: nothing was written." if dry_run else "")
    )


@vehicles.command("export")
@_list
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file to write.")
@reports_errors
def export_vehicles(list_name: str, output: Path | None) -> None:
    """Write a list as CSV, to standard output or a file."""
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
def add(reg: str, make: str, model: str, classification: str, status: str, location: str) -> None:
    """Add the vehicle with the registration REG to the list that the screens show."""
    new = VehicleState(
        reg=clean_plate(reg),
        make=clean(make, limit=rules.LONGEST_MAKE, what="Make"),
        model=clean(model, limit=rules.LONGEST_MAKE, what="Model"),
        status=clean(status, limit=rules.LONGEST_STATUS, what="Status"),
        classification=clean(
            classification, limit=rules.LONGEST_CLASSIFICATION, what="Classification"
        ),
        location=clean(location, limit=rules.LONGEST_LOCATION, what="Location"),
    )
    with transaction():
        added = add_vehicle(new, by=None)
    click.echo(f"Added {added.reg}.")
