"""The costs of vehicles: by kind, by month and by mile; pure. docs/domain.md, Upkeep."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from app.due.rules.fields import DueKind
from app.fields import LabelledEnum

MIN_MILES = 100
"""The fewest miles that a cost per mile is worked out from."""

MAX_SERIES = 4
"""The most kinds of cost that a picture tells apart."""

MAX_BARS = 15
"""The most bars of a picture by month; of more months a bar is a quarter, then a year."""

WHICH_COSTS = (
    "Repairs with their parts from stock, what was done of what is due, and what checks report "
    "until one of their defects is repaired. Reversed repairs don't count."
)


class CostKind(LabelledEnum):
    """The purpose of a cost: repairs, reports of checks, and each kind of due item."""

    REPAIR = "repair", "Repairs"
    CHECK = "check", "Reported in checks"
    MOT = DueKind.MOT.value, DueKind.MOT.label
    TAX = DueKind.TAX.value, DueKind.TAX.label
    INSURANCE = DueKind.INSURANCE.value, DueKind.INSURANCE.label
    SERVICE = DueKind.SERVICE.value, DueKind.SERVICE.label
    INSPECTION = DueKind.INSPECTION.value, DueKind.INSPECTION.label
    TYRES = DueKind.TYRES.value, DueKind.TYRES.label
    LOLER = DueKind.LOLER.value, DueKind.LOLER.label
    TACHO = DueKind.TACHO.value, DueKind.TACHO.label
    BREAKDOWN = DueKind.BREAKDOWN.value, DueKind.BREAKDOWN.label
    WARRANTY = DueKind.WARRANTY.value, DueKind.WARRANTY.label
    OTHER = DueKind.OTHER.value, DueKind.OTHER.label


OTHER_KINDS = "Other kinds"


@dataclass(frozen=True)
class MonthCost:
    """The cost of a kind in the month that begins on a day, in pence."""

    month: date
    kind: CostKind
    pence: int


@dataclass(frozen=True)
class CostSeries:
    """One of the costs that a picture tells apart, with its pence in each of the periods."""

    label: str
    kinds: Sequence[CostKind]
    pence: Sequence[int]


@dataclass(frozen=True)
class Period:
    """A month, quarter or year of a picture; both days are included."""

    label: str
    first: date
    last: date


def miles_driven(oldest: int, newest: int) -> int | None:
    """Return the miles between two readings, None for too few to work anything out from."""
    miles = newest - oldest
    return miles if miles >= MIN_MILES else None


def pence_per_mile(pence: int, miles: int | None) -> float | None:
    """Return the cost of a mile in pence to a tenth, None without enough miles."""
    return None if miles is None else round(pence / miles, 1)


def format_per_mile(per_mile: float | None) -> str:
    """Format a cost per mile, such as '12.4p', '–' for none."""
    return "–" if per_mile is None else f"{per_mile:,.1f}p"


def first_day(end: date) -> date:
    """Return the first day of the twelve months that end on a day."""
    return _month_start(_month_number(end) - 11)


def kind_costs(costs: Iterable[MonthCost]) -> Sequence[tuple[CostKind, int]]:
    """Return the sums of the kinds that cost something, the highest first."""
    totals: Counter[CostKind] = Counter()
    for cost in costs:
        totals[cost.kind] += cost.pence
    order = list(CostKind)
    return sorted(
        ((kind, pence) for kind, pence in totals.items() if pence),
        key=lambda total: (-total[1], order.index(total[0])),
    )


def periods(start: date, end: date) -> Sequence[Period]:
    """Return the months of days, or the quarters or years of many, cut at the ends of the range."""
    first, last = _month_number(start), _month_number(end)
    length = next((n for n in (1, 3, 12) if last // n - first // n < MAX_BARS), 12)
    numbers = range(first // length, last // length + 1)
    return [
        Period(
            _label(number * length, length),
            max(start, _month_start(number * length)),
            min(end, date.fromordinal(_month_start((number + 1) * length).toordinal() - 1)),
        )
        for number in numbers
    ]


def series(costs: Iterable[MonthCost], each: Sequence[Period]) -> Sequence[CostSeries]:
    """Return the costs of periods by kind, the highest first; the lowest of many are one."""
    found = list(costs)
    amounts: dict[CostKind, list[int]] = defaultdict(lambda: [0] * len(each))
    for cost in found:
        amounts[cost.kind][_place(cost.month, each)] += cost.pence
    kinds = [kind for kind, _ in kind_costs(found)]
    alone = kinds if len(kinds) <= MAX_SERIES else kinds[: MAX_SERIES - 1]
    others = kinds[len(alone) :]
    parts = [CostSeries(kind.label, [kind], amounts[kind]) for kind in alone]
    if others:
        together = [sum(column) for column in zip(*(amounts[kind] for kind in others), strict=True)]
        parts.append(CostSeries(OTHER_KINDS, others, together))
    return parts


def _place(month: date, each: Sequence[Period]) -> int:
    return next(
        number
        for number, period in enumerate(each)
        if period.first.replace(day=1) <= month <= period.last
    )


def _month_number(day: date) -> int:
    return day.year * 12 + day.month - 1


def _month_start(number: int) -> date:
    return date(number // 12, number % 12 + 1, 1)


def _label(number: int, length: int) -> str:
    start = _month_start(number)
    if length == 1:
        return f"{start:%b}"
    return f"Q{start.month // 3 + 1} {start:%y}" if length == 3 else f"{start:%Y}"
