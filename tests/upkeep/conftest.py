"""Fixtures of upkeep: signed-in people, calls and rows."""

import pytest

from app import dates
from app.divisions import Division, Role
from tests import factories
from tests.person import Caller, Person
from tests.upkeep.due_steps import VANS


@pytest.fixture
def driver_id(in_app):
    """Add a worker of Fleet, who may not decide as managers do, and return their id."""
    return in_app(factories.user, "driver", Division.FLEET, roles=(Role.WORKER,))


@pytest.fixture
def manager_id(in_app):
    """Add a manager of Fleet and return their id."""
    return in_app(factories.user, "k.lee", Division.FLEET)


@pytest.fixture
def driver_and_manager(context):
    """Add a van, and the people of `defect_steps`; their database is that of the test."""
    factories.user("driver", Division.FLEET)
    factories.user("k.lee", Division.FLEET)
    factories.vehicle(VANS[0], status="In use")


@pytest.fixture
def driver(driver_id, person):
    """Return a signed-in worker of Fleet."""
    person.sign_in("driver", follow=False)
    return person


@pytest.fixture
def manager(manager_id, app):
    """Return a signed-in manager of Fleet, with a browser of their own."""
    manager = Person(app)
    manager.sign_in("k.lee", follow=False)
    return manager


@pytest.fixture
def call(manager):
    """Return the API client of a manager of Fleet."""
    return Caller(manager)


@pytest.fixture
def driver_call(driver):
    """Return the API client of a worker of Fleet."""
    return Caller(driver)


@pytest.fixture
def today():
    return dates.today()


@pytest.fixture
def fleet(app, vehicle, manager_id):
    """Add three vans; their database is that of the test."""
    for reg in VANS:
        vehicle(reg, classification="Van")
    with app.app_context():
        yield manager_id
