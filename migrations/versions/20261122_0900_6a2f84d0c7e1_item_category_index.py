"""Read a store's categories, and the items of one, in the order of an index"""

import sqlalchemy as sa
from alembic import op

revision = "6a2f84d0c7e1"
down_revision = "d7e3a1c59b46"
branch_labels = None
depends_on = None

IS_LIVE = sa.text("removed_at IS NULL")


def upgrade() -> None:
    op.create_index(
        "ix_item_live_category",
        "item",
        ["site_id", "category", "name_key"],
        sqlite_where=IS_LIVE,
        postgresql_where=IS_LIVE,
    )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
