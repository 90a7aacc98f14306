"""The filters in the URL of a list page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.errors import Invalid

SORT = "sort"
"""The name of a list's order in its URL."""

Filters = TypeVar("Filters")


@dataclass(frozen=True)
class ListQuery(Generic[Filters]):
    """Filters as typed (`values`) and as parsed (`filters`), and the errors in them."""

    values: Mapping[str, str]
    filters: Filters
    problems: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.without_order)

    @property
    def without_order(self) -> Mapping[str, str]:
        """Return the values without the order, which filters nothing."""
        return {name: value for name, value in self.values.items() if name != SORT}

    @property
    def valid_filters(self) -> Filters:
        """Return the filters; raises Invalid with the first error in them."""
        if self.problems:
            raise Invalid(self.problems[0])
        return self.filters


def typed_values(args: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the arguments with these names that aren't empty, trimmed."""
    return {name: args[name].strip() for name in names if args.get(name, "").strip()}
