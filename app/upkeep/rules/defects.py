"""Defects: their parts, their severities, their steps, and how they close; pure.

docs/domain.md, Upkeep.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app import dates, names
from app.errors import Conflict, Invalid
from app.fleet.rules.findings import Severity
from app.upkeep.rules.kinds import Closing, DefectState

MAX_ACCEPTED_DAYS = 366
"""How many days ahead a defect can be accepted."""

MAX_REPORTED_DAYS = 366
"""How many days back a person can report a defect; an earlier day has a wrong year."""

MAX_TEXT_LENGTH = 2000
"""The most characters of a detail, a note or a reason."""

_RANKS: Mapping[Severity | None, int] = {
    None: 0,
    Severity.ADVISORY: 1,
    Severity.REPAIR: 2,
    Severity.STOP: 3,
}

_URGENCIES: Mapping[Severity | None, int] = {
    Severity.ADVISORY: 0,
    Severity.REPAIR: 1,
    None: 2,
    Severity.STOP: 3,
}

UNREPAIRED = frozenset({DefectState.OPEN, DefectState.ASSESSED, DefectState.BOOKED})
"""The states of a defect that nobody has repaired yet."""

CHOSEN_CLOSINGS = (Closing.NO_FAULT, Closing.DUPLICATE, Closing.ACCEPTED)
"""How a manager closes a defect without a repair; a sign-off closes a repaired one."""


@dataclass(frozen=True)
class ClosingChoice:
    """A way to close a defect, with the values that it requires."""

    closing: Closing
    reason: str = ""
    duplicate_of: int | None = None
    accepted_until: date | None = None


@dataclass(frozen=True)
class Settled:
    """When a defect was repaired, else closed: the day, and the moment that it was recorded."""

    day: date
    at: datetime


def part_key(part: str) -> str:
    """Return the key that the names of one part share."""
    return names.key(part)


def merge_severity(before: Severity | None, seen: Severity | None) -> Severity | None:
    """Return the severity of a defect after a sighting, which can only raise it."""
    return max(before, seen, key=rank)


def sighting_text(title: str, detail: str, *, title_before: str) -> str:
    """Return a sighting's text from its report: the title if it differs, and the detail."""
    is_new = names.key(title) != names.key(title_before)
    return "\n".join(filter(None, (title if is_new else "", detail)))


def rank(severity: Severity | None) -> int:
    """Return the rank of a severity; an unassessed defect has the lowest."""
    return _RANKS[severity]


def urgency(severity: Severity | None) -> int:
    """Return a defect's rank in lists; an unassessed one may stop its vehicle."""
    return _URGENCIES[severity]


def state_after_assessment(state: DefectState) -> DefectState:
    """Return the state of an assessed defect: booked in it stays so, repaired it isn't mended."""
    return DefectState.BOOKED if state is DefectState.BOOKED else DefectState.ASSESSED


def check_unrepaired(state: DefectState, reference: str) -> None:
    """Check that a defect may be booked in or repaired. Raises Conflict for a repaired one."""
    if state not in UNREPAIRED:
        raise Conflict(f"{reference} is repaired and waits for its sign-off. Nothing was changed.")


def check_booking(booked_for: date | None, before: date | None, today: date) -> None:
    """Check the day of a defect's booking, which may stay unchanged; raises Invalid."""
    if booked_for and booked_for < today and booked_for != before:
        raise Invalid("It can't be booked in for a day before today.", "booked_for")


def state_without_repair(*, is_booked: bool, is_assessed: bool) -> DefectState:
    """Return the state of a defect after the undo of its repair."""
    if is_booked:
        return DefectState.BOOKED
    return DefectState.ASSESSED if is_assessed else DefectState.OPEN


def check_report_day(day: date, today: date) -> None:
    """Raise Invalid for a day so long ago that its year must be wrong."""
    if day < today - timedelta(days=MAX_REPORTED_DAYS):
        raise Invalid(f"{dates.format_day(day)} is more than a year ago. Check the year.", "day")


def check_sign_off(state: DefectState, reference: str) -> None:
    """Raise Conflict unless a defect waits for its sign-off."""
    if state is not DefectState.REPAIRED:
        raise Conflict(
            f"{reference} isn't repaired yet. Record the repair first, or close it with a reason."
        )


def check_closing(
    choice: ClosingChoice,
    state: DefectState,
    severity: Severity | None,
    reference: str,
    today: date,
) -> None:
    """Check that a defect may be closed so, with all that the closing requires.

    Raises Conflict for a repaired one, and Invalid.
    """
    if choice.closing not in CHOSEN_CLOSINGS:
        raise Invalid("Choose how it closes.", "closing")
    if state is DefectState.REPAIRED:
        raise Conflict(
            f"{reference} is repaired. Sign it off, or assess it again if it isn't mended."
        )
    if choice.closing is Closing.DUPLICATE:
        if choice.duplicate_of is None:
            raise Invalid("Which defect is it the same as?", "duplicate_of")
    elif not choice.reason:
        raise Invalid("Please give a reason.", "reason")
    if choice.closing is Closing.ACCEPTED:
        _check_acceptance(choice.accepted_until, severity, today)


def is_accepted(
    closing: Closing | None,
    accepted_until: date | None,
    accepted: Severity | None,
    seen: Severity | None,
    day: date,
) -> bool:
    """Return whether a sighting on a day is covered by an acceptance, and isn't worse."""
    is_in_time = accepted_until is not None and day <= accepted_until
    return closing is Closing.ACCEPTED and is_in_time and rank(seen) <= rank(accepted)


def is_before(day: date, made_at: datetime | None, settled: Settled) -> bool:
    """Return whether something was seen before a defect was repaired or closed.

    `made_at`, when a check was made that waited before it was sent, decides on the same day if that
    was recorded on its own day: of a repair that was recorded later nobody knows the time.
    """
    if day == settled.day:
        is_timed = dates.london_day(settled.at) == settled.day
        return made_at is not None and is_timed and made_at < settled.at
    return day < settled.day


def _check_acceptance(until: date | None, severity: Severity | None, today: date) -> None:
    if severity is Severity.STOP:
        raise Invalid(
            "A defect that stops its vehicle can't be accepted. Assess it lower first.", "closing"
        )
    if until is None:
        raise Invalid("Until which day is it accepted?", "accepted_until")
    if until <= today:
        raise Invalid("Choose a day after today.", "accepted_until")
    last = today + timedelta(days=MAX_ACCEPTED_DAYS)
    if until > last:
        raise Invalid(f"It can't be accepted after {dates.format_day(last)}.", "accepted_until")
