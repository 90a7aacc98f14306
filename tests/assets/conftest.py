"""Somebody of Assets at work, and shorthands for the register."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def registrar(app, person):
    """Somebody of Assets, signed in."""
    with app.app_context():
        factories.user("registrar", Division.ASSETS)
    person.sign_in("registrar")
    return person


@pytest.fixture
def call(registrar):
    """A script of somebody of Assets."""
    return Caller(registrar)


@pytest.fixture
def asset(app):
    def asset(*args, **values):
        with app.app_context():
            return factories.asset(*args, **values)

    return asset
