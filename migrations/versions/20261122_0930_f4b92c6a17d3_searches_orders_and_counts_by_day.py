"""Indexes for words within texts and for orders of lists, and numbers of rows by day"""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from alembic import op

revision = "f4b92c6a17d3"
down_revision = "1a7f5e20c3d8"
branch_labels = None
depends_on = None

LONDON = ZoneInfo("Europe/London")
BATCH_SIZE = 1000

SEARCHED = (
    "asset",
    "asset_move",
    "delivery",
    "place_key",
    "service",
    "vehicle",
    "vehicle_check",
)
"""The tables with a column `search_key`, in which searches look."""

NEW_SEARCH_KEYS = {
    "place_key": ("code", "name", "holder", "notes"),
    "service": ("name", "description"),
    "vehicle": ("reg", "make", "model", "location", "classification"),
}
"""The texts that are searched of tables that had no `search_key`."""

SQLITE_SEARCH = (
    """
    CREATE VIRTUAL TABLE {table}_search USING fts5(
        search_key, content='{table}', content_rowid='id', tokenize='trigram case_sensitive 1'
    )
    """,
    "INSERT INTO {table}_search (rowid, search_key) SELECT id, search_key FROM {table}",
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

GROUPED = ("category", "location", "make", "model", "status", "supplier")

IS_FLAGGED = {
    "sqlite": "has_damage = 1 OR cost > 0 OR odometer_fell = 1",
    "postgresql": "has_damage OR cost > 0 OR odometer_fell",
}


def upgrade() -> None:
    connection = op.get_bind()
    engine = connection.dialect.name
    for table, columns in NEW_SEARCH_KEYS.items():
        op.add_column(table, sa.Column("search_key", sa.Text(), nullable=False, server_default=""))
        _fill_search_keys(connection, table, columns)
    op.add_column("asset", sa.Column("value", sa.BigInteger(), nullable=False, server_default="0"))
    op.execute("UPDATE asset SET value = CAST(quantity AS BIGINT) * purchase_price")
    for table in SEARCHED:
        for statement in SQLITE_SEARCH if engine == "sqlite" else POSTGRESQL_SEARCH:
            op.execute(statement.format(table=table))
    _create_indexes(engine)
    _count_days(connection, IS_FLAGGED[engine])


def _create_indexes(engine: str) -> None:
    for name in GROUPED:
        op.drop_index(f"ix_asset_{name}_sums", "asset")
        columns = [f"{name}_key", "item_key", "id", name, "quantity", "purchase_price"]
        op.create_index(f"ix_asset_{name}_sums", "asset", columns)
    for column in ("serial_key", "quantity", "purchase_price", "value", "purchase_date"):
        op.create_index(f"ix_asset_{column}_order", "asset", [column, "item_key", "id"])
    op.create_index("ix_asset_move_user_id_at_id", "asset_move", ["user_id", "at", "id"])
    # SQLite looked up the pending ones in this index and sorted them all.
    op.drop_index("ix_delivery_delivered_at_id", "delivery")
    _create_partial(
        "ix_delivery_delivered", "delivery", ["delivered_at", "id"], "delivered_at IS NOT NULL"
    )
    op.create_index("ix_key_change_at_id", "key_change", ["at", "id"])
    for name in ("status", "classification", "location"):
        columns = ["fleet_list", name, "reg_key"]
        op.create_index(f"ix_vehicle_fleet_list_{name}_reg_key", "vehicle", columns)
    op.create_index("ix_vehicle_event_check_id", "vehicle_event", ["check_id"])
    moments = ["fleet_list", "at", "id"]
    op.create_index("ix_vehicle_event_fleet_list_at_id", "vehicle_event", moments)
    _create_partial("ix_vehicle_event_changes", "vehicle_event", moments, "check_id IS NULL")
    op.drop_index("ix_vehicle_check_reg_key_day_id", "vehicle_check")
    readings = ["reg_key", "day", "id", "odometer"]
    op.create_index("ix_vehicle_check_reg_key_day_id_odometer", "vehicle_check", readings)
    days = ["day", "id"]
    _create_partial("ix_vehicle_check_reviewed", "vehicle_check", days, "reviewed_at IS NOT NULL")
    _create_partial("ix_vehicle_check_flagged", "vehicle_check", days, IS_FLAGGED[engine])
    _create_partial(
        "ix_vehicle_check_costs", "vehicle_check", ["reg_key", "day", "cost"], "cost > 0"
    )


def _create_partial(name: str, table: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)


def _fill_search_keys(connection: sa.Connection, table: str, columns: tuple[str, ...]) -> None:
    listed = ", ".join(columns)
    rows = connection.execute(sa.text(f"SELECT id, {listed} FROM {table}")).all()
    update = sa.text(f"UPDATE {table} SET search_key = :search_key WHERE id = :id")
    for start in range(0, len(rows), BATCH_SIZE):
        batch = rows[start : start + BATCH_SIZE]
        connection.execute(
            update,
            [{"id": id_, "search_key": _search_key(table, texts)} for id_, *texts in batch],
        )


def _search_key(table: str, texts: list[str]) -> str:
    keys = [unicodedata.normalize("NFKC", " ".join(t.split())).casefold() for t in texts]
    if table == "vehicle":
        # A registration is found with its spaces and without.
        keys.insert(1, keys[0].replace(" ", ""))
    return "\n".join(keys)


def _count_days(connection: sa.Connection, is_flagged: str) -> None:
    day_count = op.create_table(
        "day_count",
        sa.Column("list", sa.String(40), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("list", "day", name="pk_day_count"),
    )

    def insert(name: str, numbers: Counter[date]) -> None:
        if numbers:
            rows = [{"list": name, "day": day, "number": n} for day, n in numbers.items()]
            op.bulk_insert(day_count, rows)

    def by_day(table: str, column: str, where: str) -> Counter[date]:
        statement = sa.text(
            f"SELECT {column} AS day, count(*) AS number FROM {table} WHERE {where} GROUP BY 1"
        ).columns(day=sa.Date(), number=sa.Integer())
        return Counter({row.day: row.number for row in connection.execute(statement)})

    def by_london_day(table: str, column: str, where: str) -> Counter[date]:
        # London is a whole number of hours from UTC, so grouping by hour is exact.
        statement = sa.text(
            f"SELECT substr(CAST({column} AS VARCHAR), 1, 13) AS hour, count(*) AS number "
            f"FROM {table} WHERE {where} GROUP BY 1"
        )
        return _london_days((row.hour, row.number) for row in connection.execute(statement))

    for flag, flag_condition in (("flagged", is_flagged), ("plain", f"NOT ({is_flagged})")):
        for review, review_condition in (("reviewed", "IS NOT NULL"), ("unreviewed", "IS NULL")):
            where = f"({flag_condition}) AND reviewed_at {review_condition}"
            insert(f"{flag} {review} checks", by_day("vehicle_check", "day", where))
    insert("asset moves", by_london_day("asset_move", "at", "1 = 1"))
    insert("pending deliveries", by_day("delivery", "ordered_on", "delivered_at IS NULL"))
    where = "delivered_at IS NOT NULL"
    insert("received deliveries", by_london_day("delivery", "delivered_at", where))


def _london_days(hours: Iterable[tuple[str, int]]) -> Counter[date]:
    days: Counter[date] = Counter()
    for hour, number in hours:
        start = datetime.strptime(hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
        days[start.astimezone(LONDON).date()] += number
    return days


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
