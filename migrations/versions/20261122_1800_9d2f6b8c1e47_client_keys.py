"""Keep clients' keys with what they made, and when it was made"""

import sqlalchemy as sa
from alembic import op

revision = "9d2f6b8c1e47"
down_revision = "a4d90c6e2f18"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("stock_operation", "vehicle_check", "asset_move"):
        op.add_column(table, sa.Column("client_key", sa.String(64)))
    for table in ("stock_operation", "vehicle_check"):
        op.add_column(table, sa.Column("made_at", sa.DateTime()))


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
