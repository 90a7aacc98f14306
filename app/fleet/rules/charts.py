"""Charts of a vehicle: its odometer as a line and its repair costs as bars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from app.charts import Label, scale

WIDTH = 600
HEIGHT = 60
MAX_POINTS = 200
MONTHS = 12
BAR_GAP = 10

OdometerReading = tuple[date, int]
"""A day and the odometer on it, in miles."""
MonthCost = tuple[date, int]
"""The first day of a month and its cost, in pence."""


@dataclass(frozen=True)
class OdometerChart:
    """The odometer as an SVG path of WIDTH × HEIGHT, with its first and last reading.

    `labels` are those of its scale, in miles.
    """

    line: str
    labels: Sequence[Label]
    first: OdometerReading
    last: OdometerReading
    readings: int


@dataclass(frozen=True)
class CostChart:
    """One bar per month as an SVG path of WIDTH × HEIGHT.

    `labels` are those of its scale, in pounds; `total` is in pence. `highest` is the most expensive
    month, on a tie, the latest.
    """

    bars: str
    labels: Sequence[Label]
    months: Sequence[MonthCost]
    total: int
    highest: MonthCost


def odometer_chart(odometer_readings: Iterable[OdometerReading]) -> OdometerChart | None:
    """Return the chart of readings in order of day, or None if they are all of one day.

    The time is divided into at most MAX_POINTS steps; each step's last reading is drawn.
    """
    readings = list(odometer_readings)
    if not readings or readings[0][0] == readings[-1][0]:
        return None
    first, last = readings[0], readings[-1]
    days = (last[0] - first[0]).days
    points = {(day - first[0]).days * (MAX_POINTS - 1) // days: miles for day, miles in readings}
    miles_read = [miles for _, miles in readings]
    ticks = _ticks(min(miles_read), max(miles_read))
    coordinates = (
        f"{round(point * WIDTH / (MAX_POINTS - 1))} {_y(miles, ticks):g}"
        for point, miles in sorted(points.items())
    )
    return OdometerChart("M" + "L".join(coordinates), _labels(ticks), first, last, len(readings))


def cost_chart(costs: Iterable[MonthCost], today: date) -> CostChart | None:
    """Return the chart of the costs in the last MONTHS months, or None if there were none."""
    months = dict.fromkeys(_last_months(today), 0)
    for day, pence in costs:
        month = day.replace(day=1)
        if month in months:
            months[month] += pence
    highest = max(months.items(), key=lambda month: (month[1], month[0]))
    if not highest[1]:
        return None
    step = WIDTH / MONTHS
    ticks = scale(-(-highest[1] // 100))
    bars = (
        f"M{index * step + BAR_GAP / 2:g} {HEIGHT}V{_y(pence / 100, ticks):g}"
        f"h{step - BAR_GAP:g}V{HEIGHT}z"
        for index, pence in enumerate(months.values())
        if pence
    )
    total = sum(months.values())
    return CostChart("".join(bars), _labels(ticks), list(months.items()), total, highest)


def first_month(today: date) -> date:
    """Return the first day of the earliest month in the cost chart."""
    return _last_months(today)[0]


def _last_months(today: date) -> list[date]:
    current = today.year * 12 + today.month - 1
    return [date(n // 12, n % 12 + 1, 1) for n in range(current - MONTHS + 1, current + 1)]


def _ticks(lowest: int, highest: int) -> Sequence[int]:
    """Return round numbers, evenly apart, from at most `lowest` to at least `highest`."""
    step = scale(highest - lowest)[1]
    start = lowest // step * step
    return range(start, max(-(-highest // step) * step, start + step) + 1, step)


def _labels(ticks: Sequence[int]) -> Sequence[Label]:
    return [Label(tick, round(100 * _y(tick, ticks) / HEIGHT, 1)) for tick in ticks]


def _y(amount: float, ticks: Sequence[int]) -> float:
    return round(HEIGHT * (1 - (amount - ticks[0]) / (ticks[-1] - ticks[0])), 1)
