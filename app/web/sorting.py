"""How a list is sorted on its page: the links of its headings, and the choices on a phone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.sorting import SortColumns, SortOrder


@dataclass(frozen=True)
class SortLink:
    """The link of a column's heading; `direction` is set for the column that the list is sorted by.

    It is 'ascending' or 'descending'.
    """

    id: str
    url: str
    direction: str | None


class Heading(NamedTuple):
    """The heading of a column, its class, and its link if the list can be sorted by it."""

    text: str
    css_class: str
    link: SortLink | None


class SortChoice(NamedTuple):
    """An order to choose; the list's own one has no value in addresses."""

    value: str
    text: str
    is_current: bool


@dataclass(frozen=True)
class Sorting:
    """The order of a list's page, and its other orders.

    `total` is the number of rows that match its filters, `address` returns the URL of the list with
    arguments, and `values` are the arguments of its filters.
    """

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
            return Heading(column.heading, css_class, None)
        is_current = self.order.by == name
        following = self.order.reversed() if is_current else column.first(name)
        url = self.address(**self.values, **self._sort(following))
        direction = self.order.direction if is_current else None
        return Heading(column.heading, css_class, SortLink(f"by-{name}", url, direction))

    @property
    def choices(self) -> Sequence[SortChoice]:
        """Return all orders that the list can have."""
        return [
            SortChoice(self._sort(order).get("sort", ""), text, order == self.order)
            for order, text in self.columns.orders(self.total)
        ]

    def _sort(self, order: SortOrder) -> Mapping[str, str]:
        return {} if order == self.columns.default else {"sort": str(order)}
