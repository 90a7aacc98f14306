"""Somebody of Assets, and what they have in the register."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def steward(app, person):
    """Somebody of Assets, signed in, who has chosen it: signing in chooses the others alone."""
    with app.app_context():
        factories.user("steward", Division.ASSETS)
    person.submit(person.sign_in("steward"), division=Division.ASSETS)
    return person


@pytest.fixture
def call(steward):
    """A script of somebody of Assets."""
    return Caller(steward)


@pytest.fixture
def asset(app):
    def asset(*args, **values):
        with app.app_context():
            return factories.asset(*args, **values)

    return asset


@pytest.fixture
def assets(app):
    def assets(wanted):
        with app.app_context():
            factories.assets(wanted)

    return assets
