"""Signed-in managers of each division, and records that their dashboards count."""

from collections import Counter

import pytest
from sqlalchemy import text

from app import names
from app.day_counts import change_counts
from app.db import db, transaction
from app.deliveries import queries as deliveries
from app.deliveries import services
from app.deliveries.models import Delivery
from app.deliveries.rules import due_on
from app.divisions import Division, Site
from app.versions import increment_version
from tests import factories
from tests.silent_changes import written_directly


@pytest.fixture
def manager(app, person):
    """Return a function that signs in a manager of some divisions."""

    def sign_in(*divisions):
        with app.app_context():
            factories.user("manager", *divisions)
        person.sign_in("manager", follow=False)
        return person

    return sign_in


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
    person = manager(Division.ASSETS)
    person.submit(person.open("/choose"), division="assets")
    return person


@pytest.fixture
def order(app):
    """Return a function that schedules a delivery for each of some days."""

    def order(*days):
        with app.app_context(), written_directly(), transaction():
            db.session.add_all(
                Delivery(
                    item="Mop",
                    item_key="mop",
                    amount=1,
                    office=Site.MAIN,
                    ordered_on=day,
                    due_on=due_on(day, None),
                    search_key="mop",
                )
                for day in days
            )
            increment_version(services.LIST)
            change_counts(Counter((deliveries.PENDING, day) for day in days))
            change_counts(Counter((deliveries.DUE, due_on(day, None)) for day in days))

    return order


@pytest.fixture
def break_table(app):
    """Return a function that makes a table unreadable."""

    def rename(name):
        assert names.key(name) == name
        with app.app_context(), db.engine.begin() as connection:
            connection.execute(text(f"ALTER TABLE {name} RENAME TO {name}_renamed"))

    return rename


@pytest.fixture
def break_column(app):
    """Return a function that makes a column unreadable."""

    def rename(table, name):
        assert names.key(table + name) == table + name
        with app.app_context(), db.engine.begin() as connection:
            statement = f"ALTER TABLE {table} RENAME COLUMN {name} TO {name}_renamed"
            connection.execute(text(statement))

    return rename
