"""When deliveries are expected, their edits and cancellations; since when holders have keys"""

import unicodedata
from datetime import date, timedelta

import sqlalchemy as sa
from alembic import op

revision = "e82c6d49b1f7"
down_revision = "e93b6d4c1a57"
branch_labels = None
depends_on = None

BATCH_SIZE = 1000

DUE_AFTER = timedelta(days=14)
"""When a delivery without an expected date is due after its order."""

# Batch mode would drop the triggers of the search, and SQLite takes constraints only with columns.
SQLITE_COLUMNS = (
    "expected_on DATE",
    """
    due_on DATE DEFAULT '1970-01-01' NOT NULL
    CONSTRAINT ck_delivery_due_when_expected CHECK (expected_on IS NULL OR due_on = expected_on)
    """,
    "item_key VARCHAR(800) DEFAULT '' NOT NULL",
    "revision INTEGER DEFAULT 0 NOT NULL",
    "changes JSON",
    """
    cancelled_at DATETIME
    CONSTRAINT ck_delivery_cancelled_or_delivered
    CHECK (cancelled_at IS NULL OR delivered_at IS NULL)
    """,
    """
    cancelled_by INTEGER
    CONSTRAINT fk_delivery_cancelled_by_user_account REFERENCES user_account (id)
    """,
    """
    cancel_reason VARCHAR(200) DEFAULT '' NOT NULL
    CONSTRAINT ck_delivery_reason_of_cancelled
    CHECK (cancelled_at IS NOT NULL OR (cancelled_by IS NULL AND cancel_reason = ''))
    """,
)

POSTGRESQL_COLUMNS = (
    sa.Column("expected_on", sa.Date()),
    sa.Column("due_on", sa.Date(), nullable=False, server_default="1970-01-01"),
    sa.Column("item_key", sa.String(800, collation="C"), nullable=False, server_default=""),
    sa.Column("revision", sa.Integer(), nullable=False, server_default="0"),
    sa.Column("changes", sa.JSON()),
    sa.Column("cancelled_at", sa.DateTime()),
    sa.Column("cancelled_by", sa.Integer()),
    sa.Column("cancel_reason", sa.String(200), nullable=False, server_default=""),
)

POSTGRESQL_CHECKS = {
    "due_when_expected": "expected_on IS NULL OR due_on = expected_on",
    "cancelled_or_delivered": "cancelled_at IS NULL OR delivered_at IS NULL",
    "reason_of_cancelled": (
        "cancelled_at IS NOT NULL OR (cancelled_by IS NULL AND cancel_reason = '')"
    ),
}

IS_PENDING = "delivered_at IS NULL AND cancelled_at IS NULL"

HOLDER_SINCE = """
    UPDATE place_key SET holder_since = coalesce(
        (
            SELECT max(at) FROM key_change
            WHERE key_change.label_key = place_key.label_key
            AND key_change.holder = place_key.holder
        ),
        (SELECT max(at) FROM key_change WHERE key_change.label_key = place_key.label_key)
    )
    WHERE holder <> ''
"""


def upgrade() -> None:
    connection = op.get_bind()
    _add_columns(connection.dialect.name)
    _fill(connection)
    op.drop_index("ix_delivery_pending", "delivery")
    _create_partial("ix_delivery_pending", ["ordered_on", "id"], IS_PENDING)
    _create_partial("ix_delivery_due", ["due_on", "id"], IS_PENDING)
    _create_partial("ix_delivery_cancelled", ["cancelled_at", "id"], "cancelled_at IS NOT NULL")
    _create_partial("ix_delivery_last_order", ["item_key", "id"], "cancelled_at IS NULL")
    op.add_column("place_key", sa.Column("holder_since", sa.DateTime()))
    op.execute(HOLDER_SINCE)


def _add_columns(engine: str) -> None:
    if engine == "sqlite":
        for column in SQLITE_COLUMNS:
            op.execute(f"ALTER TABLE delivery ADD COLUMN {column}")
        return
    for column in POSTGRESQL_COLUMNS:
        op.add_column("delivery", column)
    op.create_foreign_key(
        "fk_delivery_cancelled_by_user_account",
        "delivery",
        "user_account",
        ["cancelled_by"],
        ["id"],
    )
    for name, condition in POSTGRESQL_CHECKS.items():
        op.create_check_constraint(f"ck_delivery_{name}", "delivery", condition)


def _create_partial(name: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, "delivery", columns, sqlite_where=where, postgresql_where=where)


def _fill(connection: sa.Connection) -> None:
    """Set when each delivery is due and the key of its item, and count the pending ones."""
    delivery = sa.table(
        "delivery",
        sa.column("id", sa.Integer),
        sa.column("item", sa.String),
        sa.column("item_key", sa.String),
        sa.column("ordered_on", sa.Date),
        sa.column("due_on", sa.Date),
        sa.column("delivered_at", sa.DateTime),
    )
    rows = connection.execute(
        sa.select(delivery.c.id, delivery.c.item, delivery.c.ordered_on, delivery.c.delivered_at)
    ).all()
    update = (
        sa.update(delivery)
        .where(delivery.c.id == sa.bindparam("row_id"))
        .values(due_on=sa.bindparam("due_on"), item_key=sa.bindparam("item_key"))
    )
    numbers: dict[date, int] = {}
    for start in range(0, len(rows), BATCH_SIZE):
        values = []
        for row in rows[start : start + BATCH_SIZE]:
            due_on = row.ordered_on + DUE_AFTER
            values.append({"row_id": row.id, "due_on": due_on, "item_key": _key(row.item)})
            if row.delivered_at is None:
                numbers[due_on] = numbers.get(due_on, 0) + 1
        connection.execute(update, values)
    day_count = sa.table(
        "day_count",
        sa.column("list", sa.String),
        sa.column("day", sa.Date),
        sa.column("number", sa.Integer),
    )
    if numbers:
        op.bulk_insert(
            day_count,
            [{"list": "due deliveries", "day": day, "number": n} for day, n in numbers.items()],
        )


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
