"""Commands of vehicles."""

from typing import Any

import click
from flask.cli import AppGroup

from app.cli.commands import reports_errors
from app.db import transaction
from app.fields import fields_of
from app.fleet.acts import TARGETS
from app.fleet.rules.vehicles import FleetList, VehicleState, clean_plate
from app.fleet.services.vehicles import add_vehicle
from app.records.commands import add_file_commands

vehicles = AppGroup("vehicles", help="Add, import and export vehicles.")

_list = click.option(
    "--list",
    "list_name",
    default=FleetList.VEHICLES.value,
    show_default=True,
    type=click.Choice([fleet_list.value for fleet_list in FleetList]),
    help="Which of the two lists; the screens show the vans where there are no vehicles.",
)


add_file_commands(
    vehicles,
    "{list_name}",
    lambda list_name: TARGETS[list_name],
    "Add or change the vehicles in FILE; others stay as they are. All or nothing is imported.",
    _list,
)


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
