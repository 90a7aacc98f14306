"""Use of items by day, kept by triggers of the ledger, and what was undone in its summaries"""

import sqlalchemy as sa
from alembic import op

revision = "b5d03f91a6e8"
down_revision = "e3a5c8d17f24"
branch_labels = None
depends_on = None

PRICE_PART = 100_000
UNDONE = ("undone_units", "undone_high", "undone_low")

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
VALUES = f"""
    CAST({{entry}}delta AS BIGINT), {UNITS},
    ({TIMES}) * ({PRICE} / {PRICE_PART}), ({TIMES}) * ({PRICE} % {PRICE_PART})
"""
MATTERS = f"({{entry}}delta <> 0 OR {IS_USE})"
COLUMNS = "item_id, day, delta, units, value_high, value_low"
ADD = f"""
    INSERT INTO item_use ({COLUMNS}) VALUES (NEW.item_id, {{day}}, {VALUES})
    ON CONFLICT (item_id, day) DO UPDATE SET
        delta = item_use.delta + excluded.delta,
        units = item_use.units + excluded.units,
        value_high = item_use.value_high + excluded.value_high,
        value_low = item_use.value_low + excluded.value_low;
"""
TRIGGERS = {
    "sqlite": (
        f"""
        CREATE TRIGGER ledger_entry_use AFTER INSERT ON ledger_entry WHEN {MATTERS}
        BEGIN {ADD} END
        """,
    ),
    "postgresql": (
        f"""
        CREATE FUNCTION ledger_entry_use() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN {ADD} RETURN NULL; END $$
        """,
        f"""
        CREATE TRIGGER ledger_entry_use AFTER INSERT ON ledger_entry FOR EACH ROW
        WHEN ({MATTERS}) EXECUTE FUNCTION ledger_entry_use()
        """,
    ),
}
FILL = f"""
    INSERT INTO item_use ({COLUMNS})
    SELECT item_id, day, sum(delta), sum(units), sum(value_high), sum(value_low)
    FROM (
        SELECT item_id, {{day}} AS day, CAST(delta AS BIGINT) AS delta, {UNITS} AS units,
               ({TIMES}) * ({PRICE} / {PRICE_PART}) AS value_high,
               ({TIMES}) * ({PRICE} % {PRICE_PART}) AS value_low
        FROM ledger_entry WHERE {MATTERS}
    ) AS entries
    GROUP BY item_id, day
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
    dialect = op.get_context().dialect.name
    op.create_table(
        "item_use",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        *(
            sa.Column(name, sa.BigInteger(), nullable=False, server_default="0")
            for name in ("delta", "units", "undone", "value_high", "value_low")
        ),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_item_use_item_id_item"),
        sa.PrimaryKeyConstraint("item_id", "day", name="pk_item_use"),
    )
    for name in UNDONE:
        column = sa.Column(name, sa.BigInteger(), nullable=False, server_default="0")
        op.add_column("ledger_summary", column)
    day = LONDON_DAY[dialect]
    for statement in TRIGGERS[dialect]:
        op.execute(statement.format(entry="NEW.", day=day.format(entry="NEW.")))
    op.execute(FILL.format(entry="", day=day.format(entry="")))
    op.execute(FILL_UNDONE.format(entry="", day=day.format(entry="")))
    for day_of_entry in (day.format(entry="entry."), "CAST('0001-01-01' AS {type})"):
        summed = day_of_entry.format(type="TEXT" if dialect == "sqlite" else "DATE")
        op.execute(SUM_UNDONE.format(day=summed, amount=AMOUNT))
