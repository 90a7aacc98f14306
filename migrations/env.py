"""Run migrations with the application's engine, each in a transaction of its own.

On PostgreSQL a step that waits for a lock makes everybody behind it wait, too: it gives up soon,
and is tried again. `flask db upgrade -x lock_timeout=5s -x attempts=30` is more patient.
"""

import time

from alembic import context
from alembic.util import CommandError
from flask import current_app
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from app.db import IMMEDIATE
from app.revisions import is_modelled

PATIENCE = {"lock_timeout": "2s", "attempts": "10", "pause_seconds": "3"}
_IN_USE = {"55P03", "40P01"}
"""The SQLSTATEs of a lock that wasn't available in time, and of a deadlock."""

database = current_app.extensions["migrate"].db
patience = PATIENCE | context.get_x_argument(as_dictionary=True)


def migrate(connection: Connection) -> None:
    """Run the migrations that are due; those that were committed before are not run again."""
    context.configure(
        connection=connection,
        target_metadata=database.metadatas[None],
        include_object=is_modelled,
        transaction_per_migration=True,
        **current_app.extensions["migrate"].configure_args,
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()


def migrate_patiently(connection: Connection) -> None:
    """Run the migrations on PostgreSQL: short waits for locks, all the time for the rest."""
    lock_timeout, attempts = patience["lock_timeout"], int(patience["attempts"])
    set_timeouts = text(
        "SELECT set_config('lock_timeout', :lock, false), "
        "set_config('statement_timeout', '0', false), "
        "set_config('idle_in_transaction_session_timeout', '0', false)"
    )
    connection.execute(set_timeouts, {"lock": lock_timeout})
    connection.commit()
    for attempt in range(1, attempts + 1):
        try:
            migrate(connection)
        except OperationalError as error:
            connection.rollback()
            if getattr(error.orig, "sqlstate", None) not in _IN_USE:
                raise
            if attempt == attempts:
                raise CommandError(
                    f"A table was in use {attempts} times for {lock_timeout}, so this migration "
                    "isn't done; those before it are. Look in pg_stat_activity for a transaction "
                    "that stays open, and run flask db upgrade again."
                ) from None
            time.sleep(float(patience["pause_seconds"]))
        else:
            return


with database.engine.connect().execution_options(**{IMMEDIATE: True}) as open_connection:
    if open_connection.dialect.name == "postgresql":
        try:
            migrate_patiently(open_connection)
        finally:
            # Nobody else gets a connection with these limits.
            open_connection.invalidate()
    else:
        migrate(open_connection)
