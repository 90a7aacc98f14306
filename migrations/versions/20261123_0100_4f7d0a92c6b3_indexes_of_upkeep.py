"""Indexes by which upkeep reads open items, current times, what came next, and a fleet's days"""

import sqlalchemy as sa
from alembic import op

revision = "4f7d0a92c6b3"
down_revision = "90c4a7d2e1b8"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_attachment_added_at", "attachment", ["added_at"], None),
    ("ix_attachment_subject_id", "attachment", ["subject_id"], None),
    ("ix_defect_assessed_at", "defect", ["assessed_at"], None),
    ("ix_defect_note_noted_at", "defect_note", ["noted_at"], None),
    ("ix_defect_sighting_day", "defect_sighting", ["day"], None),
    ("ix_due_done_next_item_id", "due_done", ["next_item_id"], None),
    ("ix_due_done_reg_key_kind_id", "due_done", ["reg_key", "kind", "id"], None),
    ("ix_due_item_open_of_vehicle", "due_item", ["reg_key"], "closed_at IS NULL"),
    (
        "ix_odometer_reading_apart",
        "odometer_reading",
        ["day", "id"],
        "source <> 'check' OR doubt IS NOT NULL OR void_at IS NOT NULL",
    ),
    ("ix_off_road_current", "off_road", ["since", "id"], "until IS NULL"),
    ("ix_off_road_until", "off_road", ["until"], "until IS NOT NULL"),
)


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for name, table, columns, where in INDEXES:
            condition = None if where is None else sa.text(where)
            op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
            op.create_index(
                name,
                table,
                columns,
                postgresql_concurrently=True,
                postgresql_where=condition,
                sqlite_where=condition,
            )


def downgrade() -> None:
    for name, table, _, _ in INDEXES:
        op.drop_index(name, table)
