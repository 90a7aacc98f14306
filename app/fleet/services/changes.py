"""The shared steps of upkeep's changes: their numbers, events, vehicles and list's version."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from app.db import run_last
from app.divisions import Division
from app.events.rules import EventKind
from app.events.services import ChangedSubject, record_events
from app.fleet.queries.vehicles import stored_plates
from app.fleet.rules.vehicles import UPKEEP, describe_missing, plate_key
from app.reference_numbers import Series, next_number
from app.tables.csv_files import Cells
from app.versions import increment_version, lock_version


def take_number(series: Series) -> int:
    """Return the next number of a series, for one row alone.

    It locks the list's version first, as the last release does, whose changes may run meanwhile: in
    another order the two would deadlock.
    """
    lock_version(UPKEEP)
    return next_number(series)


def record_changes(
    kind: EventKind, subject_kind: str, changes: Iterable[ChangedSubject], *, by: int | None
) -> None:
    """Append an event for each change; the list has a new version when the transaction ends."""
    record_events(kind, subject_kind, changes, division=Division.FLEET, by=by)
    upkeep_changed()


def upkeep_changed() -> None:
    """Give the list of upkeep a new version once, when the transaction ends."""
    run_last(_raise_version, once=True)


def _raise_version() -> None:
    increment_version(UPKEEP)


class VehicleLine(Protocol):
    """A line of a file about a vehicle; `reg` is '' if its cell has an error."""

    @property
    def row(self) -> Cells:
        """Return its row in the file."""

    @property
    def reg(self) -> str:
        """Return the registration."""


def refuse_missing_vehicles(lines: Sequence[VehicleLine]) -> Mapping[str, str]:
    """Add an error to each row with a vehicle that is in no list.

    Returns the registrations as the lists write them, by their keys. The caller has locked the
    upkeep of the vehicles: otherwise one could leave the lists meanwhile and keep the added
    records.
    """
    plates = stored_plates({plate_key(line.reg) for line in lines})
    for line in lines:
        if line.reg and plate_key(line.reg) not in plates:
            line.row.refuse("reg", describe_missing(line.reg))
    return plates
