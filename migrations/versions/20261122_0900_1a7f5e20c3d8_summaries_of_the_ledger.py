"""Summaries of the ledger and of each site, and indexes for lists, history and their searches"""

import unicodedata
from collections import Counter
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from alembic import op

revision = "1a7f5e20c3d8"
down_revision = "d7e3a1c59b46"
branch_labels = None
depends_on = None

ALL_DAYS = date(1, 1, 1)
PRICE_PART = 100_000
LISTED = "NOT (kind = 'count' AND delta = 0)"
REPLACED = (
    "ix_ledger_entry_site_id_effective_at",
    "ix_ledger_entry_site_id_team",
    "ix_ledger_entry_site_id_kind_delta",
)
INDEXES = {
    "ix_ledger_entry_site_id_effective_at_id": (["site_id", "effective_at", "id"], LISTED),
    "ix_ledger_entry_site_id_team_effective_at_id": (
        ["site_id", "team", "effective_at", "id"],
        LISTED,
    ),
    "ix_ledger_entry_site_id_kind_effective_at_id": (
        ["site_id", "kind", "effective_at", "id"],
        LISTED,
    ),
    "ix_ledger_entry_site_id_delta": (["site_id", "delta"], "imported_amount IS NULL"),
    "ix_ledger_entry_site_id_imported_amount": (
        ["site_id", "imported_amount"],
        "imported_amount IS NOT NULL",
    ),
    "ix_ledger_entry_imported_site": (["imported_site"], "imported_site IS NOT NULL"),
    "ix_ledger_entry_reason": (["reason"], "reason <> ''"),
}
SQLITE_SEARCH = """
    CREATE VIRTUAL TABLE {table}_search USING fts5(
        {column}, content='{table}', content_rowid='id', tokenize='trigram case_sensitive 1'
    )
"""
SQLITE_TRIGGER = """
    CREATE TRIGGER {table}_search_add AFTER INSERT ON {table}
    BEGIN INSERT INTO {table}_search (rowid, {column}) VALUES (NEW.id, NEW.{column}); END
"""
POSTGRESQL_SEARCH = (
    "CREATE INDEX ix_{table}_{column}_trigram ON {table} USING gin ({column} gin_trgm_ops)"
)
SEARCHED = {"ledger_reason": "reason_key", "item_past_name": "name_key"}
SITE_SUMS = """
    UPDATE stock_site SET
        items = (SELECT count(*) FROM item
                 WHERE item.site_id = stock_site.id AND removed_at IS NULL),
        units = (SELECT coalesce(sum(amount), 0) FROM item WHERE item.site_id = stock_site.id),
        value_high = (SELECT coalesce(sum(CAST(amount AS BIGINT) * (unit_price / {part})), 0)
                      FROM item WHERE item.site_id = stock_site.id),
        value_low = (SELECT coalesce(sum(CAST(amount AS BIGINT) * (unit_price % {part})), 0)
                     FROM item WHERE item.site_id = stock_site.id)
"""
PER_HOUR = f"""
    SELECT ledger_entry.site_id, substr(CAST(effective_at AS VARCHAR), 1, 13) AS hour, kind, team,
           coalesce(imported_site, stock_site.site) AS site,
           imported_amount IS NOT NULL AS is_imported,
           count(*) AS entries,
           sum(CASE WHEN imported_amount IS NOT NULL THEN imported_amount
                    WHEN kind IN ('delivery', 'withdrawal') THEN abs(delta)
                    ELSE delta END) AS units
    FROM ledger_entry JOIN stock_site ON stock_site.id = ledger_entry.site_id
    WHERE {LISTED}
    GROUP BY 1, 2, 3, 4, 5, 6
"""


