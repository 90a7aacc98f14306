"""A user of Assets, a client and assets of the register."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def steward(app, person):
    """A user of Assets, signed in, who has chosen the division."""
    with app.app_context():
        factories.user("steward", Division.ASSETS)
    person.sign_in("steward", follow=False, division=Division.ASSETS)
    return person


@pytest.fixture
def call(steward):
    """A client of a user of Assets."""
    return Caller(steward)


@pytest.fixture
def asset(app):
    def asset(*args, **values):
        with app.app_context():
            return factories.asset(*args, **values)

    return asset


@pytest.fixture
def assets(app):
    def assets(states):
        with app.app_context():
            factories.assets(states)

    return assets
