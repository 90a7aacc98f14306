"""Fill in the total prices of the history's rows"""

from collections import defaultdict
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from alembic import op

revision = "a4d90c6e2f18"
down_revision = "5c8f1d3b07ea"
branch_labels = None
depends_on = None

ALL_DAYS = date(1, 1, 1)
PRICE_PART = 100_000
BATCH_SIZE = 1000
KEY = ("site_id", "day", "kind", "team", "site", "is_imported")
AMOUNT = """
    CASE WHEN imported_total IS NOT NULL THEN 1
         WHEN imported_amount IS NOT NULL THEN imported_amount
         WHEN kind IN ('delivery', 'withdrawal') THEN abs(delta)
         ELSE delta END
"""
PRICE = "coalesce(imported_total, unit_price)"
PER_HOUR = f"""
    SELECT ledger_entry.site_id, substr(CAST(effective_at AS VARCHAR), 1, 13) AS hour, kind, team,
           coalesce(imported_site, stock_site.site) AS site,
           imported_amount IS NOT NULL AS is_imported,
           sum(CAST({AMOUNT} AS BIGINT) * ({PRICE} / {PRICE_PART})) AS high,
           sum(CAST({AMOUNT} AS BIGINT) * ({PRICE} % {PRICE_PART})) AS low
    FROM ledger_entry JOIN stock_site ON stock_site.id = ledger_entry.site_id
    WHERE NOT (kind = 'count' AND delta = 0)
    GROUP BY 1, 2, 3, 4, 5, 6
"""


def upgrade() -> None:
    if op.get_context().as_sql:
        return
    connection = op.get_bind()
    parts: dict[tuple, list[int]] = defaultdict(lambda: [0, 0])
    for row in connection.execute(sa.text(PER_HOUR)):
        hour = datetime.strptime(row.hour, "%Y-%m-%d %H").replace(tzinfo=UTC)
        for day in (ALL_DAYS, hour.astimezone(ZoneInfo("Europe/London")).date()):
            sums = parts[row.site_id, day, row.kind, row.team, row.site, bool(row.is_imported)]
            sums[0] += int(row.high)
            sums[1] += int(row.low)
    columns = [sa.column(name) for name in KEY if name not in ("day", "is_imported")]
    summary = sa.table(
        "ledger_summary",
        sa.column("day", sa.Date),
        sa.column("is_imported", sa.Boolean),
        sa.column("value_high"),
        sa.column("value_low"),
        *columns,
    )
    update = (
        sa.update(summary)
        .where(*(summary.c[name] == sa.bindparam(f"of_{name}") for name in KEY))
        .values(value_high=sa.bindparam("high"), value_low=sa.bindparam("low"))
    )
    rows = [
        {
            **{f"of_{name}": value for name, value in zip(KEY, key, strict=True)},
            "high": high,
            "low": low,
        }
        for key, (high, low) in parts.items()
    ]
    for start in range(0, len(rows), BATCH_SIZE):
        connection.execute(update, rows[start : start + BATCH_SIZE])


def downgrade() -> None:
    """Leave the sums, which nothing reads."""
