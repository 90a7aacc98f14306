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


def in_context(app, function):
    """Return a function that calls another one in the context of the application."""

    def call(*args, **options):
        with app.app_context():
            return function(*args, **options)

    return call


@pytest.fixture
def stock(app):
    return in_context(app, factories.item)


@pytest.fixture
def stocks(app):
    return in_context(app, factories.items)


@pytest.fixture
def move(app):
    return in_context(app, factories.move)


@pytest.fixture
def amount(app):
    return in_context(app, factories.amount)


@pytest.fixture
def add_history(app):
    return in_context(app, factories.add_history)


@pytest.fixture
def call(app, person):
    with app.app_context():
        factories.user("keeper", Division.GFM, Division.GPM)
    person.sign_in("keeper", follow=False)
    return Caller(person)


@pytest.fixture
def flask(app):
    """Return a function that runs a command and returns its exit code and output."""

    def run(*arguments):
        result = app.test_cli_runner().invoke(args=list(arguments))
        return result.exit_code, result.output

    return run
