"""How an item stands today: computed, never stored; pure. docs/domain.md, Upkeep."""

from dataclasses import dataclass
from datetime import date, timedelta

from app.dates import near_day
from app.due.rules.fields import KINDS, Blocks, DueKind, in_sentence
from app.fields import LabelledEnum
from app.mileage.rules import Forecast, Mileage, describe_forecast, describe_no_forecast, is_stale
from app.money import count_of, format_number


class DueState(LabelledEnum):
    """How an item stands; a label is its whole badge."""

    FINE = "fine"
    SOON = "soon", "", "warn"
    TODAY = "today", "Today", "warn"
    OVERDUE = "overdue", "", "bad"
    SNOOZED = "snoozed", "Put off"
    MILEAGE_UNKNOWN = "mileage_unknown", "Mileage unknown"
    ASLEEP = "asleep", "Not needed"


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
    due_on: date | None = None
    due_miles: int | None = None
    blocks: Blocks = Blocks.WARN
    snoozed_until: date | None = None
    soon_days: int = 30
    soon_miles: int = 1000


_NEAR = {0: "today", 1: "tomorrow"}


@dataclass(frozen=True)
class DueStanding:
    """How an item stands on a day by its terms.

    `expected_on` is when its mileage is reached by the forecast, and `first_on` the day that
    comes first. `miles_left` is exact without a forecast. `is_overdue` holds however it is
    snoozed.
    """

    terms: Terms
    today: date
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
        if self.state in (DueState.MILEAGE_UNKNOWN, DueState.OVERDUE):
            return DueGroup(self.state.value)
        if self.days_left is None:
            return DueGroup.MONTH if self.state is DueState.SOON else DueGroup.LATER
        if self.days_left <= 7:
            return DueGroup.WEEK
        return DueGroup.MONTH if self.days_left <= 30 else DueGroup.LATER

    @property
    def notice(self) -> str:
        """Return the notice for drivers, such as 'MOT runs out in 6 days.', or ''."""
        terms = self.terms
        if self.state is DueState.OVERDUE:
            return f"{terms.label} {self._ended}."
        if self.state not in (DueState.SOON, DueState.TODAY):
            return ""
        if terms.due_on is not None and self.first_on == terms.due_on:
            verb = "runs out" if KINDS[terms.kind].runs_out else "is due"
            days = (terms.due_on - self.today).days
            return f"{terms.label} {verb} {_NEAR.get(days, f'in {days} days')}."
        if self.state is DueState.TODAY:
            return f"{terms.label} is due now, at {format_number(terms.due_miles or 0)} miles."
        return f"{terms.label} is due in about {count_of(max(self.miles_left or 0, 0), 'mile')}."

    @property
    def objection(self) -> str:
        """Return why it keeps its vehicle off the road, such as 'Its MOT ran out on 18 Nov'."""
        # A sleeping tax objects too once it has run out: on the road it would be overdue.
        is_run_out = self.state is DueState.ASLEEP and self.ended_on
        if self.terms.blocks is not Blocks.BLOCK or not (self.is_overdue or is_run_out):
            return ""
        return f"Its {in_sentence(self.terms.label)} {self._ended}"

    @property
    def badge(self) -> str:
        """Return the few words of an item's badge: '2 days over', '5 days', 'Put off'."""
        if self.state.label:
            return self.state.label
        if self.state is DueState.OVERDUE:
            if self.days_left is not None and self.days_left < 0:
                return f"{count_of(-self.days_left, 'day')} over"
            return f"{count_of(-(self.miles_left or 0), 'mile')} over"
        if self.first_on is not None and self.first_on == self.terms.due_on:
            return count_of(self.days_left or 0, "day")
        if self.miles_left is not None:
            return f"{format_number(max(self.miles_left, 0))} miles"
        return ""

    @property
    def calendar_day(self) -> tuple[date, str] | None:
        """Return its day in a calendar, a snoozed one's after it wakes, and its mark, or None."""
        if self.state is DueState.ASLEEP:
            return None
        marks = ["overdue"] if self.is_overdue else []
        if self.state is DueState.SNOOZED and self.terms.snoozed_until is not None:
            return self.terms.snoozed_until + timedelta(days=1), ", ".join([*marks, "put off"])
        if self.first_on is None:
            return None
        if not marks and self.first_on != self.terms.due_on:
            marks = ["about"]
        return self.first_on, ", ".join(marks)

    @property
    def reason(self) -> str:
        """Return the line under an item: the miles left, and their basis."""
        terms, left = self.terms, self.miles_left
        if self.state is DueState.ASLEEP:
            return "Not needed while off the road."
        parts = []
        if terms.kind is DueKind.MOT and self.is_overdue:
            parts.append("May only be driven to a booked test.")
        if terms.due_miles is not None:
            due = f"Due at {format_number(terms.due_miles)} miles"
            if left is None:
                parts.append(f"{due}. {self.basis}")
            elif left < 0:
                parts.append(f"{due}, {count_of(-left, 'mile')} ago.")
            elif self.expected_on is None:
                parts.append(f"{due}, in {count_of(left, 'mile')}. {self.basis}")
            else:
                parts.append(f"{due}, in about {count_of(left, 'mile')}, {self.basis}.")
        if self.state is DueState.SNOOZED and terms.snoozed_until is not None:
            parts.append(f"Put off until {near_day(terms.snoozed_until, self.today)}.")
        return " ".join(parts)

    @property
    def ended_on(self) -> date | None:
        """Return the day on which it was due, None unless that is past."""
        due_on = self.terms.due_on
        return due_on if due_on is not None and due_on < self.today else None

    @property
    def _ended(self) -> str:
        if self.ended_on is None:
            return f"was due at {format_number(self.terms.due_miles or 0)} miles"
        verb = "ran out" if KINDS[self.terms.kind].runs_out else "was due"
        if (self.today - self.ended_on).days == 1:
            return f"{verb} yesterday"
        return f"{verb} on {near_day(self.ended_on, self.today)}"


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
    due_on, due_miles = terms.due_on, terms.due_miles
    miles_left, expected_on = _by_miles(terms, today, mileage, forecast)
    miles_over = None if due_miles is None or mileage is None else mileage.miles - due_miles
    is_late_by_miles = miles_over is not None and miles_over > 0
    first_days = (due_on, expected_on, today if is_late_by_miles else None)
    first_on = min((day for day in first_days if day is not None), default=None)
    days_left = None if first_on is None else max((first_on - today).days, 0)
    is_late_by_day = due_on is not None and due_on < today
    if due_on is not None and is_late_by_day:
        days_left = (due_on - today).days
    basis = ""
    if due_miles is not None and not is_late_by_miles:
        basis = (
            describe_forecast(expected_on, forecast.readings, today)
            if forecast is not None and expected_on is not None
            else describe_no_forecast(mileage, today)
        )
    is_overdue = is_late_by_day or is_late_by_miles
    if is_overdue:
        state = DueState.OVERDUE
    elif due_on == today or miles_over == 0:
        state = DueState.TODAY
    else:
        state = _coming(terms, days_left, miles_left)
    if is_laid_up and terms.kind is DueKind.TAX:
        state, is_overdue = DueState.ASLEEP, False
    elif terms.snoozed_until is not None and today <= terms.snoozed_until:
        state = DueState.SNOOZED
    return DueStanding(
        terms,
        today,
        state,
        is_overdue=is_overdue,
        days_left=days_left,
        miles_left=miles_left,
        expected_on=expected_on,
        first_on=first_on,
        basis=basis,
    )


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
        projected = terms.due_miles - forecast.miles_on(today)
        return min(projected, left), forecast.day_of(terms.due_miles)
    return (None, None) if is_stale(mileage, today) else (left, None)


def _coming(terms: Terms, days_left: int | None, miles_left: int | None) -> DueState:
    if days_left is not None and days_left <= terms.soon_days:
        return DueState.SOON
    if miles_left is not None and miles_left <= terms.soon_miles:
        return DueState.SOON
    is_unknown = terms.due_miles is not None and miles_left is None
    return DueState.MILEAGE_UNKNOWN if is_unknown else DueState.FINE
