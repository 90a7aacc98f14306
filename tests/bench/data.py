"""The data of the benchmark: the real stock lists and history, and generated other data.

Larger sizes are as dense as they are large: the same days have more movements and checks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import Any

import click
from flask import Flask
from sqlalchemy import insert, select

from app import dates, names
from app.db import db, transaction
from app.deliveries.models import Delivery
from app.deliveries.rules import due_on
from app.deliveries.services.receipts import mark_delivered
from app.demo.cli import DATA
from app.demo.services.filling import shift_to
from app.directory.rules import DirectoryList, KeyState, NameState
from app.directory.services.keys import set_keys
from app.directory.services.names import set_names
from app.divisions import Division, Site, Store
from app.fleet.models import Check, VehicleEvent
from app.fleet.rules.vehicles import FleetList, VehicleState, plate_key
from app.fleet.services.lists import import_vehicles
from app.lists import batches
from app.stock.models import Item
from app.stock.rules.items import ItemState
from app.stock.services.history import PastEntry, PastHistory, add_history
from app.stock.services.items import set_stock
from app.stock.services.levels import accept_suggestions
from app.stock.targets import TARGETS
from tests import factories
from tests.assets.generated import states
from tests.bench.calls import ASSETS, NAMES, VEHICLES, Session, plate
from tests.bench.upkeep import fill_upkeep
from tests.factories import GPM
from tests.person import Person
from tests.silent_changes import written_directly
from tests.upkeep import generated

SPARE = 10_000
"""Added to every amount, so that no withdrawal of the benchmark fails."""

COPY_INTERVAL = timedelta(days=28)
DENSE_INTERVAL = timedelta(minutes=1)
"""Between copies of the real history, and between the copies of a movement in larger sizes."""

USERS = {
    Division.GFM: "keeper",
    Division.GPM: "trader",
    Division.FLEET: "driver",
    Division.ASSETS: "steward",
}


@dataclass(frozen=True)
class Size:
    """How much data there is; `fleet` vehicles have their checks of `fleet_years`.

    Stores have the first `listed` items of their real lists, and GFM's main store `copies` of them.
    """

    copies: int = 1
    listed: int = len(NAMES)
    movements: int = 30_000
    gpm_movements: int = 3_000
    deliveries: int = 1_000
    delivered: int = 100
    keys: int = 300
    vehicles: int = VEHICLES
    checks: int = 3_000
    upkeep: int = 1_000
    assets: int = ASSETS
    fleet: int = 0
    fleet_years: int = 0

    def times(self, factor: int) -> "Size":
        """Return a size with `factor` times as much of everything."""
        return Size(**{name: value * factor for name, value in vars(self).items()})


YEARS_OF_FLEET = Size(
    movements=10,
    gpm_movements=10,
    deliveries=5,
    delivered=2,
    keys=5,
    vehicles=0,
    checks=0,
    upkeep=0,
    assets=5,
    fleet=200,
    fleet_years=5,
)
"""Five years of daily checks of 200 vehicles, and little else."""


def fill(app: Flask, size: Size) -> None:
    """Fill a migrated database; the users have no session yet."""
    with app.app_context():
        for division, username in USERS.items():
            factories.user(username, division)
        fill_stock(size)
        fill_levels()
        fill_ledger(size)
        with transaction():
            _fill_directory(size)
            _fill_deliveries(size)
        with transaction():
            _fill_fleet(size)
        with written_directly(), transaction():
            fill_upkeep(size.upkeep, size.vehicles, size.checks)
        with written_directly():
            generated.fill(vehicles=size.fleet, years=size.fleet_years)
        factories.assets(states(size.assets))
    rebuild_summaries(app)
    with app.app_context():
        db.engine.dispose()


def rebuild_summaries(app: Flask) -> None:
    """Run each `flask … rebuild`: rows that are inserted in bulk bypass what their writers keep."""
    context = click.Context(app.cli)
    for name in app.cli.list_commands(context):
        group = app.cli.get_command(context, name)
        if isinstance(group, click.Group) and "rebuild" in group.list_commands(context):
            ended = app.test_cli_runner().invoke(args=[name, "rebuild"])
            if ended.exit_code:
                raise RuntimeError(f"flask {name} rebuild: {ended.output}")


def fill_stock(size: Size) -> None:
    """Set the real lists of all stores; the names of copies have a number."""
    for site in Site:
        copies = size.copies if site is Site.MAIN else 1
        _set_stock(Store(Division.GFM, site), f"gfm-{site}-stock.csv", size.listed, copies)
    _set_stock(GPM, "gfm-main-stock.csv", size.listed, 1)


def fill_levels() -> None:
    """Set minimums that 100 items of GFM's main store are below."""
    items = db.session.scalars(select(Item).order_by(Item.id).limit(100)).all()
    levels = {item.id: (0, item.amount + SPARE, item.amount + 2 * SPARE) for item in items}
    with transaction():
        accept_suggestions(factories.MAIN, levels, by=None)


def _set_stock(store: Store, file: str, listed: int, copies: int) -> None:
    items, keeps = TARGETS["gfm-main-stock"].load(DATA / file)
    stock = numbered(items[:listed], copies)
    with transaction():
        set_stock(store, stock, reason="Bench", keeps=keeps)


