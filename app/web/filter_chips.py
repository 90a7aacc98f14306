"""The filters that are set on a list, each with a link that takes it off."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app import dates
from app.date_ranges import quick_ranges


@dataclass(frozen=True)
class FilterChip:
    """A filter in words, and the URL of the list without it."""

    text: str
    url: str


def filter_chips(
    address: Callable[..., str],
    values: Mapping[str, str],
    texts: Mapping[str, str],
    start: date | None = None,
    end: date | None = None,
) -> Sequence[FilterChip]:
    """Return a chip for each filter of a list's URL; its two days are one filter.

    `values` are the filters as typed, `texts` what a chip calls them, by their names in the URL.
    """

    def chip(text: str, *taken_off: str) -> FilterChip:
        rest = {name: value for name, value in values.items() if name not in taken_off}
        return FilterChip(text, address(**rest))

    chips = [chip(text, name) for name, text in texts.items() if name in values]
    if days := _days_text(start, end):
        chips.append(chip(days, "from", "to"))
    return chips


def _days_text(start: date | None, end: date | None) -> str:
    for quick in quick_ranges(dates.today()):
        if (start, end) == (quick.start, quick.end):
            return quick.label
    if start and end:
        first, last = dates.format_day(start), dates.format_day(end)
        return first if start == end else f"{first} to {last}"
    if start:
        return f"From {dates.format_day(start)}"
    return f"To {dates.format_day(end)}" if end else ""
