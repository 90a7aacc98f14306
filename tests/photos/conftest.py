"""Fixtures of photos: their sender."""

import pytest

from app.divisions import Division
from tests.person import Caller


@pytest.fixture
def call(signed_in):
    """Return the API client of a signed-in user of Fleet."""
    return Caller(signed_in("driver", Division.FLEET))
