"""The texts about defects: labels, their standing, and reports of changes; pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from app import dates
from app.fleet.rules.findings import STOP, Severity
from app.fleet.rules.plates import describe_missing
from app.upkeep.rules.kinds import Closing, DefectState
from app.upkeep.rules.words import near_day

NOT_ASSESSED = "Not assessed"

SEVERITY_MEANINGS = {
    Severity.STOP: "Must not be driven until it is mended and signed off.",
    Severity.REPAIR: "May be driven until it is mended.",
    Severity.ADVISORY: "May be driven; keep an eye on it.",
}

_STEPS = tuple(DefectState)
_STEP_LABELS = ("Reported", "Assessed", "Booked in", "Repaired", "Signed off")


class Standable(Protocol):
    """The values that decide on a defect's standing."""

    @property
    def state(self) -> DefectState:
        """Return its state."""

    @property
    def severity(self) -> Severity | None:
        """Return how bad it is."""

    @property
    def garage(self) -> str:
        """Return the garage of its booking."""

    @property
    def booked_for(self) -> date | None:
        """Return for when it is booked in."""

    @property
    def closing(self) -> Closing | None:
        """Return how it was closed."""


@dataclass(frozen=True)
class Named:
    """A defect in a sentence: its number, 'D-0142', and its title."""

    reference: str
    title: str

    def __str__(self) -> str:
        return f"{self.title} ({self.reference})"


def severity_label(severity: Severity | None) -> str:
    """Return a severity as people read it."""
    return severity.label if severity else NOT_ASSESSED


def describe_standing(
    state: DefectState,
    severity: Severity | None,
    garage: str,
    booked_for: date | None,
    today: date,
) -> str:
    """Describe the standing of an open defect, as in 'booked in for Mon 23 Nov'."""
    if state is DefectState.BOOKED and booked_for:
        return f"booked in for {weekday(booked_for, today)}"
    if state is DefectState.BOOKED:
        return f"booked in at {garage}"
    if state is DefectState.REPAIRED:
        return "repaired, waits for its sign-off"
    if state is DefectState.ASSESSED:
        return f"assessed: {severity_label(severity).lower()}"
    return "not assessed yet"


def standing_of(defect: Standable, today: date) -> str:
    """Return the standing of a defect, or its closing, as a sentence."""
    if defect.closing:
        return defect.closing.label
    booking = (defect.garage, defect.booked_for)
    text = describe_standing(defect.state, defect.severity, *booking, today)
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
    """Return the steps of a defect, each with its class: 'past', 'current' or ''.

    A defect closed without a repair ended there.
    """
    if closing and closing is not Closing.REPAIRED:
        return [("Reported", "past"), (closing.label, "current")]
    at = _STEPS.index(state)
    return [
        (label, "past" if place < at else "current" if place == at else "")
        for place, label in enumerate(_STEP_LABELS)
    ]


def weekday(day: date, today: date) -> str:
    """Format a day with its weekday, as 'Mon 23 Nov', and with its year if it isn't this one."""
    text = dates.short_day(day) if day.year == today.year else dates.format_day(day)
    return f"{day:%a} {text}"


def stop_sentence(reg: str, defects: Sequence[Named | str]) -> str:
    """Return the warning for drivers: 'Stop: do not drive LK19 VTE. Brakes: fail (D-0142).'."""
    return f"{STOP}do not drive {reg}. {', '.join(map(str, defects))}."


def opened_sentence(defects: Collection[Named]) -> str:
    """Return the sentence about new defects: 'Reported: Mirrors: cracked (D-0142).'."""
    return f"Reported: {', '.join(map(str, defects))}."


def unopened_sentence(reg: str, titles: Sequence[str]) -> str:
    """Return that nothing was opened of a vehicle that is in no list."""
    return f"{describe_missing(reg)} Check the number plate. Not reported: {', '.join(titles)}."


def seen_sentence(reference: str, times: int, since: date, *, today: date) -> str:
    """Return that a defect was seen again: 'Seen again: D-0142, reported 5 times since 3 Nov.'."""
    reported = "once" if times == 1 else f"{times} times"
    return f"Seen again: {reference}, reported {reported} since {near_day(since, today)}."


def seen_after_repair(day: date) -> str:
    """Return that somebody still saw a repaired defect."""
    return f"Seen again on {dates.short_day(day)}, after the repair"


def absent_sentence(reference: str) -> str:
    """Return that a driver no longer sees a defect."""
    return f"Reported gone: {reference}. It stays open until a manager closes it."


def earlier_sentence(reference: str, closing: Closing | None, on: date, *, today: date) -> str:
    """Return that a check tells nothing new, since the defect was repaired or closed after it."""
    is_repaired = closing in (None, Closing.REPAIRED)
    done = "repaired" if is_repaired else "closed"
    return f"{reference} was {done} on {near_day(on, today)}, after this was seen. Kept with it."


def accepted_sentence(reference: str, until: date) -> str:
    """Return the sentence about a defect that is accepted for now, so that nothing was opened."""
    return f"{reference} is accepted until {dates.format_day(until)}. Kept with it."


def describe_closing(reference: str, closing: Closing) -> str:
    """Describe the closing of a defect, as in 'signed D-0142 off'."""
    if closing is Closing.REPAIRED:
        return f"signed {reference} off"
    return f"closed {reference} ({closing.label.lower()})"
