"""Keep the digest of what was sent under a client's key"""

import sqlalchemy as sa
from alembic import op

revision = "7e2c90b4f15d"
down_revision = "c41a7e95d0b3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("stock_operation", "vehicle_check", "asset_move"):
        op.add_column(table, sa.Column("client_digest", sa.String(64)))


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
