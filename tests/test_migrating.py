"""`flask db upgrade`: each migration whole or not at all, and no long waits for locks."""

import shutil
from contextlib import closing

import pytest
from flask_migrate import upgrade
from sqlalchemy import inspect, text

from app.db import db
from app.revisions import MIGRATIONS, all_revisions, current_revision

pytestmark = pytest.mark.differs_by_engine

IMPATIENT = ["lock_timeout=50ms", "attempts=2", "pause_seconds=0"]
ADD_COLOUR = 'op.add_column("team", sa.Column("colour", sa.String(20)))'
ADD_MOTTO = 'op.add_column("team", sa.Column("motto", sa.String(20)))'
INDEX_COLOUR = """
    if op.get_bind().dialect.name == "sqlite":
        op.create_index("ix_team_colour", "team", ["colour"])
        return
    with op.get_context().autocommit_block():
        op.drop_index("ix_team_colour", "team", if_exists=True, postgresql_concurrently=True)
        op.create_index("ix_team_colour", "team", ["colour"], postgresql_concurrently=True)
"""


@pytest.fixture
def upgrade_by(app, tmp_path):
    """A function that upgrades the tables by further migrations of these steps."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)

    def run(*steps, patience=()):
        previous = all_revisions()[-1]
        for number, step in enumerate(steps):
            (folder / "versions" / f"further_{number}.py").write_text(
                "import sqlalchemy as sa\nfrom alembic import op\n"
                f'revision, down_revision = "further{number}", "{previous}"\n'
                f"def upgrade():\n    {step.strip()}\n"
            )
            previous = f"further{number}"
        with app.app_context():
            upgrade(directory=str(folder), x_arg=list(patience))

    return run


def tables_of(app):
    """Return the revision, and the names of the columns and indexes of teams."""
    with app.app_context(), db.engine.connect() as connection:
        inspector = inspect(connection)
        columns = {column["name"] for column in inspector.get_columns("team")}
        indexes = {index["name"] for index in inspector.get_indexes("team")}
        return current_revision(connection), columns, indexes


def test_a_migration_that_fails_leaves_nothing_of_itself_and_those_before_it(app, upgrade_by):
    failing = f'{ADD_MOTTO}\n    op.execute("SELECT nothing FROM nowhere")'
    with pytest.raises(Exception, match="nowhere"):
        upgrade_by(ADD_COLOUR, failing)
    revision, columns, _ = tables_of(app)
    assert revision == "further0"
    assert "colour" in columns
    assert "motto" not in columns
    upgrade_by(ADD_COLOUR, ADD_MOTTO)
    revision, columns, _ = tables_of(app)
    assert revision == "further1"
    assert "motto" in columns


def test_an_index_is_built_outside_a_transaction_where_that_spares_the_writers(app, upgrade_by):
    upgrade_by(ADD_COLOUR, INDEX_COLOUR, ADD_MOTTO)
    revision, columns, indexes = tables_of(app)
    assert revision == "further2"
    assert "motto" in columns
    assert "ix_team_colour" in indexes


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_table_in_use_is_given_up_soon_and_upgraded_later(app, upgrade_by, caplog):
    with app.app_context(), closing(db.engine.connect()) as reader:
        reader.execute(text("SELECT * FROM team"))
        with pytest.raises(SystemExit):
            upgrade_by(ADD_COLOUR, patience=IMPATIENT)
    assert "A table was in use 2 times for 50ms" in caplog.text
    assert "run flask db upgrade again" in caplog.text
    assert tables_of(app)[0] == all_revisions()[-1]
    upgrade_by(ADD_COLOUR, patience=IMPATIENT)
    assert tables_of(app)[0] == "further0"


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_the_time_limits_of_migrations_are_theirs_alone(app, upgrade_by):
    upgrade_by(ADD_COLOUR, patience=IMPATIENT)
    with app.app_context(), db.engine.connect() as connection:
        assert connection.execute(text("SHOW lock_timeout")).scalar() == "15s"
        assert connection.execute(text("SHOW statement_timeout")).scalar() == "1min"
