"""What an address asks of the register: which assets, in which order."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from app.assets.queries.register import AssetFilter
from app.assets.rules.sorting import Column, Order, order_said

USUAL = Order(Column.ITEM)
"""The order of a register that isn't told another one."""

_FIELDS = tuple(field.name for field in fields(AssetFilter)[1:])


@dataclass(frozen=True)
class Asked:
    """Which assets are shown, in which order."""

    shown: AssetFilter
    order: Order[Column]

    @property
    def filters(self) -> dict[str, str]:
        """Return the filter as an address has it."""
        search = {"q": self.shown.search} if self.shown.search else {}
        return search | dict(self.shown.equal)

    @property
    def values(self) -> dict[str, str]:
        """Return filter and order as an address has them."""
        return self.sorted_by(self.order)

    def sorted_by(self, order: Order[Column]) -> dict[str, str]:
        """Return the filter with another order."""
        return self.filters | ({} if order == USUAL else {"sort": str(order)})

    def without(self, name: str) -> dict[str, str]:
        """Return filter and order without what limits a field."""
        return {each: text for each, text in self.values.items() if each != name}


def read_asked(args: Mapping[str, Any]) -> Asked:
    """Read what an address asks for; an order that there isn't is the usual one."""
    return Asked(read_filter(args), order_said(args.get("sort", ""), Column, USUAL))


def read_filter(args: Mapping[str, Any]) -> AssetFilter:
    """Read which assets an address asks for."""
    told = {name: args.get(name, "").strip() for name in _FIELDS}
    return AssetFilter(search=args.get("q", "").strip(), **told)
