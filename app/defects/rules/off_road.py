"""When a vehicle may go back on the road, and the texts that say why not; pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from app import dates
from app.defects.rules.defects import AnyDefect, booked_garage, seen_after_repair
from app.defects.rules.fields import DEFECT_REFERENCE, UNBOOKED, DefectState, OffRoadReason
from app.errors import Conflict, ErrorCode, Invalid
from app.fields import Choice, Day, LabelledEnum, Lines
from app.money import count_of

CHOSEN_REASONS = tuple(reason for reason in OffRoadReason if reason is not OffRoadReason.DEFECT)
"""The reasons that a person chooses; a stop defect gives its own."""

REASON = Choice(
    name="reason", kind=OffRoadReason, refusal="Choose a reason from the list.", example="service"
)

DETAIL = Lines(
    name="detail", label="What is wrong", limit=2000, example="Gearbox, with Station Garage"
)

EXPECTED_BACK = Day(name="expected_back", days_ahead=2 * 366, example="2026-01-20")

NOTE = Lines(name="note", limit=2000, example="Test drive without findings")

OVERRIDE_REASON = Lines(
    name="override_reason",
    label="Reason to put it back all the same",
    limit=2000,
    example="Driven to the MOT station only",
)

_JUDGED_APART = frozenset({OffRoadReason.DEFECT, OffRoadReason.MOT})
"""The reasons that end with the defects and due items, whose own texts name them."""

_AT_END = re.compile(rf"\({DEFECT_REFERENCE.pattern}\)$", re.ASCII)


class NextStep(StrEnum):
    """The next step of a vehicle off the road."""

    BOOK_IN = "Book in"
    CHANGE = "Change"
    SIGN_OFF = "Sign off"
    RETURN = "Put back"


class BoardFilter(LabelledEnum):
    """The filter of the board's vehicles, its `?show=`."""

    UNBOOKED = "unbooked", "stopped, not booked in"
    LATE = "late", "late back on the road"


@dataclass(frozen=True)
class Objection:
    """An objection to a return, by the number of its defect or the kind of its due item."""

    text: str
    defect: int | None = None
    kind: StrEnum | None = None


class NotRoadworthy(Conflict):
    """Something stands against a vehicle's return to the road."""

    code = ErrorCode.NOT_ROADWORTHY

    def __init__(self, reg: str, objections: Sequence[Objection]) -> None:
        texts = [objection.text for objection in objections]
        super().__init__(f"{reg} can't go back on the road: {join_reasons(texts)}.")
        self.details = {"objections": texts}


def stop_objection(defect: AnyDefect) -> Objection:
    """Return the objection of an open stop defect to its vehicle's return."""
    is_repaired = defect.state is DefectState.REPAIRED
    standing = "is repaired but not signed off" if is_repaired else "is open"
    return Objection(f"{defect.reference} {standing}", defect.number)


def next_step(defects: Sequence[AnyDefect]) -> NextStep:
    """Return the next step of a vehicle off the road, by its stop defects."""
    states = {defect.state for defect in defects}
    if states.intersection(UNBOOKED):
        return NextStep.BOOK_IN
    if DefectState.BOOKED in states:
        return NextStep.CHANGE
    return NextStep.SIGN_OFF if states else NextStep.RETURN


def other_reasons(reason: OffRoadReason, detail: str) -> Sequence[str]:
    """Return the reasons of a time off the road apart from defects and due items."""
    others = [line for line in detail.splitlines() if not _is_of_defect(line)]
    return others if others or reason in _JUDGED_APART else [reason.label]


