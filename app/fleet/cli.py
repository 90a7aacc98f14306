"""Commands of vehicles."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.fields import fields_of
from app.fleet.queries.vehicles import all_vehicles
from app.fleet.rules.vehicles import FleetList, VehicleState, clean_plate
from app.fleet.schemas.vehicles import VEHICLE_FILE, read_vehicles
from app.fleet.services import lists
from app.fleet.services.vehicles import add_vehicle
from app.records.commands import exports, imports
from app.records.record import csv_lines

vehicles = AppGroup("vehicles", help="Add, import and export vehicles.")

_list = click.option(
    "--list",
    "list_name",
    default=FleetList.VEHICLES.value,
    show_default=True,
    type=click.Choice([fleet_list.value for fleet_list in FleetList]),
    help="Which of the two lists; the screens show the vans where there are no vehicles.",
)


@imports(vehicles, _list)
def import_vehicles(file: Path, list_name: str, saving: AbstractContextManager[None]) -> str:
    """Add or change the vehicles in FILE; others stay as they are. All or nothing is imported."""
    states = read_vehicles(file)
    with saving:
        return lists.import_vehicles(FleetList(list_name), states, by=None).summary


@exports(vehicles, "{list_name}", _list)
def export_vehicles(list_name: str) -> Iterable[str]:
    """Write a list as CSV to standard output or a file."""
    return csv_lines(VEHICLE_FILE, all_vehicles(FleetList(list_name)))


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
