"""Vehicles and their history, check templates, checks, photos"""

import sqlalchemy as sa
from alembic import op

revision = "e5a90b7d31f2"
down_revision = "c27e6f10a4b8"
branch_labels = None
depends_on = None

LISTS = ("vehicles", "vans", "van-history", "checks", "check-templates")


def key_text(length: int) -> sa.String:
    """Return the type of a text that both engines order by code point."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    versions = sa.table("data_version", sa.column("name"), sa.column("version"))
    op.bulk_insert(versions, [{"name": name, "version": 0} for name in LISTS])
    op.create_table(
        "vehicle",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fleet_list", sa.String(8), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.Column("reg_key", key_text(80), nullable=False),
        sa.Column("make", sa.String(60), nullable=False),
        sa.Column("model", sa.String(60), nullable=False),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("classification", sa.String(60), nullable=False),
        sa.Column("location", sa.String(100), nullable=False),
        sa.Column("odometer", sa.Integer()),
        sa.Column("last_event_at", sa.DateTime()),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_vehicle"),
        sa.UniqueConstraint("fleet_list", "reg_key", name="uq_vehicle_fleet_list_reg_key"),
        sa.CheckConstraint("fleet_list IN ('vehicles', 'vans')", name="ck_vehicle_fleet_list"),
        sa.CheckConstraint("odometer BETWEEN 0 AND 999999999", name="ck_vehicle_odometer_in_range"),
    )
    op.create_table(
        "check_template",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(60), nullable=False),
        sa.Column("label", sa.String(100), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_check_template"),
        sa.UniqueConstraint("key", name="uq_check_template_key"),
    )
    _create_checks()
    op.create_table(
        "vehicle_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fleet_list", sa.String(8), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.Column("reg_key", key_text(80), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("location", sa.String(100), nullable=False),
        sa.Column("status", sa.String(40), nullable=False),
        sa.Column("check_id", sa.Integer()),
        sa.Column("user_id", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_vehicle_event"),
        sa.CheckConstraint(
            "fleet_list IN ('vehicles', 'vans')", name="ck_vehicle_event_fleet_list"
        ),
        _reference("vehicle_event", "check_id", "vehicle_check"),
        _reference("vehicle_event", "user_id", "user_account"),
    )
    op.create_index(
        "ix_vehicle_event_fleet_list_reg_key_at", "vehicle_event", ["fleet_list", "reg_key", "at"]
    )
    _create_photos()


def _create_checks() -> None:
    op.create_table(
        "vehicle_check",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.Column("reg_key", key_text(80), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("odometer", sa.Integer(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("cost", sa.Integer(), nullable=False),
        sa.Column("form_type", sa.String(60), nullable=False),
        sa.Column("form_label", sa.String(100), nullable=False),
        sa.Column("has_damage", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("odometer_fell", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.Column("submitted_by", sa.Integer()),
        sa.Column("submitted_at", sa.DateTime(), nullable=False),
        sa.Column("reviewed_by", sa.Integer()),
        sa.Column("reviewed_at", sa.DateTime()),
        sa.Column("remark", sa.String(400), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_vehicle_check"),
        _reference("vehicle_check", "submitted_by", "user_account"),
        _reference("vehicle_check", "reviewed_by", "user_account"),
        sa.CheckConstraint(
            "odometer BETWEEN 0 AND 999999999", name="ck_vehicle_check_odometer_in_range"
        ),
        sa.CheckConstraint("cost BETWEEN 0 AND 999999999", name="ck_vehicle_check_cost_in_range"),
    )
    op.create_index("ix_vehicle_check_day_id", "vehicle_check", ["day", "id"])
    op.create_index("ix_vehicle_check_reg_key_day_id", "vehicle_check", ["reg_key", "day", "id"])
    is_unreviewed = sa.text("reviewed_at IS NULL")
    op.create_index(
        "ix_vehicle_check_unreviewed",
        "vehicle_check",
        ["day", "id"],
        sqlite_where=is_unreviewed,
        postgresql_where=is_unreviewed,
    )


def _create_photos() -> None:
    op.create_table(
        "photo",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("stored_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_photo"),
    )
    op.create_index("ix_photo_stored_at", "photo", ["stored_at"])
    op.create_table(
        "photo_upload",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("sent_hash", sa.String(64), nullable=False),
        sa.Column("photo_hash", sa.String(64), nullable=False),
        sa.Column("sent_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_photo_upload"),
        sa.UniqueConstraint("user_id", "sent_hash", name="uq_photo_upload_user_id_sent_hash"),
        _reference("photo_upload", "user_id", "user_account"),
        _reference("photo_upload", "photo_hash", "photo", "hash"),
    )
    op.create_index("ix_photo_upload_photo_hash", "photo_upload", ["photo_hash"])
    op.create_table(
        "check_photo",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("check_id", sa.Integer(), nullable=False),
        sa.Column("photo_hash", sa.String(64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_check_photo"),
        sa.UniqueConstraint("check_id", "position", name="uq_check_photo_check_id_position"),
        _reference("check_photo", "check_id", "vehicle_check"),
        _reference("check_photo", "photo_hash", "photo", "hash"),
    )
    op.create_index("ix_check_photo_photo_hash", "check_photo", ["photo_hash"])


def _reference(table: str, column: str, other: str, key: str = "id") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.{key}"], name=f"fk_{table}_{column}_{other}"
    )


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
