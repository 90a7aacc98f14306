"""Name the ledger's values of imported history as such"""

from alembic import op

revision = "d7e3a1c59b46"
down_revision = "b0c83f5d12e9"
branch_labels = None
depends_on = None

# Alembic renames a column of SQLite by copying its table, which would drop the ledger's guards.
RENAME = "ALTER TABLE ledger_entry RENAME COLUMN shown_{value} TO imported_{value}"


def upgrade() -> None:
    for value in ("amount", "total", "site"):
        op.execute(RENAME.format(value=value))


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
