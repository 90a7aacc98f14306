"""Indexes of the items below their minimums, and of removed names"""

import sqlalchemy as sa
from alembic import op

revision = "d02b7e4c91fa"
down_revision = "c7e92b40d5f1"
branch_labels = None
depends_on = None

INDEXES = {
    "ix_item_low": "removed_at IS NULL AND amount < minimum",
    "ix_item_removed_name": "removed_at IS NOT NULL",
}


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for name, condition in INDEXES.items():
            op.drop_index(name, "item", if_exists=True, postgresql_concurrently=True)
            op.create_index(
                name,
                "item",
                ["site_id", "name_key"],
                postgresql_concurrently=True,
                postgresql_where=sa.text(condition),
                sqlite_where=sa.text(condition),
            )
