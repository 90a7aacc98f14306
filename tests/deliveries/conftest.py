"""A signed-in user of GPM, and functions that make and read deliveries and stock."""

from functools import partial

import pytest

from app.divisions import Division
from tests import factories
from tests.factories import GPM
from tests.person import Caller


@pytest.fixture
def trader(app, person):
    with app.app_context():
        factories.user("trader", Division.GPM)
    person.sign_in("trader", follow=False)
    return person


@pytest.fixture
def call(trader):
    return Caller(trader)


def within(app, make):
    """Return a function that makes or reads something in the application's context."""

    def call(*args, **values):
        with app.app_context():
            return make(*args, **values)

    return call


@pytest.fixture
def delivery(app):
    return within(app, factories.delivery)


@pytest.fixture
def delivered(app):
    return within(app, factories.delivered)


@pytest.fixture
def stock(app):
    return within(app, partial(factories.item, store=GPM))


@pytest.fixture
def amount(app):
    return within(app, partial(factories.amount, store=GPM))
