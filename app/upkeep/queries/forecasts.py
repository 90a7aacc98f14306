"""The mileages of vehicles, and how fast they run, by the readings that are used."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from app.lists import rows_with
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries.readings import ACCEPTED, current_mileages
from app.upkeep.rules.forecasts import (
    Forecast,
    ReadingSpan,
    is_far_enough,
    is_stale,
    make_forecast,
    window_start,
)
from app.upkeep.rules.readings import Mileage


@dataclass(frozen=True)
class VehicleMileage:
    """A vehicle's newest reading, and its forecast if there is one."""

    last: Mileage
    forecast: Forecast | None


def mileages(reg_keys: Collection[str], today: date) -> Mapping[str, VehicleMileage]:
    """Return the mileage of each vehicle that has a reading, by registration key."""
    current = current_mileages(reg_keys)
    last = {key: Mileage(row.day, row.miles) for key, row in current.items()}
    fresh = [key for key, reading in last.items() if not is_stale(reading, today)]
    recent = _spans(fresh, window_start(today))
    # Few vehicles run for so long without two readings in the window.
    others = [key for key in fresh if not is_far_enough(recent.get(key))]
    all_time = _spans(others, None)
    return {
        key: VehicleMileage(reading, make_forecast(recent.get(key), all_time.get(key), today))
        for key, reading in last.items()
    }


def _spans(reg_keys: Collection[str], since: date | None) -> Mapping[str, ReadingSpan]:
    """Return the readings of vehicles since a day as spans: readings in use never fall."""
    row = OdometerReading
    statement = (
        select(
            row.reg_key,
            func.min(row.day),
            func.min(row.miles),
            func.max(row.day),
            func.max(row.miles),
            func.count(),
        )
        .where(*ACCEPTED)
        .group_by(row.reg_key)
    )
    if since is not None:
        statement = statement.where(row.day >= since)
    return {
        key: ReadingSpan(Mileage(first, low), Mileage(last, high), count)
        for key, first, low, last, high, count in rows_with(statement, row.reg_key, reg_keys)
    }
