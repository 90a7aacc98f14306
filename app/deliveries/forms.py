"""Forms of deliveries."""

from dataclasses import replace
from typing import Any

from wtforms import SelectChoice, SelectField, ValidationError

from app import dates
from app.deliveries import rules
from app.deliveries.rules import DeliveryOrder
from app.divisions import Site
from app.fields import Day, WholeNumber
from app.stock.rules.item_fields import NAME
from app.web.form_fields import form_field
from app.web.forms import Form

_MISSING = "Enter item and amount"

_ITEM = replace(NAME, name="item", label="Item", what="Item", required=_MISSING)
_AMOUNT = WholeNumber(name="amount", label="Amount", minimum=1, required=_MISSING, default=1)
_ORDERED_ON = Day(
    name="ordered_on",
    label="Ordered date",
    required="Please pick a date.",
    days_ahead=rules.MAX_DAYS_AHEAD,
)


class ScheduleForm(Form):
    """The order of a delivery."""

    item = form_field(_ITEM)
    amount = form_field(_AMOUNT)
    unit_cost = form_field(rules.UNIT_COST)
    supplier = form_field(rules.SUPPLIER)
    office = SelectField(
        "Office/Site",
        choices=[SelectChoice(site.value, site.label) for site in rules.OFFICES],
        validate_choice=False,
    )
    ordered_by = form_field(rules.ORDERED_BY)
    ordered_on = form_field(_ORDERED_ON, default=dates.today)

    def validate_office(self, field: Any) -> None:
        """Refuse a site that deliveries can't be for."""
        if field.data not in rules.OFFICES:
            raise ValidationError("Choose an office from the list.")

    def order(self) -> DeliveryOrder:
        """Return the submitted order."""
        return DeliveryOrder(
            item=self.item.data,
            amount=self.amount.data,
            unit_cost=self.unit_cost.data,
            supplier=self.supplier.data,
            office=Site(self.office.data),
            ordered_by=self.ordered_by.data,
            ordered_on=self.ordered_on.data,
        )


class MarkDeliveredForm(Form):
    """Details of a delivery that has arrived."""

    confirmation = form_field(rules.CONFIRMATION)
    recipient = form_field(rules.RECIPIENT)


class DeliverAgainForm(Form):
    """The confirmation before the stock of a delivery is taken in again."""
