"""Deliveries of both divisions, their orders, and what is left of them"""

import sqlalchemy as sa
from alembic import op

revision = "c35018f4fdf1"
down_revision = "d02b7e4c91fa"
branch_labels = None
depends_on = None

REST_OF = """
    ALTER TABLE delivery ADD COLUMN rest_of_id INTEGER
    CONSTRAINT fk_delivery_rest_of_id_delivery REFERENCES delivery (id)
"""
accepted_steps = {"adding-foreign-key-constraint": "the new column is empty"}


def upgrade() -> None:
    division = sa.Enum(
        *("gfm", "gpm", "fleet", "assets"),
        name="division",
        native_enum=False,
        create_constraint=False,
    )
    op.add_column("delivery", sa.Column("division", division, nullable=False, server_default="gpm"))
    op.add_column("delivery", sa.Column("order_number", sa.Integer(), nullable=True))
    op.add_column("delivery", sa.Column("ordered_amount", sa.Integer(), nullable=True))
    op.add_column("delivery", sa.Column("proposal", sa.JSON(), nullable=True))
    op.execute(REST_OF)
    op.add_column(
        "stock_site",
        sa.Column("takes_deliveries", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.execute("INSERT INTO number_counter (series, last) VALUES ('O', 0)")
    op.execute("INSERT INTO data_version (name, version) VALUES ('gfm-deliveries', 0)")


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
