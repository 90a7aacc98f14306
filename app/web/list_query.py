"""What the filters in a list's address ask for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.errors import Invalid

Filter = TypeVar("Filter")


@dataclass(frozen=True)
class ListQuery(Generic[Filter]):
    """The filters as they were typed, what they mean, and which of them mean nothing."""

    values: Mapping[str, str]
    shown: Filter
    problems: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.values)

    @property
    def for_file(self) -> Filter:
        """Return what a file shows; raises Invalid where a filter means nothing."""
        if self.problems:
            raise Invalid(self.problems[0])
        return self.shown


def typed(args: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return those of some filters that an address says, trimmed."""
    return {name: args[name].strip() for name in names if args.get(name, "").strip()}
