"""The audit trail, which is only ever added to, and the failed sign-ins that wait for it"""

import sqlalchemy as sa
from alembic import op

revision = "2e9b7c04d1f6"
down_revision = "6b1e8d2f94ca"
branch_labels = None
depends_on = None

REFUSAL = "the audit trail is never changed"

SQLITE_GUARDS = (
    *(
        f"""
        CREATE TRIGGER audit_entry_no_{verb} BEFORE {verb} ON audit_entry
        BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END
        """
        for verb in ("update", "delete")
    ),
    # INSERT OR REPLACE deletes the old row without firing its delete trigger.
    f"""
    CREATE TRIGGER audit_entry_no_replace BEFORE INSERT ON audit_entry
    WHEN EXISTS (SELECT 1 FROM audit_entry WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END
    """,
)

POSTGRESQL_GUARDS = (
    f"""
    CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '{REFUSAL}';
    END $$
    """,
    """
    CREATE TRIGGER audit_entry_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()
    """,
)


def upgrade() -> None:
    # No foreign keys: checking one waits for whoever locks the account, and an entry is written
    # while all others wait for its own lock.
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("event", sa.String(40), nullable=False),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("user_id", sa.Integer()),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("previous_hash", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_entry"),
        sa.CheckConstraint(
            "channel IN ('screen', 'api', 'terminal')", name="ck_audit_entry_channel"
        ),
    )
    op.create_table(
        "audit_failure",
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_audit_failure"),
    )
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for guard in SQLITE_GUARDS if is_sqlite else POSTGRESQL_GUARDS:
        op.execute(guard)


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
