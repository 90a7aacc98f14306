"""Fixtures of photos: their sender."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def call(app, person):
    """Return the API client of a signed-in user of Fleet."""
    with app.app_context():
        factories.user("driver", Division.FLEET)
    person.sign_in("driver", follow=False)
    return Caller(person)
