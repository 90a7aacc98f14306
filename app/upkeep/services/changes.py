"""The shared steps of upkeep's changes: their numbers, events and the version of the list."""

from collections.abc import Iterable

from app.db import run_last
from app.divisions import Division
from app.events.rules import EventKind
from app.events.services import ChangedSubject, record_events
from app.fleet.rules.vehicles import UPKEEP
from app.reference_numbers import Series, next_number
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