def numbered(items: Sequence[ItemState], copies: int) -> list[ItemState]:
    """Return copies of items under names of their own, with enough in stock."""
    return [
        replace(item, name=copy_name(item.name, copy), amount=item.amount + SPARE)
        for copy in range(copies)
        for item in items
    ]


def copy_name(name: str, copy: int) -> str:
    """Return the name of an item's copy; the first one has the name itself."""
    return f"{name} #{copy + 1}" if copy else name


def fill_ledger(size: Size) -> None:
    """Add the movements through the ledger's own service, which maintains its summaries."""
    for division, count in ((Division.GFM, size.movements), (Division.GPM, size.gpm_movements)):
        lines = list(islice(movements(size.copies), count))
        with transaction():
            add_history(division, PastHistory(lines))


def movements(copies: int) -> Iterator[PastEntry]:
    """Yield the real history again and again, each time earlier, and each line `copies` times."""
    past = TARGETS["gfm-history"].load(DATA / "gfm-history.csv")
    newest = shift_to(dates.today(), past.lines)
    earlier = timedelta()
    while True:
        for line in newest:
            for copy in range(copies):
                at = line.at - earlier - copy * DENSE_INTERVAL
                yield replace(line, at=at, item=copy_name(line.item, copy))
        earlier += COPY_INTERVAL


def _fill_directory(size: Size) -> None:
    teams = [NameState(f"Team {number:03d}") for number in range(30)]
    services = [NameState(f"Service {number:03d}", "In a line of text") for number in range(30)]
    keys = [
        KeyState(f"K{number:05d}", f"Room {number % 997}", teams[number % 30].name, "Ask first")
        for number in range(size.keys)
    ]
    set_names(DirectoryList.TEAMS, teams)
    set_names(DirectoryList.SERVICES, services)
    set_keys(keys, by=None)


def _fill_deliveries(size: Size) -> None:
    """Insert pending deliveries, and deliver the first ones."""
    for numbers in batches(range(size.deliveries)):
        db.session.execute(insert(Delivery), [_delivery(number) for number in numbers])
    for number in range(1, size.delivered + 1):
        mark_delivered(Division.GPM, number, confirmation="DN", recipient="Bench", by=None)


def _delivery(number: int) -> dict[str, object]:
    name = NAMES[number % len(NAMES)]
    ordered_on = dates.today() - timedelta(days=number % 100)
    return {
        "order_number": number + 1,
        "item": name,
        "item_key": names.key(name),
        "amount": 1 + number % 50,
        "office": Site.MAIN,
        "ordered_on": ordered_on,
        "due_on": due_on(ordered_on, None),
        "search_key": names.key(name),
    }


def _fill_fleet(size: Size) -> None:
    """Import the vehicles, and insert checks with their events."""
    vehicles = [
        VehicleState(plate(number), status="In use", location="Depot")
        for number in range(size.vehicles)
    ]
    import_vehicles(FleetList.VEHICLES, vehicles, by=None)
    added = insert(Check).returning(Check.id, sort_by_parameter_order=True)
    with written_directly():
        for numbers in batches(range(size.checks)):
            checks = [_check(number, size.vehicles) for number in numbers]
            ids = db.session.execute(added, checks).scalars().all()
            events = [_event(id_, check) for id_, check in zip(ids, checks, strict=True)]
            db.session.execute(insert(VehicleEvent), events)


def _check(number: int, vehicles: int) -> dict[str, Any]:
    reg = plate(number % vehicles)
    return {
        "reg": reg,
        "reg_key": plate_key(reg),
        "day": dates.today() - timedelta(days=1 + number % 365),
        "odometer": number,
        "items": {"Name": "Bench", "Cleanliness": "Clean", "Damage": "None"},
        "notes": "Nothing to note. " * 8,
        "form_type": "vehicleCheckGPM",
        "form_label": "Standard Vehicle Check",
        "search_key": names.key(f"{reg} bench clean none standard vehicle check"),
        "submitted_at": dates.utc_now(),
    }


def _event(check_id: int, check: dict[str, Any]) -> dict[str, object]:
    return {
        "fleet_list": FleetList.VEHICLES,
        "reg": check["reg"],
        "reg_key": check["reg_key"],
        "at": dates.noon_in_london(check["day"]),
        "status": "In use",
        "location": "Depot",
        "check_id": check_id,
    }


def sign_in(app: Flask) -> Session:
    """Sign in a user of each division; access lasts for 30 minutes."""
    people = {division: Person(app) for division in USERS}
    for division, person in people.items():
        person.sign_in(USERS[division], follow=False, division=division)
    # Opened first, since the cookie then has the token too.
    tokens = {
        division: person.open("/change-password").fields()["csrf_token"]
        for division, person in people.items()
    }
    return Session({division: _cookie(person) for division, person in people.items()}, tokens)


def _cookie(person: Person) -> str:
    cookie = person.client.get_cookie("session")
    assert cookie is not None
    # Served in production, the cookie has a name of its own.
    return f"session={cookie.value}; __Host-session={cookie.value}"