def text_key(length: int) -> sa.String:
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for name in ("items", "units", "value_high", "value_low"):
        kind = sa.Integer() if name == "items" else sa.BigInteger()
        op.add_column("stock_site", sa.Column(name, kind, nullable=False, server_default="0"))
    op.create_table(
        "ledger_summary",
        sa.Column("site_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("team", sa.String(100), nullable=False),
        sa.Column("site", sa.String(10), nullable=False),
        sa.Column("is_imported", sa.Boolean(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("units", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["stock_site.id"], name="fk_ledger_summary_site_id_stock_site"
        ),
        sa.PrimaryKeyConstraint(
            *("site_id", "day", "kind", "team", "site", "is_imported"), name="pk_ledger_summary"
        ),
    )
    op.create_table(
        "ledger_reason",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(400), nullable=False),
        sa.Column("reason_key", text_key(1600), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ledger_reason"),
        sa.UniqueConstraint("reason", name="uq_ledger_reason_reason"),
    )
    op.create_table(
        "item_past_name",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("name_key", text_key(800), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_item_past_name_item_id_item"),
        sa.PrimaryKeyConstraint("id", name="pk_item_past_name"),
        sa.UniqueConstraint("item_id", "name_key", name="uq_item_past_name_item_id_name_key"),
    )
    for table, column in SEARCHED.items():
        for statement in (SQLITE_SEARCH, SQLITE_TRIGGER) if is_sqlite else (POSTGRESQL_SEARCH,):
            op.execute(statement.format(table=table, column=column))
    for name in REPLACED:
        op.drop_index(name, "ledger_entry")
    for name, (columns, where) in INDEXES.items():
        op.create_index(
            name,
            "ledger_entry",
            columns,
            sqlite_where=sa.text(where),
            postgresql_where=sa.text(where),
        )
    is_live = sa.text("removed_at IS NULL")
    op.create_index(
        "ix_item_live_category",
        "item",
        ["site_id", "category", "name_key"],
        sqlite_where=is_live,
        postgresql_where=is_live,
    )
    fill()


def fill() -> None:
    connection = op.get_bind()
    connection.execute(sa.text(SITE_SUMS.format(part=PRICE_PART)))
    entries: Counter[tuple] = Counter()
    units: Counter[tuple] = Counter()
    for row in connection.execute(sa.text(PER_HOUR)):
        hour = datetime.strptime(row.hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
        for day in (ALL_DAYS, hour.astimezone(ZoneInfo("Europe/London")).date()):
            key = (row.site_id, day, row.kind, row.team, row.site, bool(row.is_imported))
            entries[key] += row.entries
            units[key] += row.units
    names = ("site_id", "day", "kind", "team", "site", "is_imported")
    insert(
        sa.table("ledger_summary", sa.column("day", sa.Date), *map(sa.column, ALL_BUT_DAY)),
        [
            {**dict(zip(names, key, strict=True)), "entries": number, "units": units[key]}
            for key, number in entries.items()
        ],
    )
    reasons = "SELECT DISTINCT reason FROM ledger_entry WHERE reason <> ''"
    insert(
        sa.table("ledger_reason", sa.column("reason"), sa.column("reason_key")),
        [
            {"reason": reason, "reason_key": key_of(reason)}
            for reason in connection.execute(sa.text(reasons)).scalars()
        ],
    )
    renamed = (
        "SELECT DISTINCT item_id, item_name, name_key FROM ledger_entry "
        "JOIN item ON item.id = item_id WHERE item_name <> item.name"
    )
    past = {
        (row.item_id, key_of(row.item_name))
        for row in connection.execute(sa.text(renamed))
        if key_of(row.item_name) != row.name_key
    }
    insert(
        sa.table("item_past_name", sa.column("item_id"), sa.column("name_key")),
        [{"item_id": item_id, "name_key": key} for item_id, key in sorted(past)],
    )


ALL_BUT_DAY = ("site_id", "kind", "team", "site", "is_imported", "entries", "units")


def insert(table: sa.TableClause, rows: list[dict]) -> None:
    for first in range(0, len(rows), 1000):
        op.bulk_insert(table, rows[first : first + 1000])


def key_of(name: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
