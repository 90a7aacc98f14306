"""Deliveries whose stock was undone become pending"""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from alembic import op

revision = "d6a0f48e2c95"
down_revision = "7b1e5d9c3a42"
branch_labels = None
depends_on = None

# An odd number of undos in a row took the stock out.
UNDONE = """
    WITH RECURSIVE undo (delivery_id, operation_id, place) AS (
        SELECT id, operation_id, 0 FROM delivery WHERE operation_id IS NOT NULL
        UNION ALL
        SELECT undo.delivery_id, stock_operation.id, undo.place + 1
        FROM undo JOIN stock_operation ON stock_operation.undoes_id = undo.operation_id
    )
    SELECT delivery.id, delivery.operation_id, ordered_on, due_on, delivered_at, revision, changes
    FROM delivery
    JOIN (SELECT delivery_id, max(place) AS place FROM undo GROUP BY delivery_id) AS last
        ON last.delivery_id = delivery.id
    WHERE last.place % 2 = 1
    ORDER BY delivery.id
"""
PENDING = """
    UPDATE delivery
    SET delivered_at = NULL, delivered_by = NULL, operation_id = NULL,
        revision = revision + 1, changes = :changes
    WHERE id = :id AND revision = :revision AND operation_id = :operation_id
"""
COUNT = """
    INSERT INTO day_count (list, day, number) VALUES (:list, :day, :number)
    ON CONFLICT (list, day) DO UPDATE SET number = day_count.number + excluded.number
"""


def upgrade() -> None:
    if op.get_context().as_sql:
        return
    connection = op.get_bind()
    columns = {
        "ordered_on": sa.Date,
        "due_on": sa.Date,
        "delivered_at": sa.DateTime,
        "changes": sa.JSON,
    }
    rows = connection.execute(sa.text(UNDONE).columns(**columns)).all()
    for row in rows:
        moment = row.delivered_at.replace(tzinfo=UTC)
        day = moment.astimezone(ZoneInfo("Europe/London")).date()
        change = {
            "kind": "scheduled again",
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "by": None,
            "detail": f"delivery of {day.day} {day:%b %Y} undone, operation {row.operation_id}",
        }
        values = {
            "id": row.id,
            "revision": row.revision,
            "operation_id": row.operation_id,
            "changes": [*(row.changes or []), change],
        }
        with_json = sa.text(PENDING).bindparams(sa.bindparam("changes", type_=sa.JSON))
        if connection.execute(with_json, values).rowcount:
            undo = "INSERT INTO delivery_undo (operation_id, delivery_id) VALUES (:operation, :id)"
            connection.execute(sa.text(undo), {"operation": row.operation_id, "id": row.id})
            _count(connection, "pending deliveries", row.ordered_on, 1)
            _count(connection, "due deliveries", row.due_on, 1)
            _count(connection, "received deliveries", day, -1)
    if rows:
        version = "UPDATE data_version SET version = version + 1 WHERE name = 'deliveries'"
        connection.execute(sa.text(version))


def _count(connection: sa.Connection, name: str, day: date, number: int) -> None:
    statement = sa.text(COUNT).bindparams(sa.bindparam("day", type_=sa.Date))
    connection.execute(statement, {"list": name, "day": day, "number": number})


def downgrade() -> None:
    """Leave them pending: their stock is out."""
