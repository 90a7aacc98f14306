"""Small SVG charts: an amount over time as a step line, counts per day as bars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

WIDTH = 600
HEIGHT = 60
MARGIN = 4
MAX_POINTS = 200

Point = tuple[datetime, int]
DayCount = tuple[date, int]


@dataclass(frozen=True)
class Chart:
    """A step line and its figures.

    `line` is an SVG path across WIDTH × HEIGHT.
    """

    line: str
    since: datetime
    lowest: int
    highest: int
    latest: int


class Bar(NamedTuple):
    """A day, its number, and the height of its bar in percent of the scale."""

    day: date
    number: int
    height: float


@dataclass(frozen=True)
class BarChart:
    """A bar for each day, oldest first, the round numbers of their scale, and their figures.

    `busiest` is the day with the highest number, the latest one of equals.
    """

    bars: Sequence[Bar]
    ticks: Sequence[int]
    total: int
    busiest: Bar


def step_chart(points: Iterable[Point], until: datetime) -> Chart | None:
    """Return a step line of amounts over time, None without any.

    `points` are amounts with the time from which each applied, oldest first. Time is divided
    into MAX_POINTS intervals, each drawn with its last amount.
    """
    steps = list(points)
    if not steps:
        return None
    start = steps[0][0]
    seconds = max((until - start).total_seconds(), 1)
    intervals: dict[int, int] = {}
    for at, amount in steps:
        share = min(max((at - start).total_seconds() / seconds, 0), 1)
        intervals[int(share * (MAX_POINTS - 1))] = amount
    amounts = [amount for _, amount in steps]
    return Chart(
        line=_line(sorted(intervals.items()), min(*amounts, 0), max(*amounts, 1)),
        since=start,
        lowest=min(amounts),
        highest=max(amounts),
        latest=amounts[-1],
    )


def _line(intervals: Sequence[tuple[int, int]], lowest: int, highest: int) -> str:
    commands: list[str] = []
    for interval, amount in intervals:
        # A margin keeps the line visible at its highest amount and at 0.
        share = (highest - amount) / (highest - lowest)
        y = round(MARGIN + (HEIGHT - 2 * MARGIN) * share, 1)
        x = round(interval * WIDTH / (MAX_POINTS - 1))
        commands.append(f"H{x}V{y:g}" if commands else f"M0 {y:g}")
    return "".join(commands) + f"H{WIDTH}"


def bar_chart(days: Sequence[DayCount]) -> BarChart:
    """Return a bar for each of one or more days, oldest first; a count of 0 has no height."""
    ticks = scale(max(count for _, count in days))
    # Even the smallest count has a visible bar.
    bars = [
        Bar(day, count, max(round(100 * count / ticks[-1], 1), 1) if count else 0)
        for day, count in days
    ]
    return BarChart(
        bars=bars,
        ticks=ticks,
        total=sum(count for _, count in days),
        busiest=max(bars, key=lambda bar: (bar.number, bar.day)),
    )


def shares(amounts: Sequence[int], width: int = 100) -> Sequence[float]:
    """Return the bar lengths of amounts; the largest one is `width` long."""
    largest = max(amounts, default=0)
    # Even the smallest amount has a visible bar.
    return [max(round(width * amount / largest, 1), 0.5) if amount else 0 for amount in amounts]


def scale(largest: int) -> Sequence[int]:
    """Return two to five round numbers from 0 to at least `largest`, evenly apart."""
    step = 1
    while step * 4 < largest:
        # 1, 2, 5, 10, 20, 50 …
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return range(0, max(-(-largest // step), 1) * step + 1, step)
