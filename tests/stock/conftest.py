"""A keeper at work, and shorthands for the stock of main."""

import pytest

from tests import factories


@pytest.fixture
def keeper(app, person):
    with app.app_context():
        factories.user("keeper")
    person.sign_in("keeper")
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
