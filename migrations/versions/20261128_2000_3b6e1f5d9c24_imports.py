"""Imports of lists: files on their way, what was imported, and kept columns"""

import sqlalchemy as sa
from alembic import op

revision = "3b6e1f5d9c24"
down_revision = "7d2e94c0f8a1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "import_draft",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user_account.id"), nullable=False),
        sa.Column("list_key", sa.String(40), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("mends", sa.JSON, nullable=False),
        sa.Column("file", sa.LargeBinary, nullable=False),
        sa.Column("sheet", sa.LargeBinary, nullable=False),
        sa.Column("look", sa.LargeBinary),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("made_at", sa.DateTime, nullable=False),
    )
    op.create_index("ix_import_draft_user_id", "import_draft", ["user_id"])
    op.create_index("ix_import_draft_made_at", "import_draft", ["made_at"])
    op.create_table(
        "list_import",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("list_key", sa.String(40), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("counts", sa.JSON, nullable=False),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user_account.id"), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("undone_by", sa.Integer, sa.ForeignKey("user_account.id")),
        sa.Column("undone_at", sa.DateTime),
    )
    op.create_index("ix_list_import_list_key_id", "list_import", ["list_key", "id"])
    op.create_index("ix_list_import_at", "list_import", ["at"])
    op.create_table(
        "list_import_row",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("import_id", sa.Integer, sa.ForeignKey("list_import.id"), nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("before", sa.JSON),
        sa.Column("after", sa.JSON, nullable=False),
    )
    op.create_index("ix_list_import_row_import_id", "list_import_row", ["import_id"])
    op.create_table(
        "import_mapping",
        sa.Column("list_key", sa.String(40), primary_key=True),
        sa.Column("header", sa.String(64), primary_key=True),
        sa.Column("columns", sa.JSON, nullable=False),
    )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
