"""The numbers of deliveries that had none are found by a search"""

import sqlalchemy as sa
from alembic import op

revision = "f60b1d28c9e7"
down_revision = "a3c9d5e71b48"
branch_labels = None
depends_on = None

BATCH_SIZE = 1000
ORDER_NUMBER = "CAST(order_number AS VARCHAR)"
REFERENCE = f"'o-' || substr('0000', length({ORDER_NUMBER}) + 1) || {ORDER_NUMBER} || '\n'"
FIND_BY_NUMBER = f"""
    UPDATE delivery SET search_key = {REFERENCE} || search_key
    WHERE id > :after AND id <= :after + :size AND order_number IS NOT NULL
        AND search_key NOT LIKE {REFERENCE} || '%'
"""


def upgrade() -> None:
    if op.get_context().as_sql:
        return
    connection = op.get_bind()
    last = connection.execute(sa.text("SELECT coalesce(max(id), 0) FROM delivery")).scalar_one()
    for after in range(0, last, BATCH_SIZE):
        connection.execute(sa.text(FIND_BY_NUMBER), {"after": after, "size": BATCH_SIZE})


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
