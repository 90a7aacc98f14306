"""Saved views of lists, and the preferences of accounts"""

import sqlalchemy as sa
from alembic import op

revision = "7d2e94c0f8a1"
down_revision = "f60b1d28c9e7"
branch_labels = None
depends_on = None

DIVISIONS = sa.Enum(
    "gfm", "gpm", "fleet", "assets", name="division", native_enum=False, create_constraint=True
)
KEY = sa.String(240).with_variant(sa.String(240, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "saved_view",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner_id", sa.Integer, sa.ForeignKey("user_account.id"), nullable=False),
        sa.Column("list", sa.String(200), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("name_key", KEY, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("division", DIVISIONS),
        sa.Column("revision", sa.Integer, nullable=False, server_default="1"),
        sa.Column("made_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("owner_id", "list", "name_key"),
    )
    op.create_index("ix_saved_view_division", "saved_view", ["division", "list"])
    op.create_table(
        "view_choice",
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user_account.id"), primary_key=True),
        sa.Column("view_id", sa.Integer, sa.ForeignKey("saved_view.id"), primary_key=True),
        sa.Column("is_default", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("is_starred", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("ix_view_choice_view_id", "view_choice", ["view_id"])
    op.add_column("user_account", sa.Column("preferences", sa.JSON))
    op.add_column(
        "user_account",
        sa.Column("preference_revision", sa.Integer, nullable=False, server_default="0"),
    )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
