"""The use of odometer readings; pure. docs/domain.md, Upkeep, has the rules."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from app.dates import format_day
from app.money import format_number
from app.upkeep.rules.kinds import Doubt
from app.upkeep.rules.words import near_day

MAX_MILES_A_DAY = 1000
"""A reading that rises by more is doubtful."""

NOT_USED = "It isn't used until a manager accepts it."
"""The sentence after the question about a doubtful reading."""


class Mileage(NamedTuple):
    """A reading that counts; readings are ordered by day, and on one day by miles."""

    day: date
    miles: int


def find_doubt(
    miles: int, day: date, *, before: Mileage | None, after: Mileage | None
) -> Doubt | None:
    """Return why a new reading isn't used, None if it fits between its neighbours.

    `before` is the newest accepted reading up to its day, `after` the oldest of a later day. A
    reading too low for either FELL, and one too high for either JUMPED.
    """
    if before is not None:
        if miles < before.miles:
            return Doubt.FELL
        if miles - before.miles > _most_miles(before.day, day):
            return Doubt.JUMPED
    if after is not None:
        if miles > after.miles:
            return Doubt.JUMPED
        if after.miles - miles > _most_miles(day, after.day):
            return Doubt.FELL
    return None


def describe_doubt(miles: int, day: date, neighbour: Mileage | None) -> str:
    """Ask about a doubtful reading, as in 'Is 480,210 right? It was 48,190 on 3 Nov.'."""
    question = f"Is {format_number(miles)} right?"
    if neighbour is None:
        return question
    on = near_day(neighbour.day, day)
    return f"{question} It was {format_number(neighbour.miles)} on {on}."


def describe_contradictions(miles: int, others: Sequence[Mileage]) -> str:
    """Describe the readings to be voided before another can be accepted."""
    first = others[0]
    above = "higher" if first.miles > miles else "lower"
    example = f"{format_number(first.miles)} of {format_day(first.day)}"
    if len(others) == 1:
        return (
            f"{format_number(miles)} can't be right as long as {example} counts, which is {above}. "
            "Void that reading too, or void this one."
        )
    return (
        f"{format_number(miles)} can't be right as long as {len(others)} other readings count, "
        f"such as {example}. Void those too, or void this one."
    )


def _most_miles(first: date, last: date) -> int:
    """Return the most miles between two days; one day counts as a whole one."""
    return MAX_MILES_A_DAY * max((last - first).days, 1)
