"""What a person means who searches a history: words, amounts, days; pure."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app import money, names
from app.errors import Invalid

MOST_TERMS = 12

_MONTHS = {
    name: number
    for number, full in enumerate(calendar.month_name)
    for name in (full.casefold(), full[:3].casefold())
    if name
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TERM = re.compile(rf"(?:(?P<day>\d{{1,2}}) )?(?P<month>{_MONTH}) (?P<year>\d{{4}})(?!\S)|\S+")
_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


@dataclass(frozen=True)
class Term:
    """Something that a row must have in any of its columns.

    `text` is a key as names.key makes it; `days` are the first and last day that it can mean,
    `amount` the number.
    """

    text: str
    days: tuple[date, date] | None = None
    amount: int | None = None


def search_terms(search: str) -> Sequence[Term]:
    """Return the terms of a search; all of them must match."""
    said = names.key(search[: names.MAX_SEARCH_LENGTH])
    terms: dict[str, Term] = {}
    for found in _TERM.finditer(said):
        # '9 Dec 2011' is one term only where it begins a word.
        text = found[0]
        if found["month"]:
            days = _span(int(found["year"]), _MONTHS[found["month"]], found["day"])
        else:
            iso = _ISO.fullmatch(text)
            days = _span(int(iso[1]), iso[2], iso[3]) if iso else None
        terms[text] = Term(text, days, _amount(text))
    return list(terms.values())[:MOST_TERMS]


def _span(year: int, month: int | str | None, day: str | None) -> tuple[date, date] | None:
    try:
        if month is None:
            return date(year, 1, 1), date(year, 12, 31)
        first = date(year, int(month), int(day) if day else 1)
    except ValueError:
        return None
    if day:
        return first, first
    return first, first.replace(day=calendar.monthrange(year, first.month)[1])


def _amount(text: str) -> int | None:
    try:
        number = money.parse_whole_number(text)
    except Invalid:
        return None
    return number if abs(number) <= money.MAX_AMOUNT else None
