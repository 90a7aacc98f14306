"""When something is due again; pure. docs/domain.md, Upkeep, has the rules."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from app.upkeep.rules.due_kinds import KINDS
from app.upkeep.rules.kinds import Anchor, DueKind

FIRST_MOT_YEARS = 3


@dataclass(frozen=True)
class Interval:
    """How often something is due, and from what the next time is counted.

    Done up to `early_window_days` before its day, it keeps the day.
    """

    months: int | None = None
    days: int | None = None
    miles: int | None = None
    anchor: Anchor = Anchor.DONE
    early_window_days: int | None = None


@dataclass(frozen=True)
class NextDue:
    """The next day and mileage, each None for none, and the sentence for the rule."""

    on: date | None = None
    miles: int | None = None
    reason: str = ""


def add_months(day: date, months: int, *, anchor_day: int | None = None) -> date:
    """Return the day so many months later; short months end early, without moving the anchor.

    `anchor_day` is the day of the month that a series keeps: 31 Jan, 28 Feb, 31 Mar.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    last = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(anchor_day or day.day, last))


def interval_of_kind(kind: DueKind) -> Interval | None:
    """Return how often a kind is due without a plan, None if nothing follows by itself."""
    months = KINDS[kind].months
    return Interval(months=months, anchor=Anchor.DUE) if months else None


def next_due(
    kind: DueKind,
    interval: Interval | None,
    *,
    done_on: date,
    done_miles: int | None = None,
    due_on: date | None = None,
    due_miles: int | None = None,
    anchor_day: int | None = None,
) -> NextDue:
    """Return when something that was done is due again.

    Days and miles are counted apart; whichever comes first counts later.
    """
    if interval is None:
        return NextDue(reason="Nothing follows by itself. Enter a day if something does.")
    on: date | None
    if kind is DueKind.MOT and interval.months and not interval.days:
        on, reason = _next_mot(interval.months, done_on, due_on, anchor_day)
    else:
        on, reason = _next_day(interval, done_on, due_on, anchor_day)
    return NextDue(on, _next_miles(interval, done_miles, due_miles), reason)


def keeps_mot_day(done_on: date, due_on: date) -> bool:
    """Return whether a test is within a month minus a day before the MOT runs out."""
    return add_months(due_on, -1) + timedelta(days=1) <= done_on <= due_on


def first_mot(registered_on: date, years: int = FIRST_MOT_YEARS) -> date:
    """Return when a vehicle's first MOT is due."""
    return add_months(registered_on, 12 * years)


def anchor_after(chosen: date | None, proposed: date | None, anchor_day: int | None) -> int | None:
    """Return the day of the month that the next item keeps: a date that was typed sets its own."""
    if chosen is None:
        return None
    return (anchor_day or chosen.day) if chosen == proposed else chosen.day


def _next_mot(
    months: int, done_on: date, due_on: date | None, anchor_day: int | None
) -> tuple[date, str]:
    if due_on is not None and keeps_mot_day(done_on, due_on):
        return (
            add_months(due_on, months, anchor_day=anchor_day),
            "tested in the last month before expiry, so the day stays.",
        )
    on = add_months(done_on, months) - timedelta(days=1)
    if due_on is None:
        return on, "counted from the day of the test."
    when = "after expiry" if done_on > due_on else "more than a month before expiry"
    return on, f"tested {when}, so it counts from the day of the test."


def _next_day(
    interval: Interval, done_on: date, due_on: date | None, anchor_day: int | None
) -> tuple[date | None, str]:
    if not interval.months and not interval.days:
        return None, "counted in miles alone."
    early = interval.early_window_days or 0
    is_early = (
        due_on is not None and early > 0 and due_on - timedelta(days=early) <= done_on <= due_on
    )
    if due_on is not None and (is_early or interval.anchor is Anchor.DUE):
        on = _step(interval, due_on, anchor_day)
        while on <= done_on:
            on = _step(interval, on, anchor_day)
        if interval.anchor is Anchor.DUE:
            return on, "counted from the day that it was due."
        return on, f"done in the {early} days before it was due, so the day stays."
    return _step(interval, done_on, None), "counted from the day that it was done."


def _step(interval: Interval, day: date, anchor_day: int | None) -> date:
    """Return the day one interval later: that of its months or of its days, whichever is first."""
    steps = []
    if interval.months:
        steps.append(add_months(day, interval.months, anchor_day=anchor_day))
    if interval.days:
        steps.append(day + timedelta(days=interval.days))
    return min(steps)


def _next_miles(interval: Interval, done_miles: int | None, due_miles: int | None) -> int | None:
    if not interval.miles:
        return None
    if interval.anchor is Anchor.DUE and due_miles is not None:
        steps = max((done_miles or 0) - due_miles, 0) // interval.miles + 1
        return due_miles + steps * interval.miles
    return None if done_miles is None else done_miles + interval.miles
