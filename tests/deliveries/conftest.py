"""A signed-in user of GPM, and functions that make and read deliveries and stock."""

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


@pytest.fixture
def delivery(app):
    def delivery(*args, **values):
        with app.app_context():
            return factories.delivery(*args, **values)

    return delivery


@pytest.fixture
def delivered(app):
    def delivered(*args, **values):
        with app.app_context():
            return factories.delivered(*args, **values)

    return delivered


@pytest.fixture
def stock(app):
    def stock(name, amount, **values):
        with app.app_context():
            return factories.item(name, amount, store=GPM, **values)

    return stock


@pytest.fixture
def amount(app):
    def amount(name):
        with app.app_context():
            return factories.amount(name, GPM)

    return amount
