"""Indexes for the checks to review, those with damage first, and for a person's last check"""

import sqlalchemy as sa
from alembic import op

revision = "e93b6d4c1a57"
down_revision = "c5d81e3f7a20"
branch_labels = None
depends_on = None

TO_REVIEW = sa.text("reviewed_at IS NULL")


def upgrade() -> None:
    op.create_index(
        "ix_vehicle_check_to_review",
        "vehicle_check",
        ["has_damage", "day", "id"],
        sqlite_where=TO_REVIEW,
        postgresql_where=TO_REVIEW,
    )
    op.create_index("ix_vehicle_check_submitted_by_id", "vehicle_check", ["submitted_by", "id"])


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
