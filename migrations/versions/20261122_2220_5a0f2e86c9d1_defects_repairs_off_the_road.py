"""Defects, repairs and times off the road; what a check found"""

import sqlalchemy as sa
from alembic import op

revision = "5a0f2e86c9d1"
down_revision = "1c9e73a5d804"
branch_labels = None
depends_on = None

SQLITE_SEARCH = (
    """
    CREATE VIRTUAL TABLE {table}_search USING fts5(
        search_key, content='{table}', content_rowid='id', tokenize='trigram case_sensitive 1'
    )
    """,
    """
    CREATE TRIGGER {table}_search_add AFTER INSERT ON {table}
    BEGIN INSERT INTO {table}_search (rowid, search_key) VALUES (NEW.id, NEW.search_key); END
    """,
    """
    CREATE TRIGGER {table}_search_change AFTER UPDATE OF search_key ON {table}
    WHEN OLD.search_key IS NOT NEW.search_key
    BEGIN
        INSERT INTO {table}_search ({table}_search, rowid, search_key)
        VALUES ('delete', OLD.id, OLD.search_key);
        INSERT INTO {table}_search (rowid, search_key) VALUES (NEW.id, NEW.search_key);
    END
    """,
    """
    CREATE TRIGGER {table}_search_remove AFTER DELETE ON {table}
    BEGIN
        INSERT INTO {table}_search ({table}_search, rowid, search_key)
        VALUES ('delete', OLD.id, OLD.search_key);
    END
    """,
)

POSTGRESQL_SEARCH = (
    """
    CREATE INDEX ix_{table}_search_key_trigram ON {table}
    USING gin (search_key gin_trgm_ops)
    """,
)


