"""What was said before in the fields of a check."""

from collections import Counter, defaultdict
from collections.abc import Collection

from sqlalchemy import select

from app import names
from app.db import db
from app.fleet.models import Check

LAST_CHECKS = 500
MOST_TEXTS = 20


def said_before(fields: Collection[str]) -> dict[str, list[str]]:
    """Return for each field the texts of the last checks, those that were said most first."""
    counts: dict[str, Counter[str]] = {field: Counter() for field in fields}
    spelled: dict[str, dict[str, str]] = defaultdict(dict)
    last = select(Check.items).order_by(Check.id.desc()).limit(LAST_CHECKS)
    for items in db.session.execute(last).scalars():
        for field, said in items.items():
            if field in counts and isinstance(said, str) and said.strip():
                key = names.key(said)
                counts[field][key] += 1
                # The newest spelling is the one that is offered.
                spelled[field].setdefault(key, said.strip())
    return {
        field: [spelled[field][key] for key, _ in count.most_common(MOST_TEXTS)]
        for field, count in counts.items()
    }
