"""Forms of deliveries."""

from typing import Any

from flask import request

from app import dates
from app.deliveries import queries, rules
from app.divisions import SITES, Division, Store
from app.fields import fields_of
from app.web.form_fields import form_field, form_of
from app.web.forms import Form


def division_here() -> Division:
    """Return the division of the page's address, by default GPM."""
    return Division((request.view_args or {}).get("division") or Division.GPM)


def store_for(office: str | None) -> Store:
    """Return the store of the page's division for a sent office, for another its first."""
    division = division_here()
    sites = [site for site in SITES[division] if site == office]
    return Store(division, *(sites or SITES[division][:1]))


_OrderForm: Any = form_of(
    rules.DeliveryOrder,
    without=rules.NOTED_LATER,
    item=form_field(
        rules.ITEM,
        existing=lambda typed: queries.item_names(store_for(request.form.get("office")), typed),
    ),
    supplier=form_field(rules.SUPPLIER, existing=lambda _: queries.supplier_names(division_here())),
    office=form_field(rules.OFFICE, default=None),
    ordered_on=form_field(fields_of(rules.DeliveryOrder)["ordered_on"], default=dates.today),
)


class OrderForm(_OrderForm):
    """An order; a new one for an item of the question about its name gets that item's terms."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.office.offer(SITES[division_here()])

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, and whether their names are new."""
        valid: bool = super().validate(extra_validators)
        if self.read_row() is None and len(request.form.getlist(self.item.name)) > 1:
            self.propose_terms()
        return valid

    def propose_terms(self) -> None:
        """Fill in supplier, cost and office as they were agreed for the item last."""
        last = queries.last_order(division_here(), self.item.data) if self.item.data else None
        for name in ("supplier", "unit_cost", "office") if last else ():
            self[name].data = self[name].data or getattr(last, name)


class CancelDeliveryForm(Form):
    """The confirmation before a delivery is cancelled, with the reason."""

    cancel_reason = form_field(rules.CANCEL_REASON)


class MarkDeliveredForm(Form):
    """Details of a delivery that has arrived."""

    received = form_field(rules.RECEIVED)
    confirmation = form_field(rules.CONFIRMATION)
    recipient = form_field(rules.RECIPIENT)
