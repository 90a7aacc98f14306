"""Index of the items below their minimums"""

import sqlalchemy as sa
from alembic import op

revision = "d02b7e4c91fa"
down_revision = "c7e92b40d5f1"
branch_labels = None
depends_on = None

NAME = "ix_item_low"


def upgrade() -> None:
    is_low = sa.text("removed_at IS NULL AND amount < minimum")
    with op.get_context().autocommit_block():
        op.drop_index(NAME, "item", if_exists=True, postgresql_concurrently=True)
        op.create_index(
            NAME,
            "item",
            ["site_id", "name_key"],
            postgresql_concurrently=True,
            postgresql_where=is_low,
            sqlite_where=is_low,
        )
