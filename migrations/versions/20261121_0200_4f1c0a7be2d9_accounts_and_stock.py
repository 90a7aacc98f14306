"""Accounts, login sessions, exactly-once keys, stock and its guarded ledger"""

import sqlalchemy as sa
from alembic import op

revision = "4f1c0a7be2d9"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.String(200).with_variant(sa.String(200, collation="C"), "postgresql")
NAME_KEY = sa.String(800).with_variant(sa.String(800, collation="C"), "postgresql")

SITES = (("gfm", "main"), ("gfm", "guildford"), ("gfm", "northern"), ("gpm", "main"))

SQLITE_GUARDS = tuple(
    f"""
    CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table}
    BEGIN SELECT RAISE(ABORT, 'the ledger is never changed: add a compensating operation'); END
    """
    for table in ("ledger_entry", "stock_operation")
    for verb in ("update", "delete")
) + tuple(
    # INSERT OR REPLACE deletes the old row without firing its delete trigger.
    f"""
    CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
    WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})
    BEGIN SELECT RAISE(ABORT, 'the ledger is never changed: add a compensating operation'); END
    """
    for table, same in (
        ("ledger_entry", "id = NEW.id OR (operation_id = NEW.operation_id AND line = NEW.line)"),
        ("stock_operation", "id = NEW.id"),
    )
)

POSTGRESQL_GUARDS = (
    """
    CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the ledger is never changed: add a compensating operation';
    END $$
    """,
    *(
        f"""
        CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()
        """
        for table in ("ledger_entry", "stock_operation")
    ),
)


def upgrade() -> None:
    create_accounts()
    create_stock()
    dialect = op.get_bind().dialect.name
    for guard in SQLITE_GUARDS if dialect == "sqlite" else POSTGRESQL_GUARDS:
        op.execute(guard)


def create_accounts() -> None:
    op.create_table(
        "user_account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("username", sa.String(64), nullable=False),
        sa.Column("username_key", KEY, nullable=False),
        sa.Column("password_hash", sa.String(200), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("disabled_at", sa.DateTime()),
        sa.PrimaryKeyConstraint("id", name="pk_user_account"),
        sa.UniqueConstraint("username_key", name="uq_user_account_username_key"),
    )
    op.create_table(
        "access_grant",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("value", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "kind", "value", name="pk_access_grant"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_access_grant_user_id_user_account"
        ),
        sa.CheckConstraint("kind IN ('permission', 'scope')", name="ck_access_grant_kind"),
    )
    op.create_table(
        "login_session",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("renewed_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.Column("revoked_at", sa.DateTime()),
        sa.Column("chosen_division", sa.String(6)),
        sa.PrimaryKeyConstraint("id", name="pk_login_session"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_login_session_user_id_user_account"
        ),
        sa.CheckConstraint(
            "chosen_division IN ('gfm', 'gpm', 'fleet', 'assets')",
            name="ck_login_session_chosen_division",
        ),
    )
    op.create_index("ix_login_session_user_id", "login_session", ["user_id"])
    op.create_index("ix_login_session_expires_at", "login_session", ["expires_at"])
    op.create_table(
        "sign_in_failure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account", KEY, nullable=False),
        sa.Column("address", sa.String(50), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sign_in_failure"),
    )
    for column in ("account", "address", "at"):
        op.create_index(f"ix_sign_in_failure_{column}", "sign_in_failure", [column])
    op.create_table(
        "idempotency_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("call", sa.String(300), nullable=False),
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("result", sa.JSON()),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_idempotency_key"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_idempotency_key_user_id_user_account"
        ),
        sa.UniqueConstraint("user_id", "call", "key", name="uq_idempotency_key_user_id_call_key"),
    )
    op.create_index("ix_idempotency_key_created_at", "idempotency_key", ["created_at"])


def create_stock() -> None:
    site = op.create_table(
        "stock_site",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("division", sa.String(6), nullable=False),
        sa.Column("site", sa.String(9), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_stock_site"),
        sa.UniqueConstraint("division", "site", name="uq_stock_site_division_site"),
        sa.CheckConstraint(
            "division IN ('gfm', 'gpm', 'fleet', 'assets')", name="ck_stock_site_division"
        ),
        sa.CheckConstraint("site IN ('main', 'guildford', 'northern')", name="ck_stock_site_site"),
    )
    op.bulk_insert(site, [{"division": d, "site": s, "version": 0} for d, s in SITES])
    op.create_table(
        "item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("name_key", NAME_KEY, nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("category", sa.String(100), nullable=False),
        sa.Column("unit_price", sa.Integer(), nullable=False),
        sa.Column("unit", sa.String(20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("removed_at", sa.DateTime()),
        sa.PrimaryKeyConstraint("id", name="pk_item"),
        sa.ForeignKeyConstraint(["site_id"], ["stock_site.id"], name="fk_item_site_id_stock_site"),
        sa.CheckConstraint("amount BETWEEN 0 AND 999999999", name="ck_item_amount_in_range"),
        sa.CheckConstraint(
            "unit_price BETWEEN 0 AND 999999999", name="ck_item_unit_price_in_range"
        ),
        sa.CheckConstraint("removed_at IS NULL OR amount = 0", name="ck_item_removed_is_empty"),
    )
    op.create_index(
        "uq_item_live_name",
        "item",
        ["site_id", "name_key"],
        unique=True,
        sqlite_where=sa.text("removed_at IS NULL"),
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    op.create_table(
        "stock_operation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer()),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_stock_operation"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_stock_operation_user_id_user_account"
        ),
    )
    op.create_table(
        "ledger_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("operation_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("item_name", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("delta", sa.Integer(), nullable=False),
        sa.Column("unit_price", sa.Integer(), nullable=False),
        sa.Column("team", sa.String(100), nullable=False),
        sa.Column("reason", sa.String(400), nullable=False),
        sa.Column("effective_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ledger_entry"),
        sa.ForeignKeyConstraint(
            ["operation_id"],
            ["stock_operation.id"],
            name="fk_ledger_entry_operation_id_stock_operation",
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["stock_site.id"], name="fk_ledger_entry_site_id_stock_site"
        ),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_ledger_entry_item_id_item"),
        sa.UniqueConstraint("operation_id", "line", name="uq_ledger_entry_operation_id_line"),
        sa.CheckConstraint(
            "kind IN ('delivery', 'withdrawal', 'transfer', 'count', 'addition', "
            "'correction', 'removal')",
            name="ck_ledger_entry_kind",
        ),
    )
    op.create_index(
        "ix_ledger_entry_site_id_effective_at", "ledger_entry", ["site_id", "effective_at"]
    )
    op.create_index("ix_ledger_entry_item_id", "ledger_entry", ["item_id"])


def downgrade() -> None:
    raise RuntimeError("The first migration can't be taken back: restore a backup.")
