"""Bookings, what can be booked, and their limits"""

import sqlalchemy as sa
from alembic import op

revision = "e3a5c8d17f24"
down_revision = "9e41b7d2c650"
branch_labels = None
depends_on = None

OCCUPYING = "state IN ('reserved', 'out')"

# The range of a booking has both times without a zone, as they are stored: UTC.
POSTGRESQL = (
    "CREATE EXTENSION IF NOT EXISTS btree_gist",
    f"""
    ALTER TABLE booking ADD CONSTRAINT ex_booking_occupied EXCLUDE USING gist (
        kind WITH =, subject_key WITH =, tsrange(starts_at, ends_at) WITH &&
    ) WHERE ({OCCUPYING} AND is_single)
    """,
)

OVERLAP = """
    WHEN NEW.state IN ('reserved', 'out') AND NEW.is_single AND EXISTS (
        SELECT 1 FROM booking WHERE kind = NEW.kind AND subject_key = NEW.subject_key
        AND state IN ('reserved', 'out') AND is_single
        AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND id IS NOT NEW.id
    )
    BEGIN SELECT RAISE(ABORT, 'ex_booking_occupied'); END
"""

SQLITE = (
    f"CREATE TRIGGER booking_occupied_add BEFORE INSERT ON booking {OVERLAP}",
    f"CREATE TRIGGER booking_occupied_change BEFORE UPDATE ON booking {OVERLAP}",
)


def key(length: int) -> sa.String:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def choice(name: str, *values: str) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True)


def user(name: str) -> sa.Column[int]:
    target = sa.ForeignKey("user_account.id", name=f"fk_booking_{name}_user_account")
    return sa.Column(name, sa.Integer(), target)


def check(name: str) -> sa.Column[int]:
    target = sa.ForeignKey("vehicle_check.id", name=f"fk_booking_{name}_vehicle_check")
    return sa.Column(name, sa.Integer(), target)


def upgrade() -> None:
    op.create_table(
        "booking",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", choice("kind", "vehicle", "asset"), nullable=False),
        sa.Column("subject_key", key(800), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("class_name", sa.String(60), nullable=False),
        sa.Column("units", sa.Integer(), nullable=False),
        sa.Column("is_single", sa.Boolean(), nullable=False),
        sa.Column("starts_at", sa.DateTime(), nullable=False),
        sa.Column("ends_at", sa.DateTime(), nullable=False),
        sa.Column(
            "state",
            choice("state", "reserved", "out", "back", "cancelled", "no_show"),
            nullable=False,
        ),
        user("for_user_id"),
        sa.Column("for_name", sa.String(80), nullable=False),
        sa.Column("purpose", sa.String(200), nullable=False),
        sa.Column("planned_end", sa.DateTime()),
        sa.Column("out_at", sa.DateTime()),
        user("out_by"),
        check("out_check_id"),
        sa.Column("out_miles", sa.Integer()),
        sa.Column("out_reason", sa.Text(), nullable=False),
        sa.Column("back_at", sa.DateTime()),
        user("back_by"),
        check("back_check_id"),
        sa.Column("back_miles", sa.Integer()),
        sa.Column("back_reason", sa.Text(), nullable=False),
        sa.Column("condition", choice("condition", "fine", "damaged", "lost")),
        sa.Column("cancelled_at", sa.DateTime()),
        user("cancelled_by"),
        sa.Column("cancel_reason", sa.Text(), nullable=False),
        sa.Column("look_at", sa.Text(), nullable=False),
        user("created_by"),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("client_key", sa.String(64)),
        sa.Column("client_digest", sa.String(64)),
        sa.Column("made_at", sa.DateTime()),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.CheckConstraint("starts_at < ends_at", name="ck_booking_ends_after_it_begins"),
        sa.CheckConstraint("units BETWEEN 1 AND 999999999", name="ck_booking_units_in_range"),
        sa.PrimaryKeyConstraint("id", name="pk_booking"),
        sa.UniqueConstraint("number", name="uq_booking_number"),
    )
    op.create_index("ix_booking_out_check_id", "booking", ["out_check_id"])
    op.create_index("ix_booking_back_check_id", "booking", ["back_check_id"])
    op.create_index("ix_booking_starts_at_id", "booking", ["starts_at", "id"])
    op.create_index("ix_booking_subject", "booking", ["subject_key", "starts_at", "id"])
    for name, columns, where, is_unique in (
        (
            "ix_booking_occupying",
            ["kind", "subject_key", "starts_at", "ends_at", "state"],
            OCCUPYING,
            False,
        ),
        ("ix_booking_to_look_at", ["id"], "look_at != ''", False),
        (
            "uq_booking_client_key",
            ["created_by", "client_key"],
            "client_key IS NOT NULL",
            True,
        ),
    ):
        condition = sa.text(where)
        op.create_index(
            name,
            "booking",
            columns,
            unique=is_unique,
            sqlite_where=condition,
            postgresql_where=condition,
        )
    op.create_table(
        "bookable",
        sa.Column("kind", choice("kind", "vehicle", "asset"), nullable=False),
        sa.Column("subject_key", key(800), nullable=False),
        sa.Column("is_bookable", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject_key", name="pk_bookable"),
    )
    op.create_table(
        "booking_rule",
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("class_key", key(4 * 60), nullable=False),
        sa.Column("buffer_minutes", sa.Integer(), nullable=False),
        sa.Column("longest_hours", sa.Integer(), nullable=False),
        sa.Column("ahead_days", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "class_key", name="pk_booking_rule"),
    )
    op.execute("INSERT INTO booking_rule VALUES ('', '', 0, 336, 366)")
    op.execute("INSERT INTO number_counter (series, last) VALUES ('B', 0)")
    op.execute("INSERT INTO data_version (name, version) VALUES ('bookings', 0)")
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for statement in POSTGRESQL if is_postgresql else SQLITE:
        op.execute(statement)


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
