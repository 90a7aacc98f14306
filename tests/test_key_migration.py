"""The migration that adds the digests of client keys where a database has none."""

from sqlalchemy import inspect, text

from app.db import db
from tests.migration_steps import fill_again

DIGESTS_OF_CLIENT_KEYS = "7e2c90b4f15d"


def test_a_database_that_was_made_without_the_digests_gets_their_column(app):
    tables = ("stock_operation", "vehicle_check", "asset_move")
    with app.app_context():
        db.session.remove()
        with db.engine.begin() as connection:
            for table in tables:
                connection.execute(text(f"ALTER TABLE {table} DROP COLUMN client_digest"))
        for _ in range(2):
            fill_again(db.engine, DIGESTS_OF_CLIENT_KEYS)
        for table in tables:
            columns = {each["name"] for each in inspect(db.engine).get_columns(table)}
            assert "client_digest" in columns, table
