"""Reads values, counts and photos of checks."""

from collections.abc import Sequence
from itertools import product

from sqlalchemy import func, select

from app.day_counts import CountedList, count_by_day
from app.db import db
from app.fleet.models import IS_FLAGGED, Check, CheckPhoto
from app.photos.models import Photo


def checks_list(*, is_flagged: bool, is_reviewed: bool) -> str:
    """Return the list that counts such checks; each check is in one."""
    flagged = "flagged" if is_flagged else "plain"
    return f"{flagged} {'reviewed' if is_reviewed else 'unreviewed'} checks"


def checks_lists(
    *, flagged: Sequence[bool] = (True, False), reviewed: Sequence[bool] = (True, False)
) -> list[str]:
    """Return the lists that count the checks with these properties."""
    return [checks_list(is_flagged=f, is_reviewed=r) for f, r in product(flagged, reviewed)]


def _counted_checks(*, is_flagged: bool, is_reviewed: bool) -> CountedList:
    review = Check.reviewed_at.is_not(None) if is_reviewed else Check.reviewed_at.is_(None)
    where = (IS_FLAGGED if is_flagged else ~IS_FLAGGED, review)
    statement = select(Check.day, func.count()).where(*where).group_by(Check.day)
    return CountedList(
        checks_list(is_flagged=is_flagged, is_reviewed=is_reviewed),
        lambda: count_by_day(statement),
    )


COUNTED = [
    _counted_checks(is_flagged=is_flagged, is_reviewed=is_reviewed)
    for is_flagged, is_reviewed in product((True, False), repeat=2)
]
"""The lists of checks that are counted by day."""


def check_photo(check_id: int, position: int) -> Photo | None:
    """Return a photo of a check; the first has position 0."""
    statement = select(Photo).join(CheckPhoto).filter_by(check_id=check_id, position=position)
    return db.session.execute(statement).scalar_one_or_none()
