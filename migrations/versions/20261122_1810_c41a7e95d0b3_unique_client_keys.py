"""Let a client's key make one thing only"""

import sqlalchemy as sa
from alembic import op

revision = "c41a7e95d0b3"
down_revision = "9d2f6b8c1e47"
branch_labels = None
depends_on = None

USERS = {
    "stock_operation": "user_id",
    "vehicle_check": "submitted_by",
    "asset_move": "user_id",
}


def upgrade() -> None:
    is_kept = sa.text("client_key IS NOT NULL")
    with op.get_context().autocommit_block():
        for table, user in USERS.items():
            name = f"uq_{table}_client_key"
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            op.create_index(
                name,
                table,
                [user, "client_key"],
                unique=True,
                sqlite_where=is_kept,
                postgresql_where=is_kept,
                postgresql_concurrently=True,
            )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
