"""The orders of a list: by which columns it can be sorted, and in which direction; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.errors import Invalid
from app.paging import COUNT_LIMIT, AtLeast

SORT = "sort"
"""The name of a list's order in addresses."""


class TypedQuery:
    """The filled arguments of a list as typed (`values`), and the errors in them by their names."""

    values: Mapping[str, str]
    problems: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.without_order)

    @property
    def without_order(self) -> Mapping[str, str]:
        """Return the values without the order, which filters nothing."""
        return {name: value for name, value in self.values.items() if name != SORT}

    def check(self) -> None:
        """Raise Invalid with the first error in it."""
        for problem in self.problems.values():
            raise Invalid(problem)


class SortKind(StrEnum):
    """The kind of a column's values: it decides the first direction and the names of both."""

    TEXT = "text"
    NUMBER = "number"
    DAY = "day"
    FLAG = "flag"
    STATE = "state"


_DIRECTIONS = {
    SortKind.TEXT: ("A to Z", "Z to A"),
    SortKind.NUMBER: ("lowest first", "highest first"),
    SortKind.DAY: ("oldest first", "newest first"),
    SortKind.FLAG: ("without first", "with first"),
    SortKind.STATE: ("open first", "done first"),
}


@dataclass(frozen=True)
class SortOrder:
    """The column that a list is sorted by and its direction; 'value' or '-value' in addresses."""

    by: str
    descending: bool = False

    def __str__(self) -> str:
        return f"-{self.by}" if self.descending else str(self.by)

    @property
    def direction(self) -> str:
        """Return the direction in words, as `aria-sort` has it."""
        return "descending" if self.descending else "ascending"

    def reversed(self) -> "SortOrder":
        """Return the order in the other direction."""
        return replace(self, descending=not self.descending)


@dataclass(frozen=True)
class SortColumn:
    """A column that a list can be sorted by; with `indexed` for any number of rows."""

    heading: str
    kind: SortKind = SortKind.TEXT
    indexed: bool = False

    def first(self, name: str) -> SortOrder:
        """Return the order that its heading leads to first, such as A to Z."""
        return SortOrder(name, descending=self.kind not in (SortKind.TEXT, SortKind.STATE))

    def describe(self, order: SortOrder) -> str:
        """Return an order by this column in words, such as 'Amount, highest first'."""
        return f"{self.heading}, {_DIRECTIONS[self.kind][order.descending]}"


@dataclass(frozen=True)
class SortColumns:
    """All columns that a list can be sorted by, by their names in addresses, and its own order."""

    columns: Mapping[str, SortColumn]
    default: SortOrder

    def parse(self, text: str) -> SortOrder:
        """Return the order of a text such as '-value', the list's own for an unknown one."""
        name = text.removeprefix("-")
        is_column = name in self.columns
        return SortOrder(name, descending=text.startswith("-")) if is_column else self.default

    def is_usable(self, name: str, total: int) -> bool:
        """Return whether `total` rows are sorted by a column: many need an index with its order."""
        is_few = total <= COUNT_LIMIT and not isinstance(total, AtLeast)
        return is_few or self.columns[name].indexed

    def usable(self, order: SortOrder, total: int) -> SortOrder:
        """Return the order, or the list's own if so many rows aren't sorted by that column."""
        return order if self.is_usable(order.by, total) else self.default

    def orders(self, total: int) -> Sequence[tuple[SortOrder, str]]:
        """Return the orders of a list of `total` rows with their names, its own first."""
        firsts = (
            column.first(name)
            for name, column in self.columns.items()
            if self.is_usable(name, total)
        )
        orders = [order for first in firsts for order in (first, first.reversed())]
        orders.sort(key=lambda order: order != self.default)
        return [(order, self.columns[order.by].describe(order)) for order in orders]


def describe_unsortable(indexed: Sequence[str], *, is_few: bool) -> str:
    """Return why rows can't have another order than those of `indexed` columns, and what to do."""
    *others, last = indexed or ("",)
    names = f"{', '.join(others)} or {last}" if others else last
    by = f"can be sorted by {names} only" if names else "can't be sorted"
    if is_few:
        return f"In parts the list {by}. Ask for it without a limit."
    return f"So many rows {by}. Narrow the list."
