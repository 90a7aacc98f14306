"""Reads what the check form needs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select

from app import dates, names
from app.db import db
from app.fleet.models import Check, CheckTemplate, Vehicle
from app.fleet.queries.vehicles import ON_SCREENS
from app.fleet.rules.checks import Value
from app.fleet.rules.templates import BUILT_IN, Template, field_of
from app.fleet.rules.vehicles import CHECKS
from app.versions import cached, version_of

RECENT_CHECKS = 20
MAX_VEHICLES = 3


@dataclass(frozen=True)
class OwnChecks:
    """A person's last check, and the registrations of their last vehicles that are in the list.

    Without a check it has neither form nor items. `usual_vehicle` is the last vehicle, '' once it
    is checked today: the next check is of another.
    """

    form_type: str = ""
    items: Mapping[str, Value] = field(default_factory=dict)
    usual_vehicle: str = ""
    vehicles: Sequence[str] = ()


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
    in_list = (ON_SCREENS, Vehicle.reg_key.in_(keys))
    plates = select(Vehicle.reg_key, Vehicle.reg).where(*in_list)
    listed = dict(db.session.execute(plates).all())
    usual = "" if last.day == dates.today() else listed.get(last.reg_key, "")
    vehicles = [listed[key] for key in keys if key in listed][:MAX_VEHICLES]
    return OwnChecks(last.form_type, last.items, usual, vehicles)


SUGGESTED_FROM_CHECKS = 500
MAX_SUGGESTIONS = 20


def suggestions(field_names: Collection[str]) -> Mapping[str, Sequence[str]]:
    """Return texts of the last SUGGESTED_FROM_CHECKS checks by field, the most frequent first."""
    of_fields = tuple(sorted(field_names))
    version = (CHECKS, version_of(CHECKS))
    return cached(version, lambda: _most_frequent(of_fields), "texts of checks", of_fields)


def _most_frequent(field_names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    counts: dict[str, Counter[str]] = {name: Counter() for name in field_names}
    spellings: dict[str, dict[str, str]] = defaultdict(dict)
    recent = select(Check.items).order_by(Check.id.desc()).limit(SUGGESTED_FROM_CHECKS)
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


def check_templates() -> Sequence[Template]:
    """Return the templates in order: the replaced ones, else the built-in ones."""
    rows = db.session.execute(select(CheckTemplate).order_by(CheckTemplate.position)).scalars()
    templates = [Template(row.key, row.label, tuple(map(field_of, row.fields))) for row in rows]
    return templates or BUILT_IN


def templates_by_key() -> Mapping[str, Template]:
    """Return the templates by their keys."""
    return {template.key: template for template in check_templates()}


def odometer_before(check: Check) -> int | None:
    """Return the odometer reading of the check before, if that arrived earlier, or None."""
    statement = (
        select(Check.odometer)
        .where(Check.reg_key == check.reg_key, Check.id < check.id, Check.day <= check.day)
        .order_by(Check.day.desc(), Check.id.desc())
        .limit(1)
    )
    return db.session.execute(statement).scalar_one_or_none()
