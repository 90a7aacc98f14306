"""The form of the reorder list."""

import json
from dataclasses import replace
from typing import Any, NamedTuple

from flask import request

from app.errors import Invalid
from app.fields import fields_of
from app.reorder.rules import Proposal
from app.reorder.services import OrderLine
from app.web.forms import Form

_FIELDS = fields_of(OrderLine)
_QUANTITY = _FIELDS["quantity"]
_BASIS = [field for field in _FIELDS.values() if field is not _QUANTITY]


def basis_of(proposal: Proposal) -> str:
    """Return what the line of a proposal sends of what it is based on, as JSON."""
    at, (item, from_site, supplier) = proposal.position, proposal.key
    line = OrderLine(item, 0, at.amount, at.on_order, from_site, proposal.available, supplier)
    return json.dumps([field.format(getattr(line, field.name)) for field in _BASIS])


class TypedLine(NamedTuple):
    """A line with its quantity as typed, and what is wrong with it, '' for nothing."""

    line: OrderLine
    text: str
    message: str = ""


class ReorderForm(Form):
    """The lines of a reorder list with their quantities, as `typed`, by the keys of proposals."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        sent = zip(request.form.getlist("line"), request.form.getlist("quantity"), strict=True)
        try:
            lines = [_typed_line(basis, text) for basis, text in sent]
        except (Invalid, RecursionError, TypeError, ValueError):
            lines = []
        self.typed = {(of.line.item, of.line.from_site, of.line.supplier): of for of in lines}

    def filled(self, proposal: Proposal) -> Proposal:
        """Return a proposal with the quantity that was typed for it."""
        typed = self.typed.get(proposal.key)
        return replace(proposal, quantity=typed.line.quantity) if typed else proposal

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the lines. Raises Invalid for a quantity that is no whole number from 0."""
        if not self.typed:
            raise Invalid("Open the list again.")
        for line, _text, message in self.typed.values():
            if message:
                raise Invalid(f"{line.item}: {message}")
        return {"lines": [typed.line for typed in self.typed.values()]}


def _typed_line(basis: str, text: str) -> TypedLine:
    texts = zip(_BASIS, json.loads(basis), strict=True)
    values: dict[str, Any] = {field.name: field.parse(each) for field, each in texts}
    line = OrderLine(quantity=0, **values)
    try:
        return TypedLine(replace(line, quantity=_QUANTITY.parse(text) or 0), text)
    except Invalid as error:
        return TypedLine(line, text, error.message)