def describe_reason(
    reason: OffRoadReason, detail: str, defects: Sequence[AnyDefect], seen_after: Mapping[int, date]
) -> Sequence[str]:
    """Return the reasons of a time off the road as sentences, the newest last.

    Repaired defects come at the end, with the last day of a sighting after the repair (by their
    ids). Defects that no longer stop the vehicle are left out if another reason does.
    """
    lines, others = detail.splitlines(), other_reasons(reason, detail)
    waiting = {row.reference: row for row in defects if row.state is not DefectState.REPAIRED}
    repaired = [row for row in defects if row.state is DefectState.REPAIRED]
    sentences = [] if set(others) <= set(lines) else list(others)
    for line in lines:
        references = DEFECT_REFERENCE.findall(line)
        if not _is_of_defect(line) or references[-1] in waiting:
            garages = [booked_garage(waiting[r]) for r in references if r in waiting]
            named = " and ".join(dict.fromkeys(filter(None, garages)))
            sentences.append(f"{line}, with {named}" if named else line)
    if repaired:
        all_repaired = " and ".join(row.reference for row in repaired)
        sentences.append(f"Repaired, waiting for a sign-off: {all_repaired}")
    for row in repaired:
        if row.id in seen_after:
            which = f": {row.reference}" if len(repaired) > 1 else ""
            sentences.append(seen_after_repair(seen_after[row.id]) + which)
    return sentences or lines or [reason.label]


def join_reasons(texts: Sequence[str]) -> str:
    """Return sentences as one list, such as 'D-0142 is open and its MOT ran out on 3 Nov'."""
    parts = [texts[0], *(_inside_sentence(text) for text in texts[1:])] if texts else []
    if parts and not parts[0].startswith("D-"):
        parts[0] = _inside_sentence(parts[0])
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def days_off(since: datetime, until: datetime | None, today: date) -> int:
    """Return how many days a time off the road has; its first and last day count as one."""
    last = dates.london_day(until) if until else today
    return max(1, (last - dates.london_day(since)).days)


def describe_days(since: datetime, until: datetime | None, today: date) -> str:
    """Return the length of a time off the road: '3 days', 'today' for its first day."""
    if until is None and dates.london_day(since) == today:
        return "today"
    return count_of(days_off(since, until, today), "day")


def days_over(expected_back: date | None, today: date) -> int:
    """Return by how many days a vehicle is back later than expected, 0 if it isn't."""
    return max(0, (today - expected_back).days) if expected_back else 0


def check_reason(reason: OffRoadReason, current: OffRoadReason | None = None) -> None:
    """Raise Invalid unless people may choose a reason; a defect's own may stay."""
    if reason not in CHOSEN_REASONS and reason is not current:
        raise Invalid(REASON.refusal, "reason")


def add_reason(detail: str, further: str) -> str:
    """Return the detail of a time off the road with a further reason on a line of its own."""
    lines = [line for line in detail.splitlines() if line]
    if further and further not in lines:
        lines.append(further)
    return "\n".join(lines)


def merge_reasons(
    current: OffRoadReason, detail: str, reason: OffRoadReason, further: str
) -> tuple[OffRoadReason, str]:
    """Return the reason and detail of a time off the road that gains a further reason.

    SORN becomes the reason, since it puts the vehicle's tax to sleep; others stay in the detail,
    where each has a line. Lines about defects end with their numbers, and name no reason.
    """
    if reason in (OffRoadReason.DEFECT, current):
        return current, add_reason(detail, further)
    lines = detail.splitlines()
    is_of_defects = current is OffRoadReason.DEFECT
    if not is_of_defects and all(map(_is_of_defect, lines)):
        detail, lines = add_reason(current.label, detail), [current.label, *lines]
    described = ": ".join(filter(None, (reason.label, further)))
    if reason is not OffRoadReason.SORN:
        return current, add_reason(detail, described)
    if not is_of_defects and current.label not in lines:
        detail = f"{current.label}: {detail}"
    return reason, add_reason(detail, described)


def _is_of_defect(line: str) -> bool:
    return bool(_AT_END.search(line))


def _inside_sentence(text: str) -> str:
    is_word = text[1:2].islower() or text[1:2] == " "
    return text[:1].lower() + text[1:] if is_word else text
