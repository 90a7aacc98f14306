"""Movements of one item by day, and of one user, each read by an index"""

import sqlalchemy as sa
from alembic import op

revision = "3e90b7f5c1d4"
down_revision = "e82c6d49b1f7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_stock_operation_user_id_id", "stock_operation", ["user_id", "id"])
    own = sa.text("imported_amount IS NULL")
    op.create_index(
        "ix_ledger_entry_item_id_effective_at_id",
        "ledger_entry",
        ["item_id", "effective_at", "id"],
        sqlite_where=own,
        postgresql_where=own,
    )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
