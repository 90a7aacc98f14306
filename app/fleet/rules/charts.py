"""Small pictures of a vehicle: its odometer as a line, its repair costs as bars; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

WIDTH = 600
HEIGHT = 60
MARGIN = 4
MOST_POINTS = 200
MONTHS = 12
BAR_GAP = 10

DayReading = tuple[date, int]
MonthCost = tuple[date, int]


@dataclass(frozen=True)
class OdometerChart:
    """Readings as a line through WIDTH × HEIGHT, with its first and last one."""

    line: str
    first: DayReading
    last: DayReading
    readings: int


@dataclass(frozen=True)
class CostChart:
    """A bar per month in WIDTH × HEIGHT; `dearest` is the latest of the dearest months."""

    bars: str
    months: Sequence[MonthCost]
    total: int
    dearest: MonthCost


def odometer_chart(readings: Iterable[DayReading]) -> OdometerChart | None:
    """Draw readings, the oldest first, between the lowest and the highest; None below two days.

    Time is cut into at most MOST_POINTS pieces, each drawn with its last reading.
    """
    known = list(readings)
    if not known or known[0][0] == known[-1][0]:
        return None
    first, last = known[0], known[-1]
    days = (last[0] - first[0]).days
    pieces = {(day - first[0]).days * (MOST_POINTS - 1) // days: miles for day, miles in known}
    lowest = min(miles for _, miles in known)
    span = max(miles for _, miles in known) - lowest or 1
    drawn = (
        f"{round(piece * WIDTH / (MOST_POINTS - 1))} {_height(miles - lowest, span):g}"
        for piece, miles in sorted(pieces.items())
    )
    return OdometerChart("M" + "L".join(drawn), first, last, len(known))


def cost_chart(costs: Iterable[MonthCost], today: date) -> CostChart | None:
    """Draw what was spent in each of the MONTHS months up to today's; None where nothing was."""
    months = dict.fromkeys(_last_months(today), 0)
    for day, pence in costs:
        month = day.replace(day=1)
        if month in months:
            months[month] += pence
    dearest = max(months.items(), key=lambda month: (month[1], month[0]))
    if not dearest[1]:
        return None
    step = WIDTH / MONTHS
    bars = (
        f"M{place * step + BAR_GAP / 2:g} {HEIGHT}V{_height(pence, dearest[1]):g}"
        f"h{step - BAR_GAP:g}V{HEIGHT}z"
        for place, pence in enumerate(months.values())
        if pence
    )
    return CostChart("".join(bars), list(months.items()), sum(months.values()), dearest)


def first_month(today: date) -> date:
    """Return the first day of the months that the costs are drawn of."""
    return _last_months(today)[0]


def _last_months(today: date) -> list[date]:
    count = today.year * 12 + today.month - 1
    return [date(n // 12, n % 12 + 1, 1) for n in range(count - MONTHS + 1, count + 1)]


def _height(amount: int, highest: int) -> float:
    # Some room above and below keeps the line in sight at its highest and lowest.
    return round(MARGIN + (HEIGHT - 2 * MARGIN) * (1 - amount / highest), 1)
