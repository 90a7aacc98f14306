"""SVG charts: amounts over time as a step line, small or with axes, counts and sums as bars."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import NamedTuple

WIDTH = 600
HEIGHT = 60
MARGIN = 4
MAX_POINTS = 200
PICTURE_HEIGHT = 100
BAR_SHARE = 0.6
"""The part of its place that a stacked bar fills."""

MAX_BAR_LABELS = 7
"""The most labels under stacked bars, which fit a phone."""


class Chart(NamedTuple):
    """A step line, an SVG path across WIDTH × HEIGHT, and its figures."""

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


class BarChart(NamedTuple):
    """A bar for each day, oldest first, the ticks of their scale, and the latest busiest day."""

    bars: Sequence[Bar]
    ticks: Sequence[int]
    total: int
    busiest: Bar


class Label(NamedTuple):
    """A text of an axis, and its place in percent of the axis from the left or the top."""

    text: int | str
    at: float


class Mark(NamedTuple):
    """A point of a picture that has a meaning, in percent from the left and from the top."""

    meaning: str
    x: float
    y: float


class StepPicture(NamedTuple):
    """A step line of amounts by day, an SVG path across `width` × PICTURE_HEIGHT, and its marks."""

    line: str
    width: int
    amounts: Sequence[Label]
    marks: Sequence[Mark]
    first: int
    lowest: int
    highest: int
    latest: int
    minimum: Label | None = None


class Segment(NamedTuple):
    """A part of a stacked bar: the number of its series, its top and height in percent."""

    series: int
    y: float
    height: float


class Stack(NamedTuple):
    """A stacked bar: its number, a label if it fits, its place in percent from the left."""

    number: int
    label: str
    x: float
    total: int
    segments: Sequence[Segment]


class StackedBars(NamedTuple):
    """Bars, oldest first, `width` percent wide; if it `has_sums`, these fit above the bars."""

    bars: Sequence[Stack]
    amounts: Sequence[Label]
    width: float
    has_sums: bool
    total: int
    highest: Stack


def stacked_bars(
    labels: Sequence[str], series: Sequence[Sequence[int]], *, unit: int = 1
) -> StackedBars | None:
    """Return a bar for each label with its amount of each series, in `unit`; None without any."""
    totals = [sum(amounts) for amounts in zip(*series, strict=True)]
    if not any(totals):
        return None
    ticks = scale(-(-max(totals) // unit))
    step = 100 / len(labels)

    def percent(amount: int) -> float:
        return round(100 * amount / (ticks[-1] * unit), 1)

    bars, every = [], -(-len(labels) // MAX_BAR_LABELS)
    for number, (label, total) in enumerate(zip(labels, totals, strict=True)):
        above, segments = total, []
        for each, amounts in enumerate(series):
            if part := amounts[number]:
                segments.append(Segment(each, round(100 - percent(above), 1), percent(part)))
                above -= part
        text = "" if number % every else label
        bars.append(Stack(number, text, round((number + 0.5) * step, 1), total, segments))
    return StackedBars(
        bars=bars,
        amounts=[Label(tick, round(100 - 100 * tick / ticks[-1], 1)) for tick in ticks],
        width=round(step * BAR_SHARE, 1),
        has_sums=len(labels) <= MAX_BAR_LABELS,
        total=sum(totals),
        highest=max(bars, key=lambda bar: (bar.total, bar.number)),
    )


def step_picture(
    amounts: Sequence[int],
    days: Sequence[date],
    marked: Mapping[str, Sequence[date]],
    minimum: int | None = None,
) -> StepPicture:
    """Return a picture of the amounts before some days and after each, with marks by meaning."""
    ticks = scale(max(*amounts, minimum or 0))
    width = 2 * len(days)

    def y(amount: int) -> float:
        return round(PICTURE_HEIGHT * (1 - amount / ticks[-1]), 1)

    line = [f"M0 {y(amounts[0]):g}"]
    line += [
        f"H{2 * number + 1}V{y(after):g}"
        for number, (before, after) in enumerate(pairwise(amounts))
        if after != before
    ]
    places = {day: (2 * number + 1, amounts[number + 1]) for number, day in enumerate(days)}
    return StepPicture(
        line="".join(line) + f"H{width}",
        width=width,
        amounts=[Label(tick, y(tick)) for tick in ticks],
        marks=[
            Mark(meaning, round(100 * places[day][0] / width, 1), y(places[day][1]))
            for meaning, on in marked.items()
            for day in on
        ],
        first=amounts[0],
        lowest=min(amounts),
        highest=max(amounts),
        latest=amounts[-1],
        minimum=Label(minimum, y(minimum)) if minimum else None,
    )


def step_chart(points: Iterable[tuple[datetime, int]], until: datetime) -> Chart | None:
    """Return a step line of amounts and the time from which each applied, None without any."""
    steps = list(points)
    if not steps:
        return None
    start = steps[0][0]
    seconds = max((until - start).total_seconds(), 1)
    # Of the amounts of an interval, the last one is drawn.
    intervals: dict[int, int] = {}
    for at, amount in steps:
        share = min(max((at - start).total_seconds() / seconds, 0), 1)
        intervals[int(share * (MAX_POINTS - 1))] = amount
    amounts = [amount for _, amount in steps]
    lowest, highest = min(*amounts, 0), max(*amounts, 1)
    commands: list[str] = []
    for interval, amount in sorted(intervals.items()):
        # A margin keeps the line visible at its highest amount and at 0.
        share = (highest - amount) / (highest - lowest)
        y = round(MARGIN + (HEIGHT - 2 * MARGIN) * share, 1)
        x = round(interval * WIDTH / (MAX_POINTS - 1))
        commands.append(f"H{x}V{y:g}" if commands else f"M0 {y:g}")
    return Chart(
        line="".join(commands) + f"H{WIDTH}",
        since=start,
        lowest=min(amounts),
        highest=max(amounts),
        latest=amounts[-1],
    )


def bar_chart(days: Sequence[tuple[date, int]]) -> BarChart:
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


def share(start: datetime, end: datetime, first: datetime, last: datetime) -> tuple[float, float]:
    """Return where a time begins between two others and how long it is, both in percent."""
    whole = last - first
    begin, finish = (min(max((at - first) / whole, 0), 1) for at in (start, end))
    return round(100 * begin, 2), round(100 * (finish - begin), 2)


def scale(largest: int) -> Sequence[int]:
    """Return two to five round numbers from 0 to at least `largest`, evenly apart."""
    step = 1
    while step * 4 < largest:
        # 1, 2, 5, 10, 20, 50 …
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return range(0, max(-(-largest // step), 1) * step + 1, step)
