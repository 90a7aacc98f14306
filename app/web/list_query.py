"""The query of a list: filters, sorting, part; and the page of a history by its query."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, NamedTuple, TypeVar

from flask import render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from app import dates
from app.dates import quick_ranges
from app.sorting import SORT, SortColumns, SortOrder, TypedQuery
from app.web import rendered
from app.web.htmx import is_htmx_for

Filters = TypeVar("Filters")


def requested_page() -> int:
    """Return the page number in the address, 1 where it is missing or not a number."""
    text = request.args.get("page", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 1
    return max(number, 1)


@dataclass(frozen=True)
class ListQuery(TypedQuery, Generic[Filters]):
    """Filters as typed (`values`) and as parsed (`filters`), and the errors in them."""

    values: Mapping[str, str]
    filters: Filters
    problems: Mapping[str, str] = field(default_factory=dict)

    @property
    def valid_filters(self) -> Filters:
        """Return the filters; raises Invalid with the first error in them."""
        self.check()
        return self.filters


def typed_values(args: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the arguments with these names that aren't empty, trimmed."""
    return {name: args[name].strip() for name in names if args.get(name, "").strip()}


class FilterChip(NamedTuple):
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
    """Return a chip for each filter of a list's URL.

    `values` are the filters as typed, `texts` their texts on chips; the two days are one.
    """

    def chip(text: str, *taken_off: str) -> FilterChip:
        rest = {name: value for name, value in values.items() if name not in taken_off}
        return FilterChip(text, address(**rest))

    chips = [chip(text, name) for name, text in texts.items() if name in values]
    if days := _days_text(start, end):
        chips.append(chip(days, "from", "to", dates.RANGE))
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


class RangeLink(NamedTuple):
    """A link to a range of days that keeps the other filters."""

    label: str
    url: str
    is_current: bool


def range_links(
    address: Callable[..., str], values: Mapping[str, Any], start: date | None, end: date | None
) -> Sequence[RangeLink]:
    """Return links to the quick ranges; the one from `start` to `end` is current."""
    rest = {name: value for name, value in values.items() if name != dates.RANGE}
    return [
        RangeLink(
            label=quick.label,
            url=address(**(rest | {"from": quick.start, "to": quick.end})),
            is_current=(start, end) == (quick.start, quick.end),
        )
        for quick in quick_ranges(dates.today())
    ]


class SortLink(NamedTuple):
    """The link of a column's heading; `direction` is that of the list sorted by it, as in ARIA."""

    id: str
    url: str
    direction: str | None


class Heading(NamedTuple):
    """The heading of a column, its class, and its link if the list can be sorted by it.

    A column without a name is never hidden.
    """

    text: str
    css_class: str
    link: SortLink | None
    name: str = ""


class SortChoice(NamedTuple):
    """An order to choose; the list's own one has no value in addresses."""

    value: str
    text: str
    is_current: bool


@dataclass(frozen=True)
class Sorting:
    """The order of a list's page, and its other orders; `values` are its filters' arguments."""

    columns: SortColumns
    requested: SortOrder
    total: int
    address: Callable[..., str]
    values: Mapping[str, str]

    @property
    def order(self) -> SortOrder:
        """Return the order in which the rows are."""
        return self.columns.usable(self.requested, self.total)

    @property
    def args(self) -> Mapping[str, str]:
        """Return the arguments of the list's URL without the page: its filters and its order."""
        return {**self.values, **self._sort(self.requested)}

    @property
    def text(self) -> str:
        """Return the order in words, such as 'Amount, highest first'."""
        return self.columns.columns[self.order.by].describe(self.order)

    def head(self, name: str, css_class: str = "") -> Heading:
        """Return the heading of a column."""
        column = self.columns.columns[name]
        if not self.columns.is_usable(name, self.total):
            return Heading(column.heading, css_class, None, name)
        is_current = self.order.by == name
        following = self.order.reversed() if is_current else column.first(name)
        url = self.address(**self.values, **self._sort(following))
        direction = self.order.direction if is_current else None
        return Heading(column.heading, css_class, SortLink(f"by-{name}", url, direction), name)

    @property
    def choices(self) -> Sequence[SortChoice]:
        """Return all orders that the list can have."""
        return [
            SortChoice(self._sort(order).get(SORT, ""), text, order == self.order)
            for order, text in self.columns.orders(self.total)
        ]

    def _sort(self, order: SortOrder) -> Mapping[str, str]:
        return {} if order == self.columns.default else {SORT: str(order)}


def show_history(
    name: str,
    query: TypedQuery,
    *key: Hashable,
    version: Hashable,
    load: Callable[[], Mapping[str, Any]],
    load_choices: Callable[[], Mapping[str, Any]],
) -> ResponseReturnValue:
    """Show a page of a history, or for htmx its list alone; 422 for wrong filters.

    The templates are `<name>/_history_main.html` and `<name>/_history_list.html`. `load` returns
    their context, `load_choices` the further context of the filters. `key` is as in `cached`.
    """
    is_fragment = is_htmx_for("list")
    template = f"{name}/_history_{'list' if is_fragment else 'main'}.html"

    def load_all() -> dict[str, Any]:
        choices = {} if is_fragment else load_choices()
        return {"query": query, "is_fragment": is_fragment, **load(), **choices}

    status = 200
    if query.problems:
        # The template has escaped it.
        part, status = Markup(render_template(template, **load_all())), 422  # noqa: S704
    else:
        arguments = (tuple(sorted(query.values.items())), requested_page(), dates.today())
        part = rendered.cached(template, *key, *arguments, version=version, load=load_all)
    if is_fragment:
        return part, status
    return render_template("components/history.html", query=query, main=part), status
