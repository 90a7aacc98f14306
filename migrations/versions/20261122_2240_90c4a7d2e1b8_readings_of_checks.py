"""Fill in the odometer readings of the checks that are there"""

import sqlalchemy as sa
from alembic import op

revision = "90c4a7d2e1b8"
down_revision = "e37b90d1f6a4"
branch_labels = None
depends_on = None

BATCH_SIZE = 2000
MAX_MILES_A_DAY = 1000

CHECK = sa.table(
    "vehicle_check",
    sa.column("id", sa.Integer),
    sa.column("reg", sa.String),
    sa.column("reg_key", sa.String),
    sa.column("day", sa.Date),
    sa.column("odometer", sa.Integer),
    sa.column("submitted_by", sa.Integer),
    sa.column("submitted_at", sa.DateTime),
)
READING = sa.table(
    "odometer_reading",
    sa.column("reg", sa.String),
    sa.column("reg_key", sa.String),
    sa.column("day", sa.Date),
    sa.column("miles", sa.Integer),
    sa.column("source", sa.String),
    sa.column("source_id", sa.Integer),
    sa.column("is_accepted", sa.Boolean),
    sa.column("doubt", sa.String),
    sa.column("recorded_by", sa.Integer),
    sa.column("recorded_at", sa.DateTime),
    sa.column("void_reason", sa.Text),
)


def upgrade() -> None:
    if op.get_context().as_sql:
        return
    connection = op.get_bind()
    place = (CHECK.c.reg_key, CHECK.c.day, CHECK.c.id)
    has_reading = (
        sa.select(READING.c.source_id)
        .where(READING.c.source == "check", READING.c.source_id == CHECK.c.id)
        .exists()
    )
    statement = sa.select(CHECK).where(~has_reading).order_by(*place).limit(BATCH_SIZE)
    after = None
    before = None
    while True:
        part = statement
        if after is not None:
            last = sa.tuple_(
                *(sa.literal(value, c.type) for value, c in zip(after, place, strict=True))
            )
            part = part.where(sa.tuple_(*place) > last)
        checks = connection.execute(part).all()
        if not checks:
            return
        rows = []
        for check in checks:
            if before is None or before.reg_key != check.reg_key:
                before = None
            doubt = find_doubt(check, before)
            before = before if doubt else check
            rows.append(reading(check, doubt))
        connection.execute(sa.insert(READING), rows)
        after = (checks[-1].reg_key, checks[-1].day, checks[-1].id)


def find_doubt(check: sa.Row, before: sa.Row | None) -> str | None:
    """Judge a check by the one before it that is used."""
    if before is None:
        return None
    rise = check.odometer - before.odometer
    if rise < 0:
        return "fell"
    days = max((check.day - before.day).days, 1)
    return "jumped" if rise > MAX_MILES_A_DAY * days else None


def reading(check: sa.Row, doubt: str | None) -> dict:
    return {
        "reg": check.reg,
        "reg_key": check.reg_key,
        "day": check.day,
        "miles": check.odometer,
        "source": "check",
        "source_id": check.id,
        "is_accepted": doubt is None,
        "doubt": doubt,
        "recorded_by": check.submitted_by,
        "recorded_at": check.submitted_at,
        "void_reason": "",
    }


def downgrade() -> None:
    """Leave the readings, which nothing reads."""
