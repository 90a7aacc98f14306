"""Indexes of each division's deliveries, of what is on order, and of items' past names"""

import sqlalchemy as sa
from alembic import op

revision = "b9f98139fdb7"
down_revision = "e84b7cad1001"
branch_labels = None
depends_on = None

PENDING = "delivered_at IS NULL AND cancelled_at IS NULL"
INDEXES = (
    ("ix_delivery_division_pending", "delivery", ["division", "ordered_on", "id"], PENDING),
    ("ix_delivery_division_due", "delivery", ["division", "due_on", "id"], PENDING),
    (
        "ix_delivery_division_delivered",
        "delivery",
        ["division", "delivered_at", "id"],
        "delivered_at IS NOT NULL",
    ),
    (
        "ix_delivery_division_cancelled",
        "delivery",
        ["division", "cancelled_at", "id"],
        "cancelled_at IS NOT NULL",
    ),
    ("ix_delivery_on_order", "delivery", ["division", "item_key", "id"], PENDING),
    ("ix_delivery_rest_of", "delivery", ["rest_of_id"], "rest_of_id IS NOT NULL"),
    ("ix_delivery_order_number", "delivery", ["order_number"], None),
    ("ix_delivery_division_id", "delivery", ["division", "id"], None),
    ("ix_item_past_name_name_key", "item_past_name", ["name_key"], None),
)


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for name, table, columns, condition in INDEXES:
            where = None if condition is None else sa.text(condition)
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            op.create_index(
                name,
                table,
                columns,
                sqlite_where=where,
                postgresql_where=where,
                postgresql_concurrently=True,
            )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
