"""Rules for minimums, tried on real movements: `python -m tests.bench.minimums HISTORY.csv`.

The file is an export of a history. Each item with four days of withdrawals in the first eight
months is tried: a rule sets its minimum, anew each week; an order up to it comes after a week. A
day is served if all that was withdrawn on it was there. What is value is the mean value per item.
"""

import csv
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from math import ceil, sqrt
from pathlib import Path
from statistics import pstdev

from app.stock.rules.use import RECENT_DAYS, DayUse, ItemPast, suggest_minimum

Use = Mapping[date, int]
Rule = Callable[[Use, date], int | None]

LEAD = WEEK = timedelta(days=7)
CYCLE = (LEAD + WEEK).days
LEARNED = timedelta(days=243)
SMOOTHING = 0.1
SERVICE = 1.645


def read(path: Path) -> tuple[Mapping[str, Use], Mapping[str, float]]:
    """Return the withdrawals by item and day, and the last prices."""
    use: dict[str, dict[date, int]] = defaultdict(lambda: defaultdict(int))
    prices = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["event"] == "Withdrawal":
                item = f"{row['site']} {row['item'].casefold()}"
                use[item][date.fromisoformat(row["date"][:10])] += int(row["amount"])
                prices[item] = float(row["unitPrice"])
    return use, prices


def mean(use: Use, end: date, *, with_busiest: bool = False) -> int:
    """Return the use of a lead time and a week by the recent mean, on request with its top day."""
    recent = [units for day, units in use.items() if timedelta() < end - day <= recent_days]
    top = max(recent, default=0) if with_busiest else 0
    return ceil(sum(recent) / RECENT_DAYS * CYCLE) + top


recent_days = timedelta(days=RECENT_DAYS)


def stretches(share: float) -> Rule:
    """Return the rule that a share of stretches was covered; of 80 % it is the product's."""

    def rule(use: Use, end: date) -> int | None:
        days = sorted(day for day in use if day < end)
        found = sorted(
            sum(use[each] for each in days if first <= each < first + LEAD + WEEK)
            for first in days
            if first + LEAD + WEEK <= end
        )
        return found[ceil(share * len(found)) - 1] if len(found) >= 4 else None

    return rule


def product(use: Use, end: date) -> int | None:
    """Return the minimum that the product suggests."""
    days = [DayUse(day, -use[day], use[day]) for day in sorted(use) if day < end]
    past = ItemPast(end - timedelta(days=1), 0, days[0].day, None, days)
    found = suggest_minimum(past, LEAD.days)
    return found.minimum if found else None


def smoothed(*, is_tsb: bool) -> Rule:
    """Return Croston's rule as corrected by SBA, or TSB, with 1.645 standard deviations."""

    def rule(use: Use, end: date) -> int:
        start = min(use)
        series = [use.get(start + timedelta(days=n), 0) for n in range((end - start).days)]
        size, interval, chance, since = float(series[0]), 1.0, 1.0, 1
        for units in series[1:]:
            chance += SMOOTHING * (bool(units) - chance)
            if units:
                size += SMOOTHING * (units - size)
                interval += SMOOTHING * (since - interval)
                since = 0
            since += 1
        rate = size * chance if is_tsb else (1 - SMOOTHING / 2) * size / interval
        return ceil(rate * CYCLE + SERVICE * pstdev(series) * sqrt(CYCLE))

    return rule


RULES: Mapping[str, Rule] = {
    "90-day mean × (lead + 7)": mean,
    "that and the busiest day": lambda use, end: mean(use, end, with_busiest=True),
    "SBA + 1.645 σ": smoothed(is_tsb=False),
    "TSB + 1.645 σ": smoothed(is_tsb=True),
    "stretches, 70 %": stretches(0.7),
    "stretches, 80 % (the product's)": product,
    "stretches, 90 %": stretches(0.9),
}


def try_rule(
    rule: Rule, series: Mapping[str, Use], prices: Mapping[str, float], start: date
) -> str:
    """Return how many days a rule served, and what it value, as a row of a table."""
    end = max(day for use in series.values() for day in use)
    served = days = 0
    value = 0.0
    for item, use in series.items():
        minimum = rule(use, start) or mean(use, start, with_busiest=True)
        stock, coming, holding = minimum, {}, 0
        for number in range((end - start).days + 1):
            day = start + timedelta(days=number)
            stock += coming.pop(day, 0)
            if units := use.get(day, 0):
                days, served = days + 1, served + (stock >= units)
                stock = max(stock - units, 0)
            if not number % WEEK.days:
                minimum = rule(use, day + timedelta(days=1)) or minimum
                missing = minimum - stock - sum(coming.values())
                if missing > 0:
                    coming[day + LEAD] = missing
            holding += stock
        value += holding / ((end - start).days + 1) * prices[item]
    return f"{served / days:.1%} | £{value / len(series):.0f}"


def main(path: str) -> None:
    """Print the table of the rules."""
    use, prices = read(Path(path))
    start = min(day for days in use.values() for day in days) + LEARNED
    series = {item: days for item, days in use.items() if sum(day < start for day in days) >= 4}
    print(f"{len(series)} items")
    for name, rule in RULES.items():
        print(f"| {name} | {try_rule(rule, series, prices, start)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
