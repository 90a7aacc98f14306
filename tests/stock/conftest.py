"""A signed-in keeper, and shorthands for the stock of main."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def keeper(app, person):
    with app.app_context():
        factories.user("keeper")
    person.sign_in("keeper", follow=False)
    return person


@pytest.fixture
def trader(app, person):
    """A user of GPM, signed in."""
    with app.app_context():
        factories.user("trader", Division.GPM)
    person.sign_in("trader", follow=False)
    return person


@pytest.fixture
def stock(app):
    def stock(*args, **options):
        with app.app_context():
            return factories.item(*args, **options)

    return stock


@pytest.fixture
def amount(app):
    def amount(*args):
        with app.app_context():
            return factories.amount(*args)

    return amount


@pytest.fixture
def call(app, person):
    with app.app_context():
        factories.user("keeper", Division.GFM, Division.GPM)
    person.sign_in("keeper", follow=False)
    return Caller(person)


@pytest.fixture
def add_history(app):
    def add_history(*lines, division=Division.GFM):
        with app.app_context():
            factories.add_history(*lines, division=division)

    return add_history
