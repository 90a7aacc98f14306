"""Keep the digest of what was sent under a client's key, where the column is missing"""

import sqlalchemy as sa
from alembic import op

revision = "7e2c90b4f15d"
down_revision = "4f7d0a92c6b3"
branch_labels = None
depends_on = None

TABLES = ("stock_operation", "vehicle_check", "asset_move")


def upgrade() -> None:
    # 9d2f6b8c1e47 adds the column too, but once was released without it.
    for table in TABLES:
        digest = sa.Column("client_digest", sa.String(64))
        if op.get_context().dialect.name == "postgresql":
            op.add_column(table, digest, if_not_exists=True)
        elif not _has(table, digest.name):
            op.add_column(table, digest)


def downgrade() -> None:
    """Leave the columns: 9d2f6b8c1e47 has them too."""


def _has(table: str, column: str) -> bool:
    return column in {each["name"] for each in sa.inspect(op.get_bind()).get_columns(table)}
