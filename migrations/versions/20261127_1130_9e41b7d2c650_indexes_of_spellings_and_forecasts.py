"""Indexes of the register's spellings, and of the readings that a forecast counts"""

from alembic import op

revision = "9e41b7d2c650"
down_revision = "c58e1d07b4a9"
branch_labels = None
depends_on = None

INDEXES = {
    **{
        f"ix_asset_{name}_spelling": ("asset", [f"{name}_key", name])
        for name in ("category", "location", "status", "supplier")
    },
    "ix_odometer_reading_reg_key_day_miles_id": (
        "odometer_reading",
        ["reg_key", "day", "miles", "id", "is_accepted", "void_at"],
    ),
}
REPLACED = "ix_odometer_reading_reg_key_day_id"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for name, (table, columns) in INDEXES.items():
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            op.create_index(name, table, columns, postgresql_concurrently=True)
        op.drop_index(REPLACED, "odometer_reading", if_exists=True, postgresql_concurrently=True)


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
