"""Why a vehicle that is off the road is driven"""

import sqlalchemy as sa
from alembic import op

revision = "c58e1d07b4a9"
down_revision = "d6a0f48e2c95"
branch_labels = None
depends_on = None

REASONS = ("garage", "test", "other", "not_said")


def upgrade() -> None:
    reason = sa.Enum(*REASONS, name="drive_reason", native_enum=False)
    op.add_column("vehicle_check", sa.Column("drive_reason", reason, nullable=True))


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
