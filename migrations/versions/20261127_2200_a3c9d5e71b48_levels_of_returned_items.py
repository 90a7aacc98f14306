"""The level of a name that returns is that of its last item"""

from alembic import op

revision = "a3c9d5e71b48"
down_revision = "f19a6c3e8b72"
branch_labels = None
depends_on = None

# An item whose removal is undone after its name was added anew and removed gets the level too.
WAKE = """
    UPDATE stock_level SET item_id = NEW.id WHERE item_id = (
        SELECT item.id FROM item JOIN stock_level AS level ON level.item_id = item.id
        WHERE item.site_id = NEW.site_id AND item.name_key = NEW.name_key
            AND item.removed_at IS NOT NULL
        ORDER BY item.removed_at DESC, item.id DESC LIMIT 1
    ) AND NOT EXISTS (SELECT 1 FROM stock_level WHERE item_id = NEW.id);
    UPDATE item SET minimum = (
        SELECT CASE WHEN source <> 'none' THEN stock_level.minimum END
        FROM stock_level WHERE item_id = item.id
    ) WHERE site_id = NEW.site_id AND name_key = NEW.name_key
        AND (id = NEW.id OR minimum IS NOT NULL)
        AND EXISTS (SELECT 1 FROM stock_level WHERE item_id = NEW.id);
    UPDATE stock_site SET levels_version = levels_version + 1
    WHERE id = NEW.site_id AND EXISTS (SELECT 1 FROM stock_level WHERE item_id = NEW.id);
"""
ADDED = "NEW.removed_at IS NULL"
RETURNED = f"{ADDED} AND OLD.removed_at IS NOT NULL"
TRIGGERS = {
    "sqlite": [
        "DROP TRIGGER item_level",
        f"CREATE TRIGGER item_level AFTER INSERT ON item WHEN {ADDED} BEGIN {WAKE} END",
        f"""
        CREATE TRIGGER item_level_again AFTER UPDATE OF removed_at ON item WHEN {RETURNED}
        BEGIN {WAKE} END
        """,
    ],
    "postgresql": [
        f"""
        CREATE OR REPLACE FUNCTION item_level() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN {WAKE} RETURN NULL; END $$
        """,
        f"""
        CREATE TRIGGER item_level_again AFTER UPDATE OF removed_at ON item
        FOR EACH ROW WHEN ({RETURNED}) EXECUTE FUNCTION item_level()
        """,
    ],
}


def upgrade() -> None:
    for statement in TRIGGERS[op.get_context().dialect.name]:
        op.execute(statement)


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
