"""How an item stands today: computed, never stored; pure. docs/domain.md, Upkeep."""

from dataclasses import dataclass
from datetime import date, timedelta

from app.dates import near_day
from app.due.rules.fields import KINDS, Blocks, DueKind, in_sentence
from app.fields import LabelledEnum
from app.mileage.rules import Forecast, Mileage, describe_forecast, describe_no_forecast, is_stale
from app.money import count_of, format_number


class DueState(LabelledEnum):
    """How an item stands."""

    FINE = "fine"
    SOON = "soon", "", "warn"
    TODAY = "today", "", "warn"
    OVERDUE = "overdue", "", "bad"
    SNOOZED = "snoozed"
    MILEAGE_UNKNOWN = "mileage_unknown"
    ASLEEP = "asleep"


class DueGroup(LabelledEnum):
    """The parts of the list of due items."""

    OVERDUE = "overdue", "Overdue"
    WEEK = "week", "In 7 days"
    MONTH = "month", "In 30 days"
    LATER = "later", "Later"
    MILEAGE_UNKNOWN = "mileage_unknown", "Mileage unknown"
    QUIET = "quiet", "Quiet"


@dataclass(frozen=True)
class Terms:
    """The terms by which an open item is judged."""

    kind: DueKind
    label: str
    due_on: date | None
    due_miles: int | None
    soon_days: int
    soon_miles: int
    blocks: Blocks
    snoozed_until: date | None = None


@dataclass(frozen=True)
class DueStanding:
    """How an item stands on a day.

    `expected_on` is when its mileage is reached by the forecast, and `first_on` the day that
    comes first. `miles_left` is exact without a forecast. `is_overdue` holds however it is
    snoozed.
    """

    state: DueState
    is_overdue: bool = False
    days_left: int | None = None
    miles_left: int | None = None
    expected_on: date | None = None
    first_on: date | None = None
    basis: str = ""

    @property
    def group(self) -> DueGroup:
        """Return the part of the list that the item is in."""
        if self.state in (DueState.SNOOZED, DueState.ASLEEP):
            return DueGroup.QUIET
        if self.state is DueState.MILEAGE_UNKNOWN:
            return DueGroup.MILEAGE_UNKNOWN
        if self.state is DueState.OVERDUE:
            return DueGroup.OVERDUE
        days = self.days_left
        if days is None:
            return DueGroup.MONTH if self.state is DueState.SOON else DueGroup.LATER
        if days <= 7:
            return DueGroup.WEEK
        return DueGroup.MONTH if days <= 30 else DueGroup.LATER


def judge(
    terms: Terms,
    today: date,
    *,
    mileage: Mileage | None = None,
    forecast: Forecast | None = None,
    is_laid_up: bool = False,
) -> DueStanding:
    """Return an item's standing by its day or its miles, whichever comes first.

    `mileage` is the vehicle's newest reading. While `is_laid_up`, the vehicle is declared off the
    road, and its tax sleeps.
    """
    miles_left, expected_on = _by_miles(terms, today, mileage, forecast)
    days = [day for day in (terms.due_on, expected_on) if day is not None]
    late_by_day = terms.due_on is not None and today > terms.due_on
    run = None if mileage is None else mileage.miles
    late_by_miles = terms.due_miles is not None and run is not None and run > terms.due_miles
    first_on = min([*days, today] if late_by_miles else days, default=None)
    is_unknown = terms.due_miles is not None and miles_left is None
    basis = ""
    if terms.due_miles is not None and not late_by_miles:
        basis = (
            describe_forecast(expected_on, forecast.readings, today)
            if forecast is not None and expected_on is not None
            else describe_no_forecast(mileage, today)
        )
    is_overdue = late_by_day or late_by_miles
    days_left = None if first_on is None else max((first_on - today).days, 0)
    if late_by_day and terms.due_on is not None:
        days_left = (terms.due_on - today).days
    state = _state(terms, today, days_left, miles_left, is_unknown=is_unknown)
    if is_overdue:
        state = DueState.OVERDUE
    elif today == terms.due_on or (terms.due_miles is not None and run == terms.due_miles):
        state = DueState.TODAY
    if is_laid_up and terms.kind is DueKind.TAX:
        state, is_overdue = DueState.ASLEEP, False
    elif terms.snoozed_until is not None and today <= terms.snoozed_until:
        state = DueState.SNOOZED
    return DueStanding(state, is_overdue, days_left, miles_left, expected_on, first_on, basis)


