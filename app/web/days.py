"""The days between which a list's address asks for."""

from collections.abc import Mapping
from datetime import date

from app import dates
from app.errors import Invalid


def days_asked(said: Mapping[str, str]) -> tuple[date | None, date | None, list[str]]:
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
