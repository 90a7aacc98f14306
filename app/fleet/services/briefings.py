"""A driver's briefing about a vehicle before its check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app.fleet.queries.vehicles import current_list, plate_keys
from app.fleet.rules.findings import LastReading, OpenDefect
from app.fleet.services.upkeep import upkeep


@dataclass(frozen=True)
class Briefing:
    """A vehicle's last reading, due items, start of its time off the road, and open defects."""

    reading: LastReading | None = None
    notices: Sequence[str] = ()
    off_road_since: date | None = None
    defects: Sequence[OpenDefect] = ()


def briefing_of(reg_key: str) -> Briefing:
    """Return the briefing of a vehicle."""
    keys = [reg_key]
    standing = upkeep().standings(keys).get(reg_key)
    return Briefing(
        upkeep().last_readings(keys).get(reg_key),
        upkeep().due_notices(keys).get(reg_key, ()),
        standing.off_road_since if standing else None,
        upkeep().open_defects(keys).get(reg_key, ()),
    )


def briefings() -> Mapping[str, Briefing]:
    """Return the briefings of the current list's vehicles by key, without empty ones."""
    fleet_list = current_list()
    keys = plate_keys(fleet_list)
    readings, notices = upkeep().last_readings(None), upkeep().due_notices(None)
    defects = upkeep().open_defects(None)
    off_road = plate_keys(fleet_list, upkeep().is_off_road)
    standings = upkeep().standings(off_road) if off_road else {}
    found = {
        key: Briefing(
            readings.get(key),
            notices.get(key, ()),
            standings[key].off_road_since if key in standings else None,
            defects.get(key, ()),
        )
        for key in keys
    }
    return {key: briefing for key, briefing in found.items() if briefing != Briefing()}
