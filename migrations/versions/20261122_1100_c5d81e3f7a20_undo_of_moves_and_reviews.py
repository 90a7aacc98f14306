"""Moves and reviews that are undone: what a move undoes, what was moved together, past reviews"""

import sqlalchemy as sa
from alembic import op

revision = "c5d81e3f7a20"
down_revision = "f4b92c6a17d3"
branch_labels = None
depends_on = None

# Batch mode would drop the triggers of the search, and SQLite takes a named reference only so.
SQLITE_REFERENCE = """
    ALTER TABLE asset_move ADD COLUMN {column} INTEGER
    CONSTRAINT fk_asset_move_{column}_asset_move REFERENCES asset_move (id)
"""


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for column in ("first_id", "undoes_id"):
        if is_sqlite:
            op.execute(SQLITE_REFERENCE.format(column=column))
        else:
            op.add_column("asset_move", sa.Column(column, sa.Integer()))
            name = f"fk_asset_move_{column}_asset_move"
            op.create_foreign_key(name, "asset_move", "asset_move", [column], ["id"])
    op.create_index("ix_asset_move_first_id", "asset_move", ["first_id"])
    op.create_index("uq_asset_move_undoes_id", "asset_move", ["undoes_id"], unique=True)
    op.add_column("vehicle_check", sa.Column("undone_reviews", sa.JSON()))


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
