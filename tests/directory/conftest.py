"""The API client of a user of GPM, and a failure."""

import pytest
from sqlalchemy import text

from app.db import db, transaction
from tests.person import Caller


@pytest.fixture
def call(trader):
    return Caller(trader)


@pytest.fixture
def unreadable_teams(app):
    """Make the teams unreadable by renaming their table."""
    with app.app_context(), transaction():
        db.session.execute(text("ALTER TABLE team RENAME TO team_elsewhere"))
