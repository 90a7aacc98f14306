"""The suggestions of a person's last checks for the next one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import select

from app import dates
from app.db import db
from app.fleet.models import Check, Vehicle
from app.fleet.queries.vehicles import current_list
from app.fleet.rules.checks import Value

RECENT_CHECKS = 20
MAX_VEHICLES = 3


@dataclass(frozen=True)
class OwnChecks:
    """A person's last check, and the registrations of their last vehicles that are in the list.

    Without a check it has neither form nor items.
    """

    form_type: str = ""
    day: date | None = None
    items: Mapping[str, Value] = field(default_factory=dict)
    last_vehicle: str = ""
    vehicles: Sequence[str] = ()

    @property
    def usual_vehicle(self) -> str:
        """Return the last vehicle, '' once it is checked today: the next check is of another."""
        return "" if self.day == dates.today() else self.last_vehicle


def own_checks(user_id: int) -> OwnChecks:
    """Return the suggestions of a user's last checks."""
    recent = db.session.execute(
        select(Check.reg_key, Check.day, Check.form_type, Check.items)
        .filter_by(submitted_by=user_id)
        .order_by(Check.id.desc())
        .limit(RECENT_CHECKS)
    ).all()
    if not recent:
        return OwnChecks()
    last = recent[0]
    keys = list(dict.fromkeys(row.reg_key for row in recent))
    listed = _listed_plates(keys)
    return OwnChecks(
        form_type=last.form_type,
        day=last.day,
        items=last.items,
        last_vehicle=listed.get(last.reg_key, ""),
        vehicles=[listed[key] for key in keys if key in listed][:MAX_VEHICLES],
    )


def _listed_plates(reg_keys: Sequence[str]) -> Mapping[str, str]:
    statement = select(Vehicle.reg_key, Vehicle.reg).where(
        Vehicle.fleet_list == current_list(), Vehicle.reg_key.in_(reg_keys)
    )
    return dict(db.session.execute(statement).all())
