"""A clock that a test of accounts moves on."""

from datetime import timedelta

import pytest

from app import dates


@pytest.fixture
def clock(monkeypatch):
    start = dates.utc_now()

    def pass_by(**time):
        monkeypatch.setattr(dates, "utc_now", lambda: start + timedelta(**time))

    return pass_by
