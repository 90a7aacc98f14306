"""Fixtures of the fleet: signed-in people, calls and rows."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def driver(signed_in):
    """Return a signed-in user of Fleet."""
    return signed_in("driver", Division.FLEET)


@pytest.fixture
def reviewer(in_app, signed_in):
    """Return a signed-in user of Fleet, where another one submits checks."""
    in_app(factories.user, "driver", Division.FLEET)
    return signed_in("reviewer", Division.FLEET)


@pytest.fixture
def call(driver):
    """Return the API client of a signed-in user of Fleet."""
    return Caller(driver)


@pytest.fixture
def two_vehicles(driver, vehicle):
    """Add two vehicles to the list."""
    vehicle("LK19 VTE")
    vehicle("YD21 HMO")


@pytest.fixture
def checks(driver):
    """Return a function that returns all checks, the newest first."""
    return lambda: driver.client.get("/api/fleet/checks").json
