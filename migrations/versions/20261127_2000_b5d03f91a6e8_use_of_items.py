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
