"""Fixtures of bookings: vans, and the people who book them."""

from functools import partial
from types import SimpleNamespace

import pytest

from app import dates
from app.divisions import Division
from tests.bookings.steps import NOW, add_vans, book, booking, checked, do
from tests.person import Person


@pytest.fixture
def vans(app, context):
    """Add three vans, a worker (1) and a manager (2); their database is that of the test."""
    add_vans()


@pytest.fixture
def yard(in_app):
    """Add three vans, a worker and a manager of Fleet; return the steps that tests take."""
    in_app(add_vans)
    steps = {each.__name__: partial(in_app, each) for each in (book, booking, checked, do)}
    with dates.as_of(NOW):
        yield SimpleNamespace(**steps)


@pytest.fixture
def sign_in(app, yard):
    """Return a function that signs somebody in."""

    def sign_in(username, division=Division.FLEET):
        person = Person(app)
        person.sign_in(username, follow=False, division=division)
        return person

    return sign_in


@pytest.fixture
def lee(sign_in):
    """Return the signed-in worker."""
    return sign_in("k.lee")


@pytest.fixture
def marsh(sign_in):
    """Return the signed-in manager."""
    return sign_in("j.marsh")
