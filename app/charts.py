"""Small pictures: an amount over time as a line, what happened per day as bars; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

WIDTH = 600
HEIGHT = 60
MARGIN = 4
MOST_POINTS = 200
BAR_WIDTH = 3
BAR_STEP = 4
BARS_HEIGHT = 32

Point = tuple[datetime, int]
DayCount = tuple[date, int]


@dataclass(frozen=True)
class Chart:
    """A step line with what there is to say of it.

    `line` is an SVG path from the left edge of WIDTH × HEIGHT to the right one.
    """

    line: str
    since: datetime
    lowest: int
    highest: int
    latest: int


@dataclass(frozen=True)
class BarChart:
    """A bar per day with what there is to say of them.

    `bars` is an SVG path in `width` × BARS_HEIGHT; `busiest` is the latest of the days that have
    the most.
    """

    bars: str
    width: int
    days: Sequence[DayCount]
    total: int
    busiest: DayCount


def step_chart(points: Iterable[Point], until: datetime) -> Chart | None:
    """Draw amounts, each with the moment since when it stood, oldest first; None without any.

    Time is cut into at most MOST_POINTS pieces, each drawn with its last amount.
    """
    known = list(points)
    if not known:
        return None
    start = known[0][0]
    seconds = max((until - start).total_seconds(), 1)
    pieces: dict[int, int] = {}
    for at, amount in known:
        share = min(max((at - start).total_seconds() / seconds, 0), 1)
        pieces[int(share * (MOST_POINTS - 1))] = amount
    amounts = [amount for _, amount in known]
    return Chart(
        line=_line(sorted(pieces.items()), max(*amounts, 1)),
        since=start,
        lowest=min(amounts),
        highest=max(amounts),
        latest=amounts[-1],
    )


def _line(pieces: Sequence[tuple[int, int]], highest: int) -> str:
    drawn: list[str] = []
    for piece, amount in pieces:
        # Some room above and below keeps the line in sight at its highest and at 0.
        y = round(MARGIN + (HEIGHT - 2 * MARGIN) * (1 - amount / highest), 1)
        x = round(piece * WIDTH / (MOST_POINTS - 1))
        drawn.append(f"H{x}V{y:g}" if drawn else f"M0 {y:g}")
    return "".join(drawn) + f"H{WIDTH}"


def bar_chart(days: Sequence[DayCount]) -> BarChart:
    """Draw a bar for each of one or more days, the oldest first; a day without any has none."""
    busiest = max(days, key=lambda day: (day[1], day[0]))
    drawn = [
        # Hardly anything is still to be told from nothing.
        f"M{place * BAR_STEP} {BARS_HEIGHT}v-{max(BARS_HEIGHT * count / busiest[1], 1):.3g}"
        f"h{BAR_WIDTH}V{BARS_HEIGHT}z"
        for place, (_, count) in enumerate(days)
        if count
    ]
    return BarChart(
        bars="".join(drawn),
        width=len(days) * BAR_STEP - (BAR_STEP - BAR_WIDTH),
        days=days,
        total=sum(count for _, count in days),
        busiest=busiest,
    )


def shares(amounts: Sequence[int], width: int = 100) -> Sequence[float]:
    """Return how long the bars of amounts are, the greatest one's `width`; nothing has none."""
    most = max(amounts, default=0)
    # Hardly anything is still to be told from nothing.
    return [max(round(width * amount / most, 1), 0.5) if amount else 0 for amount in amounts]
