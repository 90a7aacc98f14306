"""Rules and texts of defects."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol

from app import dates, names
from app.defects.rules import fields
from app.defects.rules.fields import Closing, DefectState
from app.errors import Conflict, Invalid
from app.fields import attribute
from app.fleet.rules.findings import STOP, Severity

_BY_RANK = (None, Severity.ADVISORY, Severity.REPAIR, Severity.STOP)
_BY_URGENCY = (Severity.ADVISORY, Severity.REPAIR, None, Severity.STOP)

UNREPAIRED = frozenset({DefectState.OPEN, DefectState.ASSESSED, DefectState.BOOKED})
"""The states of a defect that nobody has repaired yet."""

SEVERITY_MEANINGS = {
    Severity.STOP: "Must not be driven until it is mended and signed off.",
    Severity.REPAIR: "May be driven until it is mended.",
    Severity.ADVISORY: "May be driven; keep an eye on it.",
}

_STEP_LABELS = ("Reported", "Assessed", "Booked in", "Repaired", "Signed off")

severity_label = fields.SEVERITY.show


@dataclass(frozen=True)
class ClosingChoice:
    """A way to close a defect, with the values that it requires."""

    closing: Closing = attribute(fields.CLOSING)
    reason: str = attribute(fields.REASON)
    duplicate_of: int | None = None
    accepted_until: date | None = attribute(fields.ACCEPTED_UNTIL)


@dataclass(frozen=True)
class Settled:
    """When a defect was repaired, else closed: the day, and the moment that it was recorded."""

    day: date
    at: datetime


class AnyDefect(Protocol):
    """The values of a defect by which rules decide and write sentences."""

    id: int
    number: int
    title: str
    state: DefectState
    severity: Severity | None
    garage: str
    booked_for: date | None
    closing: Closing | None
    accepted_until: date | None

    @property
    def reference(self) -> str:
        """Return its number as people say it, such as 'D-0142'."""


part_key = names.key
"""Returns the key that the names of one part share."""


def merge_severity(before: Severity | None, seen: Severity | None) -> Severity | None:
    """Return the severity of a defect after a sighting, which can only raise it."""
    return max(before, seen, key=rank)


def sighting_text(title: str, detail: str, *, title_before: str) -> str:
    """Return a sighting's text from its report: the title if it differs, and the detail."""
    is_new = names.key(title) != names.key(title_before)
    return "\n".join(filter(None, (title if is_new else "", detail)))


def rank(severity: Severity | None) -> int:
    """Return the rank of a severity; an unassessed defect has the lowest."""
    return _BY_RANK.index(severity)


def urgency(severity: Severity | None) -> int:
    """Return a defect's rank in lists; an unassessed one may stop its vehicle."""
    return _BY_URGENCY.index(severity)


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
    if day < today - timedelta(days=366):
        raise Invalid(f"{dates.format_day(day)} is more than a year ago. Check the year.", "day")


def check_sign_off(state: DefectState, reference: str) -> None:
    """Raise Conflict unless a defect waits for its sign-off."""
    if state is not DefectState.REPAIRED:
        raise Conflict(
            f"{reference} isn't repaired yet. Record the repair first, or close it with a reason."
        )


def check_closing(choice: ClosingChoice, defect: AnyDefect, today: date) -> None:
    """Check all that a closing requires. Raises Conflict for a repaired defect, and Invalid."""
    if choice.closing not in fields.CHOSEN_CLOSINGS:
        raise Invalid("Choose how it closes.", "closing")
    if defect.state is DefectState.REPAIRED:
        again = "Sign it off, or assess it again if it isn't mended."
        raise Conflict(f"{defect.reference} is repaired. {again}")
    if choice.closing is Closing.DUPLICATE:
        if choice.duplicate_of is None:
            raise Invalid("Which defect is it the same as?", "duplicate_of")
    elif not choice.reason:
        raise Invalid("Please give a reason.", "reason")
    if choice.closing is Closing.ACCEPTED:
        _check_acceptance(choice.accepted_until, defect.severity, today)


