"""What an address asks of the register: which assets, in which order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from app.assets.queries.register import AssetFilter
from app.assets.rules.sorting import Column, Order, order_said

USUAL = Order(Column.ITEM)
"""The order of a register that isn't told another one."""


@dataclass(frozen=True)
class Asked:
    """Which assets are shown, in which order; an order that there isn't is the usual one."""

    shown: AssetFilter
    order: Order[Column]

    @classmethod
    def said(cls, args: Mapping[str, str]) -> Self:
        """Read what an address asks for."""
        return cls(AssetFilter.said(args), order_said(args.get("sort", ""), Column, USUAL))

    @property
    def told(self) -> dict[str, str]:
        """Return filter and order as an address tells them."""
        return self.sorted_by(self.order)

    def sorted_by(self, order: Order[Column]) -> dict[str, str]:
        """Return the same with another order."""
        return self.shown.told | ({} if order == USUAL else {"sort": str(order)})

    def without(self, name: str) -> dict[str, str]:
        """Return the same without what limits a field."""
        return {each: text for each, text in self.told.items() if each != name}
