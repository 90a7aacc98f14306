"""Undo, imported history, the flag that hides counts, and an index for words within names"""

import sqlalchemy as sa
from alembic import op

revision = "8b3d52c9e014"
down_revision = "4f1c0a7be2d9"
branch_labels = None
depends_on = None

# Batch mode would drop the ledger's guards, and SQLite takes a named reference only like this.
SQLITE_UNDO = """
    ALTER TABLE stock_operation ADD COLUMN undoes_id INTEGER
    CONSTRAINT fk_stock_operation_undoes_id_stock_operation REFERENCES stock_operation (id)
"""

# INSERT OR REPLACE deletes a row that undoes the same operation without firing its delete trigger.
SQLITE_GUARD = (
    "DROP TRIGGER stock_operation_no_replace",
    """
    CREATE TRIGGER stock_operation_no_replace BEFORE INSERT ON stock_operation
    WHEN EXISTS (
        SELECT 1 FROM stock_operation WHERE id = NEW.id OR undoes_id = NEW.undoes_id
    )
    BEGIN SELECT RAISE(ABORT, 'the ledger is never changed: add a compensating operation'); END
    """,
)

SQLITE_SEARCH = (
    """
    CREATE VIRTUAL TABLE item_search USING fts5(
        name_key, content='item', content_rowid='id', tokenize='trigram case_sensitive 1'
    )
    """,
    "INSERT INTO item_search (rowid, name_key) SELECT id, name_key FROM item",
    """
    CREATE TRIGGER item_search_add AFTER INSERT ON item
    BEGIN INSERT INTO item_search (rowid, name_key) VALUES (NEW.id, NEW.name_key); END
    """,
    """
    CREATE TRIGGER item_search_rename AFTER UPDATE OF name_key ON item
    WHEN OLD.name_key IS NOT NEW.name_key
    BEGIN
        INSERT INTO item_search (item_search, rowid, name_key)
        VALUES ('delete', OLD.id, OLD.name_key);
        INSERT INTO item_search (rowid, name_key) VALUES (NEW.id, NEW.name_key);
    END
    """,
    """
    CREATE TRIGGER item_search_remove AFTER DELETE ON item
    BEGIN
        INSERT INTO item_search (item_search, rowid, name_key)
        VALUES ('delete', OLD.id, OLD.name_key);
    END
    """,
)

POSTGRESQL_SEARCH = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX ix_item_name_key_trigram ON item USING gin (name_key gin_trgm_ops)",
)


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    op.add_column(
        "stock_site",
        sa.Column("hides_count", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    if is_sqlite:
        for statement in (SQLITE_UNDO, *SQLITE_GUARD):
            op.execute(statement)
    else:
        op.add_column("stock_operation", sa.Column("undoes_id", sa.Integer()))
        op.create_foreign_key(
            "fk_stock_operation_undoes_id_stock_operation",
            "stock_operation",
            "stock_operation",
            ["undoes_id"],
            ["id"],
        )
    op.create_index("uq_stock_operation_undoes_id", "stock_operation", ["undoes_id"], unique=True)
    op.add_column("ledger_entry", sa.Column("changes", sa.JSON()))
    op.add_column("ledger_entry", sa.Column("shown_amount", sa.Integer()))
    op.add_column("ledger_entry", sa.Column("shown_total", sa.BigInteger()))
    op.add_column("ledger_entry", sa.Column("shown_site", sa.String(10)))
    op.create_index("ix_ledger_entry_effective_at_id", "ledger_entry", ["effective_at", "id"])
    op.create_index("ix_ledger_entry_site_id_team", "ledger_entry", ["site_id", "team"])
    for statement in SQLITE_SEARCH if is_sqlite else POSTGRESQL_SEARCH:
        op.execute(statement)


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
