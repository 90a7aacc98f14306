"""Minimums and targets of items, and where they are reordered"""

import sqlalchemy as sa
from alembic import op

revision = "c7e92b40d5f1"
down_revision = "f1a6c03e9b27"
branch_labels = None
depends_on = None


# A removed name that is added again has its level again.
WAKE = """
    UPDATE stock_level SET item_id = NEW.id WHERE item_id IN (
        SELECT level.item_id FROM item JOIN stock_level AS level ON level.item_id = item.id
        WHERE item.site_id = NEW.site_id AND item.name_key = NEW.name_key
            AND item.removed_at IS NOT NULL
    );
    UPDATE item SET minimum = (
        SELECT CASE WHEN source <> 'none' THEN stock_level.minimum END
        FROM stock_level WHERE item_id = NEW.id
    ) WHERE id = NEW.id AND EXISTS (SELECT 1 FROM stock_level WHERE item_id = NEW.id);
"""
TRIGGERS = {
    "sqlite": (
        f"""
        CREATE TRIGGER item_level AFTER INSERT ON item WHEN NEW.removed_at IS NULL
        BEGIN {WAKE} END
        """,
    ),
    "postgresql": (
        f"""
        CREATE FUNCTION item_level() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN {WAKE} RETURN NULL; END $$
        """,
        """
        CREATE TRIGGER item_level AFTER INSERT ON item
        FOR EACH ROW WHEN (NEW.removed_at IS NULL) EXECUTE FUNCTION item_level()
        """,
    ),
}


def upgrade() -> None:
    op.add_column("item", sa.Column("minimum", sa.Integer(), nullable=True))
    op.add_column(
        "stock_site", sa.Column("levels_version", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("supplier", sa.Column("lead_days", sa.Integer(), nullable=True))
    op.create_table(
        "stock_level",
        sa.Column("item_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("minimum", sa.Integer(), nullable=True),
        sa.Column("target", sa.Integer(), nullable=True),
        sa.Column("pack", sa.Integer(), nullable=False),
        sa.Column(
            "source",
            sa.Enum(
                *("supplier", "site", "none"),
                name="source",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=False,
        ),
        sa.Column("supplier", sa.String(100), nullable=False),
        sa.Column(
            "from_site",
            sa.Enum(
                *("main", "guildford", "northern"),
                name="from_site",
                native_enum=False,
                create_constraint=True,
            ),
            nullable=True,
        ),
        sa.Column("lead_days", sa.Integer(), nullable=True),
        sa.Column("snoozed_until", sa.Date(), nullable=True),
        sa.Column("snooze_reason", sa.String(200), nullable=False),
        sa.Column("set_by", sa.Integer(), nullable=True),
        sa.Column("set_at", sa.DateTime(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.CheckConstraint("pack >= 1", name="ck_stock_level_pack_is_positive"),
        sa.CheckConstraint("target >= minimum", name="ck_stock_level_target_reaches_minimum"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name="fk_stock_level_item_id_item"),
        sa.ForeignKeyConstraint(
            ["set_by"], ["user_account.id"], name="fk_stock_level_set_by_user_account"
        ),
        sa.PrimaryKeyConstraint("item_id", name="pk_stock_level"),
    )
    for statement in TRIGGERS[op.get_context().dialect.name]:
        op.execute(statement)
