"""The roles of users by division, and tokens that only read"""

import sqlalchemy as sa
from alembic import op

revision = "9d41e7c35b08"
down_revision = "7e2c90b4f15d"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "role_grant",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("division", sa.String(6), nullable=False),
        sa.Column("role", sa.String(7), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "division", "role", name="pk_role_grant"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_role_grant_user_id_user_account"
        ),
        sa.CheckConstraint(
            "division IN ('gfm', 'gpm', 'fleet', 'assets')", name="ck_role_grant_division"
        ),
        sa.CheckConstraint("role IN ('viewer', 'worker', 'manager')", name="ck_role_grant_role"),
    )
    op.add_column(
        "login_session",
        sa.Column("is_read_only", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("login_session", "is_read_only")
    op.drop_table("role_grant")
