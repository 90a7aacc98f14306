"""Assets and their moves"""

import sqlalchemy as sa
from alembic import op

revision = "a91d4c6e70b5"
down_revision = "e5a90b7d31f2"
branch_labels = None
depends_on = None

LISTS = ("assets", "assets-history")

GROUPED = ("category", "location", "make", "model", "status", "supplier")


def key_text(length: int) -> sa.String:
    """Return the type of a text that both engines order by code point."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    versions = sa.table("data_version", sa.column("name"), sa.column("version"))
    op.bulk_insert(versions, [{"name": name, "version": 0} for name in LISTS])
    op.create_table(
        "asset",
        sa.Column("id", sa.Integer(), nullable=False),
        *_text("asset_id", 64, key="asset_key"),
        *_text("item", 120),
        *_text("make", 80),
        *_text("model", 80),
        *_text("serial", 80),
        *_text("supplier", 80),
        *_text("location", 100),
        sa.Column("purchase_date", sa.Date()),
        sa.Column("purchase_price", sa.Integer(), nullable=False),
        *_text("category", 60),
        *_text("status", 40),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_asset"),
        sa.UniqueConstraint("asset_key", name="uq_asset_asset_key"),
        sa.CheckConstraint("quantity BETWEEN 1 AND 999999999", name="ck_asset_quantity_in_range"),
        sa.CheckConstraint(
            "purchase_price BETWEEN 0 AND 999999999", name="ck_asset_purchase_price_in_range"
        ),
    )
    added_up = ["quantity", "purchase_price"]
    op.create_index("ix_asset_item_sums", "asset", ["item_key", "id", "item", *added_up])
    for name in GROUPED:
        columns = [f"{name}_key", name, "item_key", *added_up]
        op.create_index(f"ix_asset_{name}_sums", "asset", columns)
    op.create_table(
        "asset_move",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        *_text("asset_id", 64, key="asset_key"),
        sa.Column("item", key_text(120), nullable=False),
        *_text("start_position", 100, key="start_key"),
        *_text("end_position", 100, key="end_key"),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_asset_move"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_asset_move_user_id_user_account"
        ),
    )
    op.create_index("ix_asset_move_at_id", "asset_move", ["at", "id"])
    op.create_index("ix_asset_move_asset_key_at_id", "asset_move", ["asset_key", "at", "id"])
    for end in ("start", "end"):
        columns = [f"{end}_key", f"{end}_position"]
        op.create_index(f"ix_asset_move_{end}_key_{end}_position", "asset_move", columns)


def _text(name: str, length: int, *, key: str = "") -> tuple[sa.Column[str], sa.Column[str]]:
    return (
        sa.Column(name, key_text(length), nullable=False),
        sa.Column(key or f"{name}_key", key_text(4 * length), nullable=False),
    )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
