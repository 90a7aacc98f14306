"""Indexes of the entries of stock checks, by item and by site"""

import sqlalchemy as sa
from alembic import op

revision = "f19a6c3e8b72"
down_revision = "b9f98139fdb7"
branch_labels = None
depends_on = None

INDEXES = {
    f"ix_ledger_entry_{column}_effective_at": [column, "effective_at"]
    for column in ("item_id", "site_id")
}


def upgrade() -> None:
    is_count = sa.text("kind = 'count'")
    with op.get_context().autocommit_block():
        for name, columns in INDEXES.items():
            op.drop_index(name, "ledger_entry", if_exists=True, postgresql_concurrently=True)
            op.create_index(
                name,
                "ledger_entry",
                columns,
                sqlite_where=is_count,
                postgresql_where=is_count,
                postgresql_concurrently=True,
            )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
