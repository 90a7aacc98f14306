"""The form of the reorder list."""

import json
from typing import Any

from flask import request

from app.divisions import Site
from app.errors import Invalid
from app.fields import fields_of
from app.reorder.rules import Proposal
from app.reorder.services import OrderLine
from app.web.forms import Form


def basis_of(proposal: Proposal) -> str:
    """Return what the line of a proposal sends of what it is based on, as JSON."""
    at, site = proposal.position, proposal.from_site
    numbers = (at.amount, at.on_order, proposal.available)
    return json.dumps([at.name, *numbers, site and site.value, proposal.supplier])


class ReorderForm(Form):
    """The lines of a reorder list with their quantities, as typed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.bases = request.form.getlist("line")
        self.quantities = request.form.getlist("quantity")

    def quantity_of(self, proposal: Proposal) -> str:
        """Return the quantity typed for an item and source, else the proposed one."""
        sought = (proposal.position.name, proposal.from_site, proposal.supplier)
        for basis, text in zip(self.bases, self.quantities, strict=False):
            line = self._line(basis, "")
            if (line.item, line.from_site, line.supplier) == sought:
                return text
        return str(proposal.quantity)

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the lines. Raises Invalid for a quantity that is no whole number from 0."""
        sent = zip(self.bases, self.quantities, strict=False)
        return {"lines": [self._line(basis, text) for basis, text in sent]}

    def _line(self, basis: str, text: str) -> OrderLine:
        try:
            item, *numbers, site, supplier = json.loads(basis)
            here, on_order, available = map(int, numbers)
            from_site = Site(site) if site else None
        except (ValueError, TypeError):
            raise Invalid("Open the list again.") from None
        try:
            quantity = fields_of(OrderLine)["quantity"].parse(text) or 0
        except Invalid as error:
            raise Invalid(f"{item}: {error.message}") from None
        return OrderLine(item, quantity, here, on_order, from_site, available, supplier)
