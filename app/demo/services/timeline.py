"""The history of the demo, each step at its moment."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from app import dates


@dataclass(frozen=True)
class StoryStep:
    """Something that was done at a moment."""

    at: datetime
    do: Callable[[], object]


def play(steps: Iterable[StoryStep]) -> None:
    """Do all steps in the order of their moments, and of one moment in their own order."""
    for step in sorted(steps, key=lambda step: step.at):
        with dates.as_of(step.at):
            step.do()


def moment(today: date, days_ago: int, clock: str) -> datetime:
    """Return a London time of a day, now for a time still to come."""
    day = today - timedelta(days=days_ago)
    at = datetime.combine(day, time.fromisoformat(clock), dates.LONDON)
    return min(at.astimezone(UTC), dates.utc_now())
