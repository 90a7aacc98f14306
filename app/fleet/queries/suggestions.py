"""Suggestions for the text fields of a check, taken from earlier checks."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import select

from app import names
from app.cache import cached
from app.db import db
from app.fleet.models import Check
from app.fleet.rules.versions import CHECKS
from app.versions import version_of

RECENT_CHECKS = 500
MAX_SUGGESTIONS = 20


def suggestions(field_names: Collection[str]) -> Mapping[str, Sequence[str]]:
    """Return the texts of the last RECENT_CHECKS checks by field, the most frequent first."""
    names_of_fields = tuple(sorted(field_names))
    return cached(
        (CHECKS, version_of(CHECKS)),
        lambda: _most_frequent(names_of_fields),
        "texts of checks",
        names_of_fields,
    )


def _most_frequent(field_names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    counts: dict[str, Counter[str]] = {name: Counter() for name in field_names}
    spellings: dict[str, dict[str, str]] = defaultdict(dict)
    recent = select(Check.items).order_by(Check.id.desc()).limit(RECENT_CHECKS)
    for items in db.session.execute(recent).scalars():
        for name, value in items.items():
            if name in counts and isinstance(value, str) and value.strip():
                key = names.key(value)
                counts[name][key] += 1
                # Rows come newest first, so the newest spelling is suggested.
                spellings[name].setdefault(key, value.strip())
    return {
        name: [spellings[name][key] for key, _ in count.most_common(MAX_SUGGESTIONS)]
        for name, count in counts.items()
    }