def describe_notice(terms: Terms, standing: DueStanding, today: date) -> str:
    """Return the notice for drivers, such as 'MOT runs out in 6 days.', or ''."""
    if standing.state is DueState.OVERDUE:
        return f"{terms.label} {_ended(terms, today)}."
    if standing.state not in (DueState.SOON, DueState.TODAY):
        return ""
    verb = "runs out" if KINDS[terms.kind].runs_out else "is due"
    if terms.due_on is not None and standing.first_on == terms.due_on:
        days = (terms.due_on - today).days
        when = {0: "today", 1: "tomorrow"}.get(days, f"in {days} days")
        return f"{terms.label} {verb} {when}."
    if standing.state is DueState.TODAY:
        return f"{terms.label} is due now, at {format_number(terms.due_miles or 0)} miles."
    return f"{terms.label} is due in about {count_of(max(standing.miles_left or 0, 0), 'mile')}."


def describe_objection(terms: Terms, today: date) -> str:
    """Return why an overdue item keeps its vehicle off the road: 'Its MOT ran out on 18 Nov'."""
    return f"Its {in_sentence(terms.label)} {_ended(terms, today)}"


def describe_badge(terms: Terms, standing: DueStanding) -> str:
    """Return the few words of an item's badge: '2 days over', '5 days', 'Put off'."""
    match standing.state:
        case DueState.ASLEEP:
            return "Not needed"
        case DueState.SNOOZED:
            return "Put off"
        case DueState.MILEAGE_UNKNOWN:
            return "Mileage unknown"
        case DueState.TODAY:
            return "Today"
        case DueState.OVERDUE:
            if standing.days_left is not None and standing.days_left < 0:
                return f"{count_of(-standing.days_left, 'day')} over"
            return f"{count_of(-(standing.miles_left or 0), 'mile')} over"
    if standing.first_on is not None and standing.first_on == terms.due_on:
        return count_of(standing.days_left or 0, "day")
    if standing.miles_left is not None:
        return f"{format_number(max(standing.miles_left, 0))} miles"
    return ""


def calendar_day(terms: Terms, standing: DueStanding) -> tuple[date, str] | None:
    """Return an item's day in a calendar and its mark, None for an item without a day.

    A snoozed item stands on the day it wakes; a sleeping one is left out.
    """
    if standing.state is DueState.ASLEEP:
        return None
    marks = ["overdue"] if standing.is_overdue else []
    if standing.state is DueState.SNOOZED and terms.snoozed_until is not None:
        return terms.snoozed_until + timedelta(days=1), ", ".join([*marks, "put off"])
    if standing.first_on is None:
        return None
    if not marks and standing.first_on != terms.due_on:
        marks = ["about"]
    return standing.first_on, ", ".join(marks)


def describe_reason(terms: Terms, standing: DueStanding, today: date) -> str:
    """Return the line under an item: the miles left, and their basis."""
    if standing.state is DueState.ASLEEP:
        return "Not needed while off the road."
    parts = []
    if terms.kind is DueKind.MOT and standing.is_overdue:
        parts.append("May only be driven to a booked test.")
    if terms.due_miles is not None:
        left = standing.miles_left
        due = f"Due at {format_number(terms.due_miles)} miles"
        if left is None:
            parts.append(f"{due}. {standing.basis}")
        elif left < 0:
            parts.append(f"{due}, {count_of(-left, 'mile')} ago.")
        elif standing.expected_on is None:
            parts.append(f"{due}, in {count_of(left, 'mile')}. {standing.basis}")
        else:
            parts.append(f"{due}, in about {count_of(left, 'mile')}, {standing.basis}.")
    if standing.state is DueState.SNOOZED and terms.snoozed_until is not None:
        parts.append(f"Put off until {near_day(terms.snoozed_until, today)}.")
    return " ".join(parts)


def _by_miles(
    terms: Terms, today: date, mileage: Mileage | None, forecast: Forecast | None
) -> tuple[int | None, date | None]:
    """Return the miles left, None if unknown, and the day when they are run."""
    if terms.due_miles is None or mileage is None:
        return None, None
    left = terms.due_miles - mileage.miles
    if left < 0:
        return left, None
    if forecast is not None:
        projected = forecast.miles_on(today)
        return terms.due_miles - max(projected, mileage.miles), forecast.day_of(terms.due_miles)
    return (None, None) if is_stale(mileage, today) else (left, None)


def _state(
    terms: Terms, today: date, days_left: int | None, miles_left: int | None, *, is_unknown: bool
) -> DueState:
    by_day = None if terms.due_on is None else (terms.due_on - today).days
    if (
        (by_day is not None and by_day <= terms.soon_days)
        or (miles_left is not None and miles_left <= terms.soon_miles)
        or (days_left is not None and days_left <= terms.soon_days)
    ):
        return DueState.SOON
    return DueState.MILEAGE_UNKNOWN if is_unknown else DueState.FINE


def _ended(terms: Terms, today: date) -> str:
    verb = "ran out" if KINDS[terms.kind].runs_out else "was due"
    if terms.due_on is None or terms.due_on >= today:
        return f"was due at {format_number(terms.due_miles or 0)} miles"
    if (today - terms.due_on).days == 1:
        return f"{verb} yesterday"
    return f"{verb} on {near_day(terms.due_on, today)}"
