"""When due items are due next; pure."""

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from app.dates import format_day
from app.due.rules.fields import DUE_MILES, DUE_ON, KINDS, Anchor, DueKind
from app.money import format_number


@dataclass(frozen=True)
class Interval:
    """The interval of a due item; done up to `early_window_days` early, it keeps its day."""

    months: int | None = None
    days: int | None = None
    miles: int | None = None
    anchor: Anchor = Anchor.DONE
    early_window_days: int | None = None


def plan_interval(plan: Any) -> Interval:
    """Return how often a plan's items are due."""
    every = (plan.every_months, plan.every_days, plan.every_miles)
    return Interval(*every, plan.anchor, plan.early_window_days)


@dataclass(frozen=True)
class NextDue:
    """When an item is due next, why, and the day of the month that later days keep."""

    on: date | None = None
    miles: int | None = None
    reason: str = field(default="", compare=False)
    anchor_day: int | None = field(default=None, compare=False)

    def __bool__(self) -> bool:
        return self.on is not None or self.miles is not None

    def chosen(self, on: "date | Proposed | None", miles: "int | Proposed | None") -> "NextDue":
        """Return what was entered, or the proposal where it was left; another day has no anchor."""
        on = self.on if isinstance(on, Proposed) else on
        miles = self.miles if isinstance(miles, Proposed) else miles
        return NextDue(on, miles, anchor_day=self.anchor_day if on == self.on else None)

    def text(self, before_day: str = "", before_miles: str = "", either: str = " or ") -> str:
        """Return when it is, such as '3 Jan 2028 or 60,210 miles', '' for never."""
        day = f"{before_day}{format_day(self.on)}" if self.on else ""
        miles = f"{before_miles}{format_number(self.miles)} miles" if self.miles is not None else ""
        return either.join(filter(None, (day, miles)))

    @property
    def event_values(self) -> dict[str, Any]:
        """Return the day and mileage as events tell them."""
        return {DUE_ON.json: self.on, DUE_MILES.json: self.miles}


def due_in_event(values: Mapping[str, Any] | None) -> NextDue:
    """Return the day and mileage that an event tells."""
    found = values or {}
    on = found.get(DUE_ON.json)
    return NextDue(on and date.fromisoformat(on), found.get(DUE_MILES.json))


@dataclass(frozen=True)
class Proposed:
    """Stands for the proposal; `day` is the one that the form showed, refused if it changed."""

    day: date | None = None


@dataclass(frozen=True)
class Work:
    """Work done on an item, and when it had been due."""

    done_on: date
    done_miles: int | None = None
    due_on: date | None = None
    due_miles: int | None = None
    anchor_day: int | None = None


def add_months(day: date, months: int, *, anchor_day: int | None = None) -> date:
    """Return the day so many months later: 28 Feb, then 31 Mar again with 31 as `anchor_day`."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(anchor_day or day.day, last))


def interval_of_kind(kind: DueKind) -> Interval | None:
    """Return how often a kind is due without a plan, None if nothing follows by itself."""
    months = KINDS[kind].months
    return Interval(months=months, anchor=Anchor.DUE) if months else None


def next_due(kind: DueKind, interval: Interval | None, work: Work) -> NextDue:
    """Return when something that was done is due again; days and miles are counted apart."""
    if interval is None:
        return NextDue(reason="Nothing follows by itself. Enter a day if something does.")
    if kind is DueKind.MOT and interval.months and not interval.days:
        following = _next_mot(interval.months, work)
    else:
        following = _next_day(interval, work)
    if KINDS[kind].is_legal:
        return following
    return replace(following, miles=_next_miles(interval, work))


def keeps_mot_day(done_on: date, due_on: date) -> bool:
    """Return whether a test is within a month minus a day before the MOT runs out."""
    return add_months(due_on, -1) + timedelta(days=1) <= done_on <= due_on


def _next_mot(months: int, work: Work) -> NextDue:
    done_on, due_on = work.done_on, work.due_on
    if due_on is not None and keeps_mot_day(done_on, due_on):
        return NextDue(
            add_months(due_on, months, anchor_day=work.anchor_day),
            reason="tested in the last month before expiry, so the day stays.",
            anchor_day=work.anchor_day or due_on.day,
        )
    on = add_months(done_on, months) - timedelta(days=1)
    if due_on is None:
        reason = "counted from the day of the test."
    else:
        when = "after expiry" if done_on > due_on else "more than a month before expiry"
        reason = f"tested {when}, so it counts from the day of the test."
    return NextDue(on, reason=reason, anchor_day=on.day)


def _next_day(interval: Interval, work: Work) -> NextDue:
    done_on, due_on = work.done_on, work.due_on
    if not interval.months and not interval.days:
        return NextDue(reason="counted in miles alone.")
    early = interval.early_window_days or 0
    is_early = due_on is not None and due_on - timedelta(days=early) <= done_on <= due_on
    if due_on is not None and (interval.anchor is Anchor.DUE or (early and is_early)):
        on, anchor_day = _step(interval, due_on, work.anchor_day or due_on.day)
        while on <= done_on:
            on, anchor_day = _step(interval, on, anchor_day)
        reason = f"done in the {early} days before it was due, so the day stays."
        if interval.anchor is Anchor.DUE:
            reason = "counted from the day that it was due."
    else:
        on, anchor_day = _step(interval, done_on, done_on.day)
        reason = "counted from the day that it was done."
    return NextDue(on, reason=reason, anchor_day=anchor_day)


def _step(interval: Interval, day: date, anchor_day: int) -> tuple[date, int]:
    """Return the day one interval later, by months or days, and the anchor of later ones."""
    by_days = day + timedelta(days=interval.days or 0)
    if not interval.months:
        return by_days, by_days.day
    by_months = add_months(day, interval.months, anchor_day=anchor_day)
    is_sooner = interval.days and by_days < by_months
    return (by_days, by_days.day) if is_sooner else (by_months, anchor_day)


def _next_miles(interval: Interval, work: Work) -> int | None:
    if not interval.miles:
        return None
    if interval.anchor is Anchor.DUE and work.due_miles is not None:
        steps = max((work.done_miles or 0) - work.due_miles, 0) // interval.miles + 1
        return work.due_miles + steps * interval.miles
    return None if work.done_miles is None else work.done_miles + interval.miles
