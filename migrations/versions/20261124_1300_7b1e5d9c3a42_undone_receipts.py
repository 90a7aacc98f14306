"""Operations that received a delivery and were undone"""

import sqlalchemy as sa
from alembic import op

revision = "7b1e5d9c3a42"
down_revision = "4f7d0a92c6b3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "delivery_undo",
        sa.Column("operation_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("delivery_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["delivery.id"], name="fk_delivery_undo_delivery_id_delivery"
        ),
        sa.ForeignKeyConstraint(
            ["operation_id"],
            ["stock_operation.id"],
            name="fk_delivery_undo_operation_id_stock_operation",
        ),
        sa.PrimaryKeyConstraint("operation_id", name="pk_delivery_undo"),
    )


def downgrade() -> None:
    op.drop_table("delivery_undo")
