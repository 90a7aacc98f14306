"""The chart of a vehicle's odometer as a line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from app.charts import Label, scale

WIDTH = 600
HEIGHT = 60
MAX_POINTS = 200

OdometerReading = tuple[date, int]
"""A day and the odometer on it, in miles."""


@dataclass(frozen=True)
class OdometerChart:
    """The odometer as an SVG path of WIDTH × HEIGHT, with its first and last reading.

    `labels` are the labels of its scale, in miles.
    """

    line: str
    labels: Sequence[Label]
    first: OdometerReading
    last: OdometerReading
    readings: int


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
    labels = [Label(tick, round(100 * _y(tick, ticks) / HEIGHT, 1)) for tick in ticks]
    return OdometerChart("M" + "L".join(coordinates), labels, first, last, len(readings))


def _ticks(lowest: int, highest: int) -> Sequence[int]:
    """Return round numbers, evenly apart, from at most `lowest` to at least `highest`."""
    step = scale(highest - lowest)[1]
    start = lowest // step * step
    return range(start, max(-(-highest // step) * step, start + step) + 1, step)


def _y(amount: float, ticks: Sequence[int]) -> float:
    return round(HEIGHT * (1 - (amount - ticks[0]) / (ticks[-1] - ticks[0])), 1)
