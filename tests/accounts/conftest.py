"""A clock that tests of accounts can advance."""

from datetime import timedelta

import pytest

from app import dates


@pytest.fixture
def clock(monkeypatch):
    start = dates.utc_now()

    def advance(**time):
        monkeypatch.setattr(dates, "utc_now", lambda: start + timedelta(**time))

    return advance
