"""Fixtures of bookings: vans, and the people who book them."""

import pytest

from app.divisions import Division, Role
from tests import factories
from tests.bookings.steps import VANS


@pytest.fixture
def vans(app, context):
    """Add three vans, a worker (1) and a manager (2); their database is that of the test."""
    factories.user("k.lee", Division.FLEET, roles=(Role.WORKER,))
    factories.user("j.marsh", Division.FLEET)
    for reg in VANS:
        factories.vehicle(reg, classification="Van")
