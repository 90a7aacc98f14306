"""Functions that make and read deliveries and stock of GPM."""

from functools import partial

import pytest

from tests import factories
from tests.factories import GPM
from tests.person import Caller


@pytest.fixture
def call(trader):
    return Caller(trader)


@pytest.fixture
def delivery(in_app):
    return partial(in_app, factories.delivery)


@pytest.fixture
def delivered(in_app):
    return partial(in_app, factories.delivered)


@pytest.fixture
def stock(in_app):
    return partial(in_app, factories.item, store=GPM)


@pytest.fixture
def amount(in_app):
    return partial(in_app, factories.amount, store=GPM)
