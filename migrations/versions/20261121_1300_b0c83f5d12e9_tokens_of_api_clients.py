"""Tokens of API clients: a login session that is renewed by refresh tokens"""

import sqlalchemy as sa
from alembic import op

revision = "b0c83f5d12e9"
down_revision = "a91d4c6e70b5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("is_api", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("generation", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("rotated_at", sa.DateTime()),
    ):
        op.add_column("login_session", column)


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
