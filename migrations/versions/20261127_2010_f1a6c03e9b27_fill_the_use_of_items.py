"""Fill the use of items by day, and what was undone in the summaries of the ledger"""

from alembic import op

revision = "f1a6c03e9b27"
down_revision = "b5d03f91a6e8"
branch_labels = None
depends_on = None

PRICE_PART = 100_000

# The clocks of London change on the last Sundays of March and October, at 1:00 UTC.
LONDON_DAY = {
    "sqlite": """
        date({entry}effective_at, CASE
            WHEN {entry}effective_at
                >= date(substr({entry}effective_at, 1, 4) || '-03-25', 'weekday 0') || ' 01:00'
            AND {entry}effective_at
                < date(substr({entry}effective_at, 1, 4) || '-10-25', 'weekday 0') || ' 01:00'
            THEN '+1 hour' ELSE '+0 hours' END)
    """,
    "postgresql": """
        CAST({entry}effective_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/London' AS date)
    """,
}
IS_USE = "{entry}kind = 'withdrawal'"
UNITS = f"""
    CASE WHEN {IS_USE}
    THEN CAST(coalesce({{entry}}imported_amount, -{{entry}}delta) AS BIGINT) ELSE 0 END
"""
PRICE = "coalesce({entry}imported_total, CAST({entry}unit_price AS BIGINT))"
TIMES = f"CASE WHEN {{entry}}imported_total IS NULL THEN {UNITS} WHEN {IS_USE} THEN 1 ELSE 0 END"
MATTERS = f"({{entry}}delta <> 0 OR {IS_USE})"
COLUMNS = "item_id, day, delta, units, value_high, value_low"
FILL = f"""
    INSERT INTO item_use ({COLUMNS})
    SELECT item_id, day, sum(delta), sum(units), sum(value_high), sum(value_low)
    FROM (
        SELECT item_id, {{day}} AS day, CAST(delta AS BIGINT) AS delta, {UNITS} AS units,
               ({TIMES}) * ({PRICE} / {PRICE_PART}) AS value_high,
               ({TIMES}) * ({PRICE} % {PRICE_PART}) AS value_low
        FROM ledger_entry WHERE {MATTERS}
    ) AS entries
    WHERE true
    GROUP BY item_id, day
    ON CONFLICT (item_id, day) DO UPDATE SET delta = excluded.delta, units = excluded.units,
        value_high = excluded.value_high, value_low = excluded.value_low
"""
UNDONE_OPERATIONS = """
    WITH RECURSIVE chain (first, id, place) AS (
        SELECT first.id, undo.id, 1 FROM stock_operation AS first
        JOIN stock_operation AS undo ON undo.undoes_id = first.id WHERE first.undoes_id IS NULL
        UNION ALL
        SELECT chain.first, following.id, chain.place + 1
        FROM chain JOIN stock_operation AS following ON following.undoes_id = chain.id
    )
    SELECT first FROM chain GROUP BY first HAVING max(place) % 2 = 1
"""
FILL_UNDONE = f"""
    UPDATE item_use SET undone = entries.units,
        value_high = item_use.value_high - entries.value_high,
        value_low = item_use.value_low - entries.value_low
    FROM (
        SELECT item_id, {{day}} AS day, sum({UNITS}) AS units,
               sum(({TIMES}) * ({PRICE} / {PRICE_PART})) AS value_high,
               sum(({TIMES}) * ({PRICE} % {PRICE_PART})) AS value_low
        FROM ledger_entry WHERE {IS_USE} AND operation_id IN ({UNDONE_OPERATIONS})
        GROUP BY 1, 2
    ) AS entries
    WHERE entries.item_id = item_use.item_id AND entries.day = item_use.day
"""
SUM_UNDONE = f"""
    UPDATE ledger_summary SET undone_units = entries.units,
        undone_high = entries.value_high, undone_low = entries.value_low
    FROM (
        SELECT entry.site_id, {{day}} AS day, entry.kind, entry.team, stock_site.site,
               sum({{amount}}) AS units,
               sum({{amount}} * CAST(unit_price / {PRICE_PART} AS BIGINT)) AS value_high,
               sum({{amount}} * CAST(unit_price % {PRICE_PART} AS BIGINT)) AS value_low
        FROM ledger_entry AS entry JOIN stock_site ON stock_site.id = entry.site_id
        WHERE operation_id IN ({UNDONE_OPERATIONS})
            AND NOT (entry.kind = 'count' AND entry.delta = 0)
        GROUP BY 1, 2, 3, 4, 5
    ) AS entries
    WHERE entries.site_id = ledger_summary.site_id AND entries.kind = ledger_summary.kind
        AND entries.team = ledger_summary.team AND entries.site = ledger_summary.site
        AND NOT ledger_summary.is_imported AND entries.day = ledger_summary.day
"""
AMOUNT = """
    CAST(CASE WHEN kind IN ('delivery', 'withdrawal') THEN abs(delta) ELSE delta END AS BIGINT)
"""


def upgrade() -> None:
    for statement in fills(op.get_context().dialect.name):
        op.execute(statement)


def fills(dialect: str) -> list[str]:
    day = LONDON_DAY[dialect]
    all_days = f"CAST('0001-01-01' AS {'TEXT' if dialect == 'sqlite' else 'DATE'})"
    return [
        FILL.format(entry="", day=day.format(entry="")),
        FILL_UNDONE.format(entry="", day=day.format(entry="")),
        *(
            SUM_UNDONE.format(day=each, amount=AMOUNT)
            for each in (day.format(entry="entry."), all_days)
        ),
    ]
