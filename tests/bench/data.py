"""The data of the benchmark: the real stock lists, 103,600 lines of history made of them, 10,000
pending deliveries, 200 vehicles with 5,000 checks, and 50,000 assets.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from flask import Flask
from sqlalchemy import insert

from app import dates, names
from app.db import db, transaction
from app.deliveries.models import Delivery
from app.deliveries.services import mark_delivered
from app.demo.cli import DATA
from app.demo.services import shift_to
from app.divisions import Division, Site, Store
from app.fleet.models import Check, VehicleEvent
from app.fleet.rules.plates import plate_key
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services.lists import import_vehicles
from app.stock.schemas.files import read_stock
from app.stock.schemas.history_files import read_history
from app.stock.services.history import PastEntry, add_history
from app.stock.services.lists import set_stock
from tests import factories
from tests.assets.generated import states
from tests.bench.calls import NAMES, VEHICLES, Session, plate
from tests.factories import GPM
from tests.person import Person

COPIES = 28
COPY_INTERVAL = timedelta(days=28)
"""Number of copies of the real history, and the time between them."""

DELIVERIES = 10_000
DELIVERED = 300
CHECKS = 5_000


def fill(app: Flask) -> Session:
    """Fill a database and sign in a user of each division."""
    with app.app_context():
        factories.user("keeper", Division.GFM)
        factories.user("trader", Division.GPM)
        factories.user("driver", Division.FLEET)
        factories.user("steward", Division.ASSETS)
        factories.assets(states())
        for site in Site:
            items, keeps_unit = read_stock(DATA / f"gfm-{site}-stock.csv")
            with transaction():
                set_stock(Store(Division.GFM, site), items, reason="Bench", keeps_unit=keeps_unit)
        items, keeps_unit = read_stock(DATA / "gfm-main-stock.csv")
        with transaction():
            set_stock(GPM, items, reason="Bench", keeps_unit=keeps_unit)
        past = read_history(DATA / "gfm-history.csv", Division.GFM)
        newest = shift_to(dates.today(), past.rows)
        lines = [_earlier(line, copy * COPY_INTERVAL) for copy in range(COPIES) for line in newest]
        with transaction():
            add_history(Division.GFM, lines, compare=past.columns)
            add_history(Division.GPM, newest, compare=past.columns)
            db.session.execute(insert(Delivery), [_delivery(n) for n in range(DELIVERIES)])
            for number in range(1, DELIVERED + 1):
                mark_delivered(number, confirmation="DN", recipient="Bench", by=None)
            _fill_fleet()
    people = {
        Division.GFM: _signed_in(app, "keeper"),
        Division.GPM: _signed_in(app, "trader"),
        Division.FLEET: _signed_in(app, "driver"),
        Division.ASSETS: _signed_in(app, "steward"),
    }
    people[Division.ASSETS].submit(people[Division.ASSETS].open("/choose"), division="assets")
    return Session(
        {division: _cookie(person) for division, person in people.items()},
        {
            division: person.open("/change-password").fields()["csrf_token"]
            for division, person in people.items()
        },
    )


def _signed_in(app: Flask, username: str) -> Person:
    person = Person(app)
    person.sign_in(username)
    return person


def _cookie(person: Person) -> str:
    cookie = person.client.get_cookie("session")
    assert cookie is not None
    # Served in production, the cookie has a name of its own.
    return f"session={cookie.value}; __Host-session={cookie.value}"


def _earlier(line: PastEntry, by: timedelta) -> PastEntry:
    return replace(line, at=line.at - by)


def _delivery(number: int) -> dict[str, object]:
    name = NAMES[number % len(NAMES)]
    return {
        "item": name,
        "amount": 1 + number % 50,
        "office": Site.MAIN,
        "ordered_on": dates.today() - timedelta(days=number % 100),
        "search_key": names.key(name),
    }


def _fill_fleet() -> None:
    states = [VehicleState(plate(n), status="In use", location="Depot") for n in range(VEHICLES)]
    import_vehicles(FleetList.VEHICLES, states, by=None)
    checks = [_check(n) for n in range(CHECKS)]
    added = insert(Check).returning(Check.id, sort_by_parameter_order=True)
    ids = db.session.execute(added, checks).scalars().all()
    events = [_event(id_, check) for id_, check in zip(ids, checks, strict=True)]
    db.session.execute(insert(VehicleEvent), events)


def _check(number: int) -> dict[str, Any]:
    reg = plate(number)
    return {
        "reg": reg,
        "reg_key": plate_key(reg),
        "day": dates.today() - timedelta(days=1 + number % 365),
        "odometer": number,
        "items": {"Name": "Bench", "Cleanliness": "Clean", "Damage": "None"},
        "notes": "Nothing to note. " * 8,
        "form_type": "vehicleCheckGPM",
        "form_label": "Standard Vehicle Check",
        "search_key": f"{reg} bench clean none standard vehicle check".casefold(),
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
