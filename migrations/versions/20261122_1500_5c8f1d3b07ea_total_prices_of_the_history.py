"""Columns for the total prices of the history's rows, beside their numbers and units"""

import sqlalchemy as sa
from alembic import op

revision = "5c8f1d3b07ea"
down_revision = "2e9b7c04d1f6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("value_high", "value_low"):
        op.add_column(
            "ledger_summary", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0")
        )


def downgrade() -> None:
    for name in ("value_high", "value_low"):
        op.drop_column("ledger_summary", name)
