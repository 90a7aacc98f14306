"""Charts of a vehicle: its odometer as a line and its repair costs as bars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

WIDTH = 600
HEIGHT = 60
MARGIN = 4
MAX_POINTS = 200
MONTHS = 12
BAR_GAP = 10

OdometerReading = tuple[date, int]
"""A day and the odometer on it, in miles."""
MonthCost = tuple[date, int]
"""The first day of a month and its cost, in pence."""


@dataclass(frozen=True)
class OdometerChart:
    """The odometer as an SVG path of WIDTH × HEIGHT, with its first and last reading."""

    line: str
    first: OdometerReading
    last: OdometerReading
    readings: int


@dataclass(frozen=True)
class CostChart:
    """One bar per month as an SVG path of WIDTH × HEIGHT.

    `total` is in pence. `highest` is the most expensive month, on a tie, the latest.
    """

    bars: str
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
    lowest = min(miles for _, miles in readings)
    span = max(miles for _, miles in readings) - lowest or 1
    coordinates = (
        f"{round(point * WIDTH / (MAX_POINTS - 1))} {_y(miles - lowest, span):g}"
        for point, miles in sorted(points.items())
    )
    return OdometerChart("M" + "L".join(coordinates), first, last, len(readings))


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
    bars = (
        f"M{index * step + BAR_GAP / 2:g} {HEIGHT}V{_y(pence, highest[1]):g}"
        f"h{step - BAR_GAP:g}V{HEIGHT}z"
        for index, pence in enumerate(months.values())
        if pence
    )
    return CostChart("".join(bars), list(months.items()), sum(months.values()), highest)


def first_month(today: date) -> date:
    """Return the first day of the earliest month in the cost chart."""
    return _last_months(today)[0]


def _last_months(today: date) -> list[date]:
    current = today.year * 12 + today.month - 1
    return [date(n // 12, n % 12 + 1, 1) for n in range(current - MONTHS + 1, current + 1)]


def _y(amount: int, highest: int) -> float:
    # Without a margin half the stroke would be cut off at the highest and the lowest point.
    return round(MARGIN + (HEIGHT - 2 * MARGIN) * (1 - amount / highest), 1)
