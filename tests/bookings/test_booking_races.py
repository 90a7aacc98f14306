"""However many people book at once, nothing is ever given twice, and no booking is lost."""

import json
import subprocess
import sys
from collections import Counter

import pytest
from sqlalchemy import make_url, select, text

from app.bookings.models import Booking
from app.bookings.rules import BookingKind
from app.bookings.services import bookings as services
from app.db import db
from tests import factories
from tests.bookings.book_many import ASSETS, TRUCKS, given_twice, reserved_twice
from tests.bookings.steps import MANAGER, do

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.slow, pytest.mark.usefixtures("vans")]

OPERATIONS = 2_000
"""How many each process makes in a thorough race."""


@pytest.fixture
def things(vans):
    """Add two trucks, one asset that is single, and three of another."""
    for reg in TRUCKS:
        factories.vehicle(reg, classification="Truck")
    for key, quantity in ASSETS.items():
        factories.asset(f"Generator {key}", id=key.upper(), quantity=quantity)
        do(services.decide_bookable, BookingKind.ASSET, key, is_bookable=True, by=MANAGER)


def race(app, url, folder, operations, processes=8, lock="locked"):
    """Return the numbers of the bookings that processes made, and how often each thing happened."""
    with app.app_context():
        db.engine.dispose()
    command = [sys.executable, "-m", "tests.bookings.book_many", url, str(folder)]
    arguments = [str(operations), str(processes), lock]
    printed = subprocess.check_output([*command, *arguments], text=True)
    made, outcomes = [], Counter()
    for line in map(json.loads, printed.splitlines()):
        made += line["made"]
        outcomes.update(line["outcomes"])
    print(outcomes)
    return sorted(made), outcomes


def check(made):
    assert given_twice() == []
    numbers = db.session.scalars(select(Booking.number).order_by(Booking.number)).all()
    assert numbers == made == list(range(1, len(made) + 1))


@pytest.mark.usefixtures("things")
def test_8_processes_book_the_same_things_and_none_twice(app, database_url, tmp_path, pytestconfig):
    is_thorough = pytestconfig.option.thorough
    operations = OPERATIONS if is_thorough else 6
    made, outcomes = race(app, database_url, tmp_path, operations)
    check(made)
    assert sum(outcomes.values()) - outcomes["retried"] == 8 * operations
    assert not outcomes["backstop"]
    if is_thorough:
        assert {"book", "change", "cancel", "hand_over", "take_back", "Taken"} <= outcomes.keys()


BACKSTOP = {
    "postgresql": ["ALTER TABLE booking DROP CONSTRAINT ex_booking_occupied"],
    "sqlite": [
        "DROP TRIGGER booking_occupied_add",
        "DROP TRIGGER booking_occupied_change",
    ],
}


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
def test_the_locks_alone_keep_things_from_being_booked_twice(app, database_url, tmp_path):
    with db.engine.begin() as connection:
        for statement in BACKSTOP[make_url(database_url).get_backend_name()]:
            connection.execute(text(statement))
    made, _ = race(app, database_url, tmp_path, OPERATIONS // 4)
    check(made)


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_the_constraint_alone_keeps_things_from_being_booked_twice(app, database_url, tmp_path):
    _, outcomes = race(app, database_url, tmp_path, OPERATIONS // 4, lock="unlocked")
    assert reserved_twice() == []
    assert outcomes["backstop"]
