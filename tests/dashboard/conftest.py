"""Signed-in managers of each division, and records that their dashboards count."""

from functools import partial

import pytest
from sqlalchemy import text

from app import names
from app.db import db
from app.divisions import Division
from tests import factories


@pytest.fixture
def manager(signed_in):
    """Return a function that signs in a manager of some divisions."""
    return partial(signed_in, "manager")


@pytest.fixture
def gfm(manager):
    return manager(Division.GFM)


@pytest.fixture
def gpm(manager):
    return manager(Division.GPM)


@pytest.fixture
def fleet(manager):
    return manager(Division.FLEET)


@pytest.fixture
def assets(manager):
    return manager(Division.ASSETS, division=Division.ASSETS)


@pytest.fixture
def order(in_app):
    """Return a function that schedules a delivery for each of some days."""

    def order(*days):
        for day in days:
            in_app(factories.delivery, "Mop", ordered_on=day)

    return order


@pytest.fixture
def break_table(app):
    """Return a function that makes a table unreadable, or one of its columns."""

    def rename(table, column=""):
        assert names.key(table + column) == table + column
        renamed = f"COLUMN {column} TO {column}_renamed" if column else f"TO {table}_renamed"
        with app.app_context(), db.engine.begin() as connection:
            connection.execute(text(f"ALTER TABLE {table} RENAME {renamed}"))

    return rename
