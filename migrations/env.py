"""Run migrations with the application's engine; one transaction for all of them."""

from alembic import context
from flask import current_app

from app.db import IMMEDIATE
from app.revisions import is_modelled

database = current_app.extensions["migrate"].db

with database.engine.connect().execution_options(**{IMMEDIATE: True}) as connection:
    context.configure(
        connection=connection,
        target_metadata=database.metadatas[None],
        include_object=is_modelled,
        **current_app.extensions["migrate"].configure_args,
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
