"""Events, which are only ever added to"""

import sqlalchemy as sa
from alembic import op

revision = "b81d4f60a7c2"
down_revision = "6e05b8d2f7a1"
branch_labels = None
depends_on = None

REFUSAL = "events are never changed"

SQLITE_GUARDS = (
    *(
        f"""
        CREATE TRIGGER event_no_{verb} BEFORE {verb} ON event
        BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END
        """
        for verb in ("update", "delete")
    ),
    # INSERT OR REPLACE deletes the old row without firing its delete trigger.
    f"""
    CREATE TRIGGER event_no_replace BEFORE INSERT ON event
    WHEN EXISTS (SELECT 1 FROM event WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END
    """,
)

POSTGRESQL_GUARDS = (
    f"""
    CREATE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '{REFUSAL}';
    END $$
    """,
    """
    CREATE TRIGGER event_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change()
    """,
)


def key(length: int) -> sa.String:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column(
            "division",
            sa.Enum(
                "gfm",
                "gpm",
                "fleet",
                "assets",
                name="division",
                native_enum=False,
                create_constraint=True,
            ),
        ),
        sa.Column("subject_kind", sa.String(20), nullable=False),
        sa.Column("subject_id", key(80), nullable=False),
        sa.Column("actor_id", sa.Integer()),
        sa.Column(
            "channel",
            sa.Enum(
                "screen",
                "api",
                "terminal",
                name="channel",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("request_id", sa.String(64)),
        sa.Column("before", sa.JSON()),
        sa.Column("after", sa.JSON()),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
    )
    op.create_index("ix_event_at", "event", ["at"])
    op.create_index("ix_event_division_id", "event", ["division", "id"])
    op.create_index("ix_event_subject", "event", ["subject_kind", "subject_id", "id"])
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for guard in SQLITE_GUARDS if is_sqlite else POSTGRESQL_GUARDS:
        op.execute(guard)


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
