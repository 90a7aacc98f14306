"""A number for each delivery that is there; GFM takes none where an earlier release may serve"""

import sqlalchemy as sa
from alembic import op

revision = "e84b7cad1001"
down_revision = "c35018f4fdf1"
branch_labels = None
depends_on = None

BATCH_SIZE = 1000
NUMBER = """
    UPDATE delivery SET order_number = id
    WHERE order_number IS NULL AND id > :after AND id <= :after + :size
"""


def upgrade() -> None:
    # Who has accounts has used an earlier release.
    op.execute("""
        UPDATE stock_site SET takes_deliveries = false
        WHERE division = 'gfm' AND EXISTS (SELECT 1 FROM user_account)
    """)
    if op.get_context().as_sql:
        return
    connection = op.get_bind()
    last = connection.execute(sa.text("SELECT coalesce(max(id), 0) FROM delivery")).scalar_one()
    for after in range(0, last, BATCH_SIZE):
        connection.execute(sa.text(NUMBER), {"after": after, "size": BATCH_SIZE})
    counter = "UPDATE number_counter SET last = :last WHERE series = 'O'"
    connection.execute(sa.text(counter), {"last": last})


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
