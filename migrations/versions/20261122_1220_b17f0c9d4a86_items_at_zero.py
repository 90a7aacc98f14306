"""An index of the items of which a site has none"""

import sqlalchemy as sa
from alembic import op

revision = "b17f0c9d4a86"
down_revision = "3e90b7f5c1d4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    at_zero = sa.text("removed_at IS NULL AND amount = 0")
    op.create_index(
        "ix_item_at_zero",
        "item",
        ["site_id", "name_key"],
        sqlite_where=at_zero,
        postgresql_where=at_zero,
    )


def downgrade() -> None:
    op.drop_index("ix_item_at_zero", "item")
