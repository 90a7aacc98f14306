"""Fixtures of bookings: vans, and the people who book them."""

import pytest

from tests.bookings.steps import add_vans


@pytest.fixture
def vans(app, context):
    """Add three vans, a worker (1) and a manager (2); their database is that of the test."""
    add_vans()
