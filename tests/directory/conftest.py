"""A signed-in user of GPM."""

import pytest
from sqlalchemy import text

from app.db import db, transaction
from app.divisions import Division
from tests import factories
from tests.person import Caller


@pytest.fixture
def trader(app, person):
    with app.app_context():
        factories.user("trader", Division.GPM)
    person.sign_in("trader", follow=False)
    return person


@pytest.fixture
def call(trader):
    return Caller(trader)


@pytest.fixture
def create(app):
    """Return a function that creates a record: `create(factories.team, "Kitchen")`."""

    def create(make, *args, **options):
        with app.app_context():
            return make(*args, **options)

    return create


@pytest.fixture
def unreadable_teams(app):
    """Make the teams unreadable by renaming their table."""
    with app.app_context(), transaction():
        db.session.execute(text("ALTER TABLE team RENAME TO team_elsewhere"))
