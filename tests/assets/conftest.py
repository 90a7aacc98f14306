"""A user of Assets, a client and assets of the register."""

from functools import partial

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def steward(signed_in):
    """A user of Assets, signed in, who has chosen the division."""
    return signed_in("steward", Division.ASSETS, division=Division.ASSETS)


@pytest.fixture
def call(steward):
    """A client of a user of Assets."""
    return Caller(steward)


@pytest.fixture
def asset(in_app):
    return partial(in_app, factories.asset)


@pytest.fixture
def assets(in_app):
    return partial(in_app, factories.assets)
