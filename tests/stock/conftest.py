"""A signed-in keeper, and shorthands for the stock of main."""

from functools import partial

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def keeper(signed_in):
    return signed_in("keeper")


@pytest.fixture
def stock(in_app):
    return partial(in_app, factories.item)


@pytest.fixture
def stocks(in_app):
    return partial(in_app, factories.items)


@pytest.fixture
def move(in_app):
    return partial(in_app, factories.move)


@pytest.fixture
def amount(in_app):
    return partial(in_app, factories.amount)


@pytest.fixture
def add_history(in_app):
    return partial(in_app, factories.add_history)


@pytest.fixture
def call(in_app, person):
    in_app(factories.user, "keeper", Division.GFM, Division.GPM)
    person.sign_in("keeper", follow=False)
    return Caller(person)


@pytest.fixture
def flask(app):
    """Return a function that runs a command and returns its exit code and output."""

    def run(*arguments):
        result = app.test_cli_runner().invoke(args=list(arguments))
        return result.exit_code, result.output

    return run
