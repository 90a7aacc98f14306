"""The date range in the URL of a list page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from app import dates
from app.date_ranges import quick_ranges
from app.errors import Invalid


@dataclass(frozen=True)
class RangeLink:
    """A link to a range of days that keeps the other filters."""

    label: str
    url: str
    is_current: bool


def parse_date_range(values: Mapping[str, str]) -> tuple[date | None, date | None, list[str]]:
    """Return the days `from` and `to`, None for a missing one, and the errors in them."""
    days: dict[str, date | None] = {"from": None, "to": None}
    problems = []
    for name in days:
        try:
            days[name] = dates.parse_day(values[name]) if name in values else None
        except Invalid as error:
            problems.append(error.message)
    start, end = days["from"], days["to"]
    if start and end and start > end:
        problems.append(
            f"From ({dates.format_day(start)}) is later than to ({dates.format_day(end)})."
        )
    return start, end, problems


def range_links(
    address: Callable[..., str], values: Mapping[str, Any], start: date | None, end: date | None
) -> Sequence[RangeLink]:
    """Return links to the quick ranges; the one from `start` to `end` is current."""
    return [
        RangeLink(
            label=quick.label,
            url=address(**(dict(values) | {"from": quick.start, "to": quick.end})),
            is_current=(start, end) == (quick.start, quick.end),
        )
        for quick in quick_ranges(dates.today())
    ]
