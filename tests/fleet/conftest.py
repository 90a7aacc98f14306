"""People of the fleet at work, and shorthands for its rows."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def driver(app, person):
    """Somebody of Fleet, signed in."""
    with app.app_context():
        factories.user("driver", Division.FLEET)
    person.sign_in("driver", follow=False)
    return person


@pytest.fixture
def call(driver):
    """A script of somebody of Fleet."""
    return Caller(driver)


@pytest.fixture
def vehicle(app):
    def vehicle(*args, **options):
        with app.app_context():
            return factories.vehicle(*args, **options)

    return vehicle
