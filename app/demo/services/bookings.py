"""The demo's bookings: a week with checks, one that is late, any van, and equipment."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any

from app import dates
from app.bookings.rules import BookingKind, BookingRequest, TimeSpan
from app.bookings.services.bookings import book, cancel_booking, decide_bookable
from app.demo.services.story import Story, StoryStep
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.findings import BookingStep, HandoverStep
from app.fleet.rules.vehicles import plate_key
from app.fleet.services.checks import CheckPlan, submit_check

VEHICLE, EQUIPMENT = BookingKind.VEHICLE, BookingKind.ASSET
POLISHER = "as-1008"


def booking_steps(*, today: date, by: int) -> Sequence[StoryStep]:
    """Return the steps of bookings, whose handovers are checks."""
    story = Story(today, by)
    _drive(story, 2, "KN23 AWD", "08:30", "12:00", [("08:30", 49_851), ("10:40", 49_893)])
    _drive(story, 1, "LK21 HNB", "13:00", "16:00", [("13:00", 60_480), ("16:10", 60_533)])
    _drive(story, 1, "LK19 VTE", "14:00", "17:00", [("14:00", 34_540)])
    van = {"class_name": "Van", "for_name": "Electricians"}
    story.on(0, "07:30", _book, story, -1, "09:00", "12:00", VEHICLE, **van)
    story.on(0, "07:40", _book, story, -2, "10:00", "15:30", VEHICLE, "kn23awd", purpose="Tools")
    story.on(0, "07:50", _call_off, story)
    story.on(1, "10:00", decide_bookable, EQUIPMENT, POLISHER, is_bookable=True, by=by)
    story.on(0, "08:00", _book, story, -1, "18:00", "22:00", EQUIPMENT, POLISHER)
    return story.steps


def _drive(
    story: Story, days_ago: int, reg: str, start: str, end: str, checks: Sequence[tuple[str, int]]
) -> None:
    made: list[int] = []

    def make() -> None:
        made.append(_book(story, days_ago, start, end, VEHICLE, plate_key(reg)))

    def check(step: HandoverStep, miles: int) -> None:
        taken = BookingStep(made[0], step)
        submitted = SubmittedCheck(reg, miles, dates.today(), {}, booking=taken)
        submit_check(CheckPlan(submitted, reg, miles, None, {}), by=story.by)

    story.on(days_ago + 1, "16:00", make)
    for step, (clock, miles) in zip(HandoverStep, checks, strict=False):
        story.on(days_ago, clock, check, step, miles)


def _book(
    story: Story, days_ago: int, start: str, end: str, kind: BookingKind, key: str = "", **more: Any
) -> int:
    moments = (
        datetime.combine(story.ago(days_ago), time.fromisoformat(clock), dates.LONDON)
        for clock in (start, end)
    )
    period = TimeSpan(*(moment.astimezone(UTC) for moment in moments))
    return book([BookingRequest(kind, period, key, **more)], by=story.by).number


def _call_off(story: Story) -> None:
    number = _book(story, -3, "08:00", "10:00", VEHICLE, "lk21hnb")
    cancel_booking(number, reason="The job moved to next week", by=story.by)
