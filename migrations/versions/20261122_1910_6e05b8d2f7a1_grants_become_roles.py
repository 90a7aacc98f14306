"""Whoever has a division becomes its worker and manager"""

from alembic import op

revision = "6e05b8d2f7a1"
down_revision = "9d41e7c35b08"
branch_labels = None
depends_on = None

ROLES = ("worker", "manager")


def upgrade() -> None:
    for role in ROLES:
        op.execute(
            f"""
            INSERT INTO role_grant (user_id, division, role)
            SELECT DISTINCT user_id, lower(value), '{role}' FROM access_grant
            WHERE kind = 'permission' AND lower(value) IN ('gfm', 'gpm', 'fleet', 'assets')
            ON CONFLICT DO NOTHING
            """
        )


def downgrade() -> None:
    """Leave the roles; the permissions are still there."""
