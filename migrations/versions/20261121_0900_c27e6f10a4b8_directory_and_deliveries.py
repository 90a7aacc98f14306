"""Teams, suppliers, services, keys and who held them; deliveries; versions of lists; an index"""

import sqlalchemy as sa
from alembic import op

revision = "c27e6f10a4b8"
down_revision = "8b3d52c9e014"
branch_labels = None
depends_on = None

LISTS = ("teams", "suppliers", "services", "keys", "keys-history", "deliveries")


def key_text(length: int) -> sa.String:
    """Return the type of a text that both engines order by code point."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    versions = op.create_table(
        "data_version",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_data_version"),
    )
    op.bulk_insert(versions, [{"name": name, "version": 0} for name in LISTS])
    for table in ("team", "supplier", "service"):
        extra = [sa.Column("description", sa.String(400), nullable=False)]
        op.create_table(
            table,
            sa.Column("id", sa.Integer(), nullable=False),
            sa.Column("name", sa.String(100), nullable=False),
            sa.Column("name_key", key_text(400), nullable=False),
            *(extra if table == "service" else []),
            sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
            sa.UniqueConstraint("name_key", name=f"uq_{table}_name_key"),
        )
    op.create_table(
        "place_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(60), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("label_key", key_text(400), nullable=False),
        sa.Column("holder", sa.String(100), nullable=False),
        sa.Column("notes", sa.String(400), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_place_key"),
        sa.UniqueConstraint("label_key", name="uq_place_key_label_key"),
        sa.CheckConstraint("code <> '' OR name <> ''", name="ck_place_key_has_a_label"),
        # An address must not show another key after the one it showed is gone.
        sqlite_autoincrement=True,
    )
    op.create_table(
        "key_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(100), nullable=False),
        sa.Column("label_key", key_text(400), nullable=False),
        sa.Column("holder_before", sa.String(100), nullable=False),
        sa.Column("holder", sa.String(100), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("user_id", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_key_change"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_key_change_user_id_user_account"
        ),
    )
    op.create_index("ix_key_change_label_key_at", "key_change", ["label_key", "at"])
    op.create_table(
        "delivery",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item", sa.String(200), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("unit_cost", sa.Integer(), nullable=False),
        sa.Column("supplier", sa.String(100), nullable=False),
        sa.Column("office", sa.String(9), nullable=False),
        sa.Column("ordered_by", sa.String(100), nullable=False),
        sa.Column("ordered_on", sa.Date(), nullable=False),
        sa.Column("delivered_at", sa.DateTime()),
        sa.Column("confirmation", sa.String(200), nullable=False),
        sa.Column("recipient", sa.String(100), nullable=False),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.Column("scheduled_by", sa.Integer()),
        sa.Column("delivered_by", sa.Integer()),
        sa.Column("operation_id", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_delivery"),
        sa.UniqueConstraint("operation_id", name="uq_delivery_operation_id"),
        sa.ForeignKeyConstraint(
            ["scheduled_by"], ["user_account.id"], name="fk_delivery_scheduled_by_user_account"
        ),
        sa.ForeignKeyConstraint(
            ["delivered_by"], ["user_account.id"], name="fk_delivery_delivered_by_user_account"
        ),
        sa.ForeignKeyConstraint(
            ["operation_id"],
            ["stock_operation.id"],
            name="fk_delivery_operation_id_stock_operation",
        ),
        sa.CheckConstraint("amount BETWEEN 1 AND 999999999", name="ck_delivery_amount_in_range"),
        sa.CheckConstraint(
            "unit_cost BETWEEN 0 AND 999999999", name="ck_delivery_unit_cost_in_range"
        ),
        sa.CheckConstraint(
            "(delivered_at IS NULL) = (operation_id IS NULL)",
            name="ck_delivery_delivered_is_in_stock",
        ),
        sa.CheckConstraint(
            "office IN ('main', 'guildford', 'northern')", name="ck_delivery_office"
        ),
    )
    is_pending = sa.text("delivered_at IS NULL")
    op.create_index(
        "ix_delivery_pending",
        "delivery",
        ["ordered_on", "id"],
        sqlite_where=is_pending,
        postgresql_where=is_pending,
    )
    op.create_index("ix_delivery_delivered_at_id", "delivery", ["delivered_at", "id"])
    # How long a history is, the dashboard reads from this alone.
    op.create_index(
        "ix_ledger_entry_site_id_kind_delta", "ledger_entry", ["site_id", "kind", "delta"]
    )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