def is_accepted(defect: AnyDefect, seen: Severity | None, day: date) -> bool:
    """Return whether a sighting on a day is covered by an acceptance, and isn't worse."""
    is_in_time = defect.accepted_until is not None and day <= defect.accepted_until
    is_worse = rank(seen) > rank(defect.severity)
    return defect.closing is Closing.ACCEPTED and is_in_time and not is_worse


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
    last = today + timedelta(days=fields.MAX_ACCEPTED_DAYS)
    if until > last:
        raise Invalid(f"It can't be accepted after {dates.format_day(last)}.", "accepted_until")


def may_be_plate(search: str) -> bool:
    """Return whether a search is so few digits that they may be of a plate as well."""
    text = search.strip()
    return text.isascii() and text.isdecimal() and len(text) < 4


def name_defect(reference: str, title: str) -> str:
    """Name a defect in a sentence: 'Brakes: fail (D-0142)'."""
    return f"{title} ({reference})"


def booked_garage(defect: AnyDefect) -> str:
    """Return the garage that a defect is booked into, '' for none."""
    return defect.garage if defect.state is DefectState.BOOKED else ""


def propose_repair(
    waiting: Sequence[AnyDefect], chosen: Collection[int]
) -> tuple[Sequence[int], str]:
    """Return the numbers of what a repair of a vehicle likely mends, and its garage.

    The chosen ones, else the worst booked one with the others at its garage, else the only one.
    """
    picked = [defect for defect in waiting if defect.number in chosen]
    garage = next(filter(None, map(booked_garage, picked or waiting)), "")
    if not chosen:
        booked = [defect for defect in waiting if garage and booked_garage(defect) == garage]
        picked = booked or list(waiting if len(waiting) == 1 else ())
    return [defect.number for defect in picked], garage


def describe_standing(defect: AnyDefect, today: date) -> str:
    """Describe the standing of an open defect, as in 'booked in for Mon 23 Nov'."""
    match defect.state:
        case DefectState.BOOKED if defect.booked_for:
            return f"booked in for {dates.weekday(defect.booked_for, today)}"
        case DefectState.BOOKED:
            return f"booked in at {defect.garage}"
        case DefectState.REPAIRED:
            return "repaired, waits for its sign-off"
        case DefectState.ASSESSED:
            return f"assessed: {severity_label(defect.severity).lower()}"
    return "not assessed yet"


def standing_of(defect: AnyDefect, today: date) -> str:
    """Return the standing of a defect, or its closing, as a sentence."""
    if defect.closing:
        return defect.closing.label
    text = describe_standing(defect, today)
    return text[:1].upper() + text[1:]


def describe_severity(severity: Severity | None, *, is_off_road: bool) -> str:
    """Return whether a vehicle may be driven with a defect, '' before its assessment."""
    if severity is None:
        return ""
    if is_off_road and severity is not Severity.STOP:
        return "This defect alone wouldn't stop it; the vehicle is off the road."
    return SEVERITY_MEANINGS[severity]


def severity_tone(severity: Severity | None) -> str:
    """Return the CSS class of a severity's badge."""
    return severity.tone if severity else "warn"


def steps(state: DefectState, closing: Closing | None) -> Sequence[tuple[str, str]]:
    """Return the steps of a defect, each with its class: 'past', 'current' or ''."""
    if closing and closing is not Closing.REPAIRED:
        return [("Reported", "past"), (closing.label, "current")]
    at = list(DefectState).index(state)
    return [
        (label, "past" if place < at else "current" if place == at else "")
        for place, label in enumerate(_STEP_LABELS)
    ]


def stop_sentence(reg: str, defects: Collection[str]) -> str:
    """Return the warning for drivers: 'Stop: do not drive LK19 VTE. Brakes: fail (D-0142).'."""
    return f"{STOP}do not drive {reg}. {', '.join(defects)}."


def seen_sentence(reference: str, times: int, since: date, *, today: date) -> str:
    """Return that a defect was seen again: 'Seen again: D-0142, reported 5 times since 3 Nov.'."""
    reported = "once" if times == 1 else f"{times} times"
    return f"Seen again: {reference}, reported {reported} since {dates.near_day(since, today)}."


def seen_after_repair(day: date) -> str:
    """Return that somebody still saw a repaired defect."""
    return f"Seen again on {dates.short_day(day)}, after the repair"


def describe_closing(reference: str, closing: Closing) -> str:
    """Describe the closing of a defect, as in 'signed D-0142 off'."""
    if closing is Closing.REPAIRED:
        return f"signed {reference} off"
    return f"closed {reference} ({closing.label.lower()})"
