"""Odometer readings, and what is due"""

import sqlalchemy as sa
from alembic import op

revision = "e37b90d1f6a4"
down_revision = "5a0f2e86c9d1"
branch_labels = None
depends_on = None


def key(length: int) -> sa.String:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "odometer_reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.Column("reg_key", key(80), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("miles", sa.Integer(), nullable=False),
        sa.Column(
            "source",
            sa.Enum(
                "check",
                "repair",
                "due",
                "by_hand",
                "import",
                name="source",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("source_id", sa.Integer()),
        sa.Column("is_accepted", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column(
            "doubt",
            sa.Enum("fell", "jumped", name="doubt", native_enum=False, create_constraint=True),
        ),
        sa.Column("recorded_by", sa.Integer()),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.Column("accepted_by", sa.Integer()),
        sa.Column("accepted_at", sa.DateTime()),
        sa.Column("void_by", sa.Integer()),
        sa.Column("void_at", sa.DateTime()),
        sa.Column("void_reason", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "miles BETWEEN 0 AND 999999999", name="ck_odometer_reading_miles_in_range"
        ),
        sa.ForeignKeyConstraint(
            ["accepted_by"],
            ["user_account.id"],
            name="fk_odometer_reading_accepted_by_user_account",
        ),
        sa.ForeignKeyConstraint(
            ["recorded_by"],
            ["user_account.id"],
            name="fk_odometer_reading_recorded_by_user_account",
        ),
        sa.ForeignKeyConstraint(
            ["void_by"], ["user_account.id"], name="fk_odometer_reading_void_by_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_odometer_reading"),
    )
    op.create_index(
        "ix_odometer_reading_doubtful",
        "odometer_reading",
        ["day", "id"],
        sqlite_where=sa.text("NOT is_accepted AND void_at IS NULL"),
        postgresql_where=sa.text("NOT is_accepted AND void_at IS NULL"),
    )
    op.create_index(
        "ix_odometer_reading_reg_key_day_id", "odometer_reading", ["reg_key", "day", "id"]
    )
    op.create_index(
        "uq_odometer_reading_source", "odometer_reading", ["source", "source_id"], unique=True
    )
    op.create_table(
        "due_plan",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(100), nullable=False),
        sa.Column("label_key", key(400), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "mot",
                "tax",
                "insurance",
                "service",
                "inspection",
                "tyres",
                "loler",
                "tacho",
                "breakdown",
                "warranty",
                "other",
                name="kind",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column(
            "applies",
            sa.Enum(
                "all",
                "classification",
                "vehicles",
                name="applies",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("classification", sa.String(60), nullable=False),
        sa.Column("every_months", sa.Integer()),
        sa.Column("every_days", sa.Integer()),
        sa.Column("every_miles", sa.Integer()),
        sa.Column(
            "anchor",
            sa.Enum("done", "due", name="anchor", native_enum=False, create_constraint=True),
            nullable=False,
        ),
        sa.Column("early_window_days", sa.Integer()),
        sa.Column("soon_days", sa.Integer(), nullable=False),
        sa.Column("soon_miles", sa.Integer(), nullable=False),
        sa.Column(
            "blocks",
            sa.Enum(
                "none", "warn", "block", name="blocks", native_enum=False, create_constraint=True
            ),
            nullable=False,
        ),
        sa.Column("is_active", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_due_plan"),
        sa.UniqueConstraint("label_key", name="uq_due_plan_label_key"),
    )
    op.create_table(
        "due_plan_vehicle",
        sa.Column("plan_id", sa.Integer(), nullable=False),
        sa.Column("reg_key", key(80), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["due_plan.id"], name="fk_due_plan_vehicle_plan_id_due_plan"
        ),
        sa.PrimaryKeyConstraint("plan_id", "reg_key", name="pk_due_plan_vehicle"),
    )
    op.create_table(
        "due_item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.Column("reg_key", key(80)),
        sa.Column("plan_id", sa.Integer()),
        sa.Column(
            "kind",
            sa.Enum(
                "mot",
                "tax",
                "insurance",
                "service",
                "inspection",
                "tyres",
                "loler",
                "tacho",
                "breakdown",
                "warranty",
                "other",
                name="kind",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("label", sa.String(100), nullable=False),
        sa.Column("due_on", sa.Date()),
        sa.Column("due_miles", sa.Integer()),
        sa.Column("anchor_day", sa.Integer()),
        sa.Column("snoozed_until", sa.Date()),
        sa.Column("snooze_reason", sa.Text(), nullable=False),
        sa.Column("opened_by", sa.Integer()),
        sa.Column("opened_at", sa.DateTime(), nullable=False),
        sa.Column(
            "closing",
            sa.Enum(
                "done",
                "vehicle_left",
                "withdrawn",
                name="closing",
                native_enum=False,
                create_constraint=True,
            ),
        ),
        sa.Column("closed_by", sa.Integer()),
        sa.Column("closed_at", sa.DateTime()),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "(closing IS NULL) = (closed_at IS NULL)", name="ck_due_item_closed_with_reason"
        ),
        sa.CheckConstraint("anchor_day BETWEEN 1 AND 31", name="ck_due_item_anchor_day_in_month"),
        sa.CheckConstraint(
            "due_miles BETWEEN 0 AND 999999999", name="ck_due_item_due_miles_in_range"
        ),
        sa.CheckConstraint(
            "due_on IS NOT NULL OR due_miles IS NOT NULL", name="ck_due_item_due_by_day_or_miles"
        ),
        sa.ForeignKeyConstraint(
            ["closed_by"], ["user_account.id"], name="fk_due_item_closed_by_user_account"
        ),
        sa.ForeignKeyConstraint(
            ["opened_by"], ["user_account.id"], name="fk_due_item_opened_by_user_account"
        ),
        sa.ForeignKeyConstraint(["plan_id"], ["due_plan.id"], name="fk_due_item_plan_id_due_plan"),
        sa.PrimaryKeyConstraint("id", name="pk_due_item"),
    )
    op.create_index(
        "ix_due_item_open",
        "due_item",
        ["due_on", "id"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_index("ix_due_item_reg_key_due_on", "due_item", ["reg_key", "due_on", "id"])
    op.create_index(
        "uq_due_item_open_of_plan",
        "due_item",
        ["plan_id", "reg_key"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "due_item_vehicle",
        sa.Column("due_item_id", sa.Integer(), nullable=False),
        sa.Column("reg_key", key(80), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.ForeignKeyConstraint(
            ["due_item_id"], ["due_item.id"], name="fk_due_item_vehicle_due_item_id_due_item"
        ),
        sa.PrimaryKeyConstraint("due_item_id", "reg_key", name="pk_due_item_vehicle"),
    )
    op.create_index("ix_due_item_vehicle_reg_key", "due_item_vehicle", ["reg_key"])
    op.create_table(
        "due_done",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("due_item_id", sa.Integer(), nullable=False),
        sa.Column("reg_key", key(80)),
        sa.Column(
            "kind",
            sa.Enum(
                "mot",
                "tax",
                "insurance",
                "service",
                "inspection",
                "tyres",
                "loler",
                "tacho",
                "breakdown",
                "warranty",
                "other",
                name="kind",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("done_on", sa.Date(), nullable=False),
        sa.Column("done_miles", sa.Integer()),
        sa.Column(
            "result",
            sa.Enum(
                "pass",
                "fail",
                "advisories",
                name="result",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("next_due_on", sa.Date()),
        sa.Column("next_due_miles", sa.Integer()),
        sa.Column("next_item_id", sa.Integer()),
        sa.Column("certificate_number", sa.String(60), nullable=False),
        sa.Column("garage", sa.String(120), nullable=False),
        sa.Column("cost", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("repair_id", sa.Integer()),
        sa.Column("defect_id", sa.Integer()),
        sa.Column("recorded_by", sa.Integer()),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.Column("undone_by", sa.Integer()),
        sa.Column("undone_at", sa.DateTime()),
        sa.CheckConstraint("cost BETWEEN 0 AND 999999999", name="ck_due_done_cost_in_range"),
        sa.CheckConstraint(
            "done_miles BETWEEN 0 AND 999999999", name="ck_due_done_done_miles_in_range"
        ),
        sa.ForeignKeyConstraint(["defect_id"], ["defect.id"], name="fk_due_done_defect_id_defect"),
        sa.ForeignKeyConstraint(
            ["due_item_id"], ["due_item.id"], name="fk_due_done_due_item_id_due_item"
        ),
        sa.ForeignKeyConstraint(
            ["next_item_id"], ["due_item.id"], name="fk_due_done_next_item_id_due_item"
        ),
        sa.ForeignKeyConstraint(
            ["recorded_by"], ["user_account.id"], name="fk_due_done_recorded_by_user_account"
        ),
        sa.ForeignKeyConstraint(["repair_id"], ["repair.id"], name="fk_due_done_repair_id_repair"),
        sa.ForeignKeyConstraint(
            ["undone_by"], ["user_account.id"], name="fk_due_done_undone_by_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_due_done"),
    )
    op.create_index("ix_due_done_done_on", "due_done", ["done_on", "id"])
    op.create_index("ix_due_done_due_item_id", "due_done", ["due_item_id"])
    op.create_index("ix_due_done_reg_key_done_on", "due_done", ["reg_key", "done_on", "id"])
    op.create_table(
        "calendar_feed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("revoked_at", sa.DateTime()),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_calendar_feed_user_id_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_calendar_feed"),
        sa.UniqueConstraint("token_hash", name="uq_calendar_feed_token_hash"),
    )
    op.create_index("ix_calendar_feed_user_id", "calendar_feed", ["user_id"])


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
