"""The form of the reorder list."""

from collections.abc import Mapping
from typing import Any

from flask import request

from app.divisions import Site
from app.errors import Invalid
from app.money import parse_whole_number
from app.reorder.rules import Proposal
from app.reorder.services import OrderLine
from app.web.forms import Form

SEPARATOR = "|"


def basis_of(proposal: Proposal) -> str:
    """Return what the line of a proposal sends of what it is based on."""
    position = proposal.position
    numbers = (position.amount, position.on_order, proposal.there)
    site = proposal.from_site.value if proposal.from_site else ""
    return SEPARATOR.join((*map(str, numbers), site, proposal.supplier, position.name))


class ReorderForm(Form):
    """The lines of a reorder list with their quantities, as typed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.bases = request.form.getlist("line")
        self.quantities = request.form.getlist("quantity")

    @property
    def typed(self) -> Mapping[str, str]:
        """Return the typed quantities by the bases of their lines."""
        return dict(zip(self.bases, self.quantities, strict=False))

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the lines. Raises Invalid for a quantity that is no whole number from 0."""
        return {"lines": [self._line(basis, text) for basis, text in self.typed.items()]}

    def _line(self, basis: str, text: str) -> OrderLine:
        try:
            amount, on_order, there, site, supplier, item = basis.split(SEPARATOR, 5)
            numbers = int(amount), int(on_order), int(there)
            from_site = Site(site) if site else None
        except ValueError:
            raise Invalid("Open the list again.") from None
        quantity = parse_whole_number(text) if text.strip() else 0
        if quantity < 0:
            raise Invalid(f"{item}: the quantity must be 0 or more.", "quantity")
        return OrderLine(item, quantity, *numbers[:2], from_site, numbers[2], supplier)