def key(length: int) -> sa.String:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "repair",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.Column("reg_key", key(80), nullable=False),
        sa.Column("garage", sa.String(120), nullable=False),
        sa.Column("started_on", sa.Date()),
        sa.Column("finished_on", sa.Date(), nullable=False),
        sa.Column("odometer", sa.Integer()),
        sa.Column("invoice_number", sa.String(60), nullable=False),
        sa.Column("labour", sa.Integer(), nullable=False),
        sa.Column("parts", sa.Integer(), nullable=False),
        sa.Column("other", sa.Integer(), nullable=False),
        sa.Column("includes_vat", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("warranty_until", sa.Date()),
        sa.Column("warranty_miles", sa.Integer()),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("recorded_by", sa.Integer()),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.Column("reverses_id", sa.Integer()),
        sa.Column("client_key", sa.String(64)),
        sa.Column("client_digest", sa.String(64)),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "labour BETWEEN -999999999 AND 999999999 AND (reverses_id IS NOT NULL OR labour >= 0)",
            name="ck_repair_labour_in_range",
        ),
        sa.CheckConstraint("odometer BETWEEN 0 AND 999999999", name="ck_repair_odometer_in_range"),
        sa.CheckConstraint(
            "other BETWEEN -999999999 AND 999999999 AND (reverses_id IS NOT NULL OR other >= 0)",
            name="ck_repair_other_in_range",
        ),
        sa.CheckConstraint(
            "parts BETWEEN -999999999 AND 999999999 AND (reverses_id IS NOT NULL OR parts >= 0)",
            name="ck_repair_parts_in_range",
        ),
        sa.ForeignKeyConstraint(
            ["recorded_by"], ["user_account.id"], name="fk_repair_recorded_by_user_account"
        ),
        sa.ForeignKeyConstraint(
            ["reverses_id"], ["repair.id"], name="fk_repair_reverses_id_repair"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_repair"),
        sa.UniqueConstraint("number", name="uq_repair_number"),
        sa.UniqueConstraint("reverses_id", name="uq_repair_reverses_id"),
    )
    op.create_index("ix_repair_finished_on", "repair", ["finished_on", "id"])
    is_kept = sa.text("client_key IS NOT NULL")
    op.create_index(
        "uq_repair_client_key",
        "repair",
        ["recorded_by", "client_key"],
        unique=True,
        sqlite_where=is_kept,
        postgresql_where=is_kept,
    )
    op.create_index("ix_repair_reg_key_finished_on", "repair", ["reg_key", "finished_on", "id"])
    op.create_table(
        "defect",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.Column("reg_key", key(80), nullable=False),
        sa.Column(
            "fleet_list",
            sa.Enum(
                "vehicles", "vans", name="fleet_list", native_enum=False, create_constraint=True
            ),
        ),
        sa.Column("check_id", sa.Integer()),
        sa.Column("part", sa.String(160), nullable=False),
        sa.Column("part_key", key(640), nullable=False),
        sa.Column("title", sa.String(160), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column(
            "severity",
            sa.Enum(
                "advisory",
                "repair",
                "stop",
                name="severity",
                native_enum=False,
                create_constraint=True,
            ),
        ),
        sa.Column(
            "state",
            sa.Enum(
                "open",
                "assessed",
                "booked",
                "repaired",
                "closed",
                name="state",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("reported_by", sa.Integer()),
        sa.Column("reported_at", sa.DateTime(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("odometer", sa.Integer()),
        sa.Column("assessed_by", sa.Integer()),
        sa.Column("assessed_at", sa.DateTime()),
        sa.Column("garage", sa.String(120), nullable=False),
        sa.Column("booked_for", sa.Date()),
        sa.Column("repeat_of_id", sa.Integer()),
        sa.Column("duplicate_of_id", sa.Integer()),
        sa.Column(
            "closing",
            sa.Enum(
                "repaired",
                "no_fault",
                "duplicate",
                "accepted",
                "vehicle_left",
                name="closing",
                native_enum=False,
                create_constraint=True,
            ),
        ),
        sa.Column("closing_reason", sa.Text(), nullable=False),
        sa.Column("accepted_until", sa.Date()),
        sa.Column("closed_by", sa.Integer()),
        sa.Column("closed_at", sa.DateTime()),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "(state = 'closed') = (closing IS NOT NULL) "
            "AND (closing IS NULL) = (closed_at IS NULL)",
            name="ck_defect_closed_with_reason",
        ),
        sa.CheckConstraint("odometer BETWEEN 0 AND 999999999", name="ck_defect_odometer_in_range"),
        sa.ForeignKeyConstraint(
            ["assessed_by"], ["user_account.id"], name="fk_defect_assessed_by_user_account"
        ),
        sa.ForeignKeyConstraint(
            ["check_id"], ["vehicle_check.id"], name="fk_defect_check_id_vehicle_check"
        ),
        sa.ForeignKeyConstraint(
            ["closed_by"], ["user_account.id"], name="fk_defect_closed_by_user_account"
        ),
        sa.ForeignKeyConstraint(
            ["duplicate_of_id"], ["defect.id"], name="fk_defect_duplicate_of_id_defect"
        ),
        sa.ForeignKeyConstraint(
            ["repeat_of_id"], ["defect.id"], name="fk_defect_repeat_of_id_defect"
        ),
        sa.ForeignKeyConstraint(
            ["reported_by"], ["user_account.id"], name="fk_defect_reported_by_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_defect"),
        sa.UniqueConstraint("number", name="uq_defect_number"),
    )
    op.create_index("ix_defect_check_id", "defect", ["check_id"])
    op.create_index("ix_defect_closed_at", "defect", ["closed_at", "id"])
    op.create_index("ix_defect_reg_key_day", "defect", ["reg_key", "day", "id"])
    op.create_index("ix_defect_state_day", "defect", ["state", "day", "id"])
    op.create_index(
        "uq_defect_open_part",
        "defect",
        ["reg_key", "part_key"],
        unique=True,
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_table(
        "defect_sighting",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("defect_id", sa.Integer(), nullable=False),
        sa.Column("check_id", sa.Integer()),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("seen_by", sa.Integer()),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.Column(
            "answer",
            sa.Enum(
                "yes", "worse", "gone", name="answer", native_enum=False, create_constraint=True
            ),
            nullable=False,
        ),
        sa.Column(
            "severity",
            sa.Enum(
                "advisory",
                "repair",
                "stop",
                name="severity",
                native_enum=False,
                create_constraint=True,
            ),
        ),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("is_before_repair", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["check_id"], ["vehicle_check.id"], name="fk_defect_sighting_check_id_vehicle_check"
        ),
        sa.ForeignKeyConstraint(
            ["defect_id"], ["defect.id"], name="fk_defect_sighting_defect_id_defect"
        ),
        sa.ForeignKeyConstraint(
            ["seen_by"], ["user_account.id"], name="fk_defect_sighting_seen_by_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_defect_sighting"),
        sa.UniqueConstraint("defect_id", "check_id", name="uq_defect_sighting_defect_id_check_id"),
    )
    op.create_index("ix_defect_sighting_check_id", "defect_sighting", ["check_id"])
    op.create_table(
        "defect_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("defect_id", sa.Integer(), nullable=False),
        sa.Column("noted_by", sa.Integer()),
        sa.Column("noted_at", sa.DateTime(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["defect_id"], ["defect.id"], name="fk_defect_note_defect_id_defect"
        ),
        sa.ForeignKeyConstraint(
            ["noted_by"], ["user_account.id"], name="fk_defect_note_noted_by_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_defect_note"),
    )
    op.create_index("ix_defect_note_defect_id", "defect_note", ["defect_id"])
    op.create_table(
        "repaired_defect",
        sa.Column("repair_id", sa.Integer(), nullable=False),
        sa.Column("defect_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["defect_id"], ["defect.id"], name="fk_repaired_defect_defect_id_defect"
        ),
        sa.ForeignKeyConstraint(
            ["repair_id"], ["repair.id"], name="fk_repaired_defect_repair_id_repair"
        ),
        sa.PrimaryKeyConstraint("repair_id", "defect_id", name="pk_repaired_defect"),
    )
    op.create_index("ix_repaired_defect_defect_id", "repaired_defect", ["defect_id"])
    op.create_table(
        "repair_part",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("repair_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("operation_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("pence", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["operation_id"],
            ["stock_operation.id"],
            name="fk_repair_part_operation_id_stock_operation",
        ),
        sa.ForeignKeyConstraint(
            ["repair_id"], ["repair.id"], name="fk_repair_part_repair_id_repair"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_repair_part"),
        sa.UniqueConstraint("repair_id", "position", name="uq_repair_part_repair_id_position"),
    )
    op.create_index("ix_repair_part_operation_id", "repair_part", ["operation_id"])
    op.create_table(
        "off_road",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reg", sa.String(20), nullable=False),
        sa.Column("reg_key", key(80), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.Column("until", sa.DateTime()),
        sa.Column(
            "reason",
            sa.Enum(
                "defect",
                "accident",
                "service",
                "mot",
                "parts",
                "sorn",
                "other",
                name="reason",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("defect_id", sa.Integer()),
        sa.Column("expected_back", sa.Date()),
        sa.Column("opened_by", sa.Integer()),
        sa.Column("closed_by", sa.Integer()),
        sa.Column("signed_as", sa.String(120), nullable=False),
        sa.Column("override_reason", sa.Text(), nullable=False),
        sa.Column("objections", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("status_before", sa.String(40), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["closed_by"], ["user_account.id"], name="fk_off_road_closed_by_user_account"
        ),
        sa.ForeignKeyConstraint(["defect_id"], ["defect.id"], name="fk_off_road_defect_id_defect"),
        sa.ForeignKeyConstraint(
            ["opened_by"], ["user_account.id"], name="fk_off_road_opened_by_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_off_road"),
    )
    op.create_index("ix_off_road_defect_id", "off_road", ["defect_id"])
    op.create_index("ix_off_road_reg_key_since", "off_road", ["reg_key", "since"])
    op.create_index("ix_off_road_since", "off_road", ["since"])
    op.create_index(
        "uq_off_road_current",
        "off_road",
        ["reg_key"],
        unique=True,
        sqlite_where=sa.text("until IS NULL"),
        postgresql_where=sa.text("until IS NULL"),
    )
    op.add_column(
        "vehicle_check",
        sa.Column(
            "outcome",
            sa.Enum("nil", "defects", "not_asked", name="outcome", native_enum=False),
            server_default="not_asked",
            nullable=False,
        ),
    )
    op.add_column(
        "vehicle_check", sa.Column("outcome_text", sa.Text(), server_default="", nullable=False)
    )
    op.execute("INSERT INTO data_version (name, version) VALUES ('upkeep', 0)")
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for table in ("defect", "repair"):
        for statement in SQLITE_SEARCH if is_sqlite else POSTGRESQL_SEARCH:
            op.execute(statement.format(table=table))


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
