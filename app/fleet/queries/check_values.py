"""The sort values of checks for orders without an index."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app.accounts import queries as accounts
from app.fleet.models import Check, CheckPhoto

_last_photo = (
    select(func.max(CheckPhoto.position)).where(CheckPhoto.check_id == Check.id).scalar_subquery()
)

SORTED_BY: Mapping[str, Sequence[ColumnElement[Any] | InstrumentedAttribute[Any]]] = {
    "reg": [Check.reg_key],
    "odometer": [Check.odometer],
    "by": [accounts.username_of(Check.submitted_by)],
    "notes": [Check.notes],
    "photos": [func.coalesce(_last_photo, -1)],
    "cost": [Check.cost],
    "flags": [Check.has_damage, Check.odometer_fell, Check.cost],
}
"""The values of a check by the names of CHECK_ORDERS."""
