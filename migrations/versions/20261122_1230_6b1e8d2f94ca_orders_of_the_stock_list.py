"""Indexes that sort a site's stock by amount and by price"""

import sqlalchemy as sa
from alembic import op

revision = "6b1e8d2f94ca"
down_revision = "b17f0c9d4a86"
branch_labels = None
depends_on = None

IS_LIVE = sa.text("removed_at IS NULL")


def upgrade() -> None:
    for column in ("amount", "unit_price"):
        op.create_index(
            f"ix_item_live_{column}",
            "item",
            ["site_id", column, "name_key"],
            sqlite_where=IS_LIVE,
            postgresql_where=IS_LIVE,
        )


def downgrade() -> None:
    for column in ("unit_price", "amount"):
        op.drop_index(f"ix_item_live_{column}", "item")
