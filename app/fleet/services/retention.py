"""Remove checks that are no longer kept."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from sqlalchemy import delete, select

from app.day_counts import change_counts
from app.db import db
from app.fleet.models import Check, CheckPhoto, VehicleEvent
from app.fleet.queries.check_values import checks_list
from app.fleet.rules.checks import check_flags
from app.fleet.rules.vehicles import CHECKS, VAN_HISTORY
from app.lists import batches
from app.versions import increment_version


def remove_checks(check_ids: Sequence[int]) -> None:
    """Delete checks with their entries in the vehicles' history; their photos wait for the sweep.

    Nothing may refer to them any more.
    """
    changes: Counter[tuple[str, date]] = Counter()
    for ids in batches(check_ids):
        columns = (Check.day, Check.has_damage, Check.cost, Check.odometer_fell, Check.reviewed_at)
        for row in db.session.execute(select(*columns).where(Check.id.in_(ids))):
            flags = check_flags(
                has_damage=row.has_damage, cost=row.cost, odometer_fell=row.odometer_fell
            )
            is_reviewed = row.reviewed_at is not None
            changes[checks_list(is_flagged=bool(flags), is_reviewed=is_reviewed), row.day] -= 1
        db.session.execute(delete(VehicleEvent).where(VehicleEvent.check_id.in_(ids)))
        db.session.execute(delete(CheckPhoto).where(CheckPhoto.check_id.in_(ids)))
        db.session.execute(delete(Check).where(Check.id.in_(ids)))
    if changes:
        change_counts(changes)
        increment_version(CHECKS)
        increment_version(VAN_HISTORY)
