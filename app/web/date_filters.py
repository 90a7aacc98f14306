"""The days between which a list's address asks for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from app import dates
from app.date_ranges import quick_ranges
from app.errors import Invalid


@dataclass(frozen=True)
class RangeLink:
    """A range of days as a link that keeps the other filters."""

    label: str
    url: str
    is_current: bool


def parse_date_range(said: Mapping[str, str]) -> tuple[date | None, date | None, list[str]]:
    """Read `from` and `to`, None where they aren't said, and what is wrong with them."""
    days: dict[str, date | None] = {"from": None, "to": None}
    problems = []
    for name in days:
        try:
            days[name] = dates.parse_day(said[name]) if name in said else None
        except Invalid as error:
            problems.append(error.message)
    start, end = days["from"], days["to"]
    if start and end and start > end:
        problems.append(
            f"From ({dates.format_day(start)}) is later than to ({dates.format_day(end)})."
        )
    return start, end, problems


def range_links(
    address: Callable[..., str], said: Mapping[str, Any], start: date | None, end: date | None
) -> Sequence[RangeLink]:
    """Return the quick ranges of a list; `start` and `end` are the days it shows now."""
    return [
        RangeLink(
            label=quick.label,
            url=address(**(dict(said) | {"from": quick.start, "to": quick.end})),
            is_current=(start, end) == (quick.start, quick.end),
        )
        for quick in quick_ranges(dates.today())
    ]
