"""Fixtures of the fleet: signed-in people, calls and rows."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def driver(app, person):
    """Return a signed-in user of Fleet."""
    with app.app_context():
        factories.user("driver", Division.FLEET)
    person.sign_in("driver", follow=False)
    return person


@pytest.fixture
def call(driver):
    """Return the API client of a signed-in user of Fleet."""
    return Caller(driver)
