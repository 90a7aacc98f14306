"""Forms of deliveries."""

from collections.abc import Sequence
from typing import Any

from wtforms import SelectChoice, SelectField, ValidationError

from app import dates
from app.deliveries import rules
from app.deliveries.rules import DeliveryOrder, Difference
from app.divisions import Site
from app.web.form_fields import HiddenNumberField, form_field
from app.web.forms import Form


class ScheduleForm(Form):
    """The order of a delivery."""

    item = form_field(rules.ITEM)
    amount = form_field(rules.AMOUNT)
    unit_cost = form_field(rules.UNIT_COST)
    supplier = form_field(rules.SUPPLIER)
    office = SelectField(
        rules.OFFICE_LABEL,
        choices=[SelectChoice(site.value, site.label) for site in rules.OFFICES],
        validate_choice=False,
    )
    ordered_by = form_field(rules.ORDERED_BY)
    ordered_on = form_field(rules.ORDERED_ON, default=dates.today)
    expected_on = form_field(rules.EXPECTED_ON)

    def validate_office(self, field: Any) -> None:
        """Refuse a site that deliveries can't be for."""
        if field.data not in rules.OFFICES:
            raise ValidationError("Choose an office from the list.")

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the order."""
        return {"order": self.order()}

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
            expected_on=self.expected_on.data,
        )


class EditDeliveryForm(ScheduleForm):
    """New values of a pending delivery."""

    revision = HiddenNumberField()

    def differences(self, current: DeliveryOrder) -> Sequence[Difference]:
        """Return the values that saving would change."""
        return rules.differences(current, self.order())


class CancelDeliveryForm(Form):
    """The confirmation before a delivery is cancelled, with the reason."""

    cancel_reason = form_field(rules.CANCEL_REASON)

    def values(self, **_: Any) -> dict[str, Any]:
        """Return the reason."""
        return {"reason": self.cancel_reason.data}


class MarkDeliveredForm(Form):
    """Details of a delivery that has arrived."""

    confirmation = form_field(rules.CONFIRMATION)
    recipient = form_field(rules.RECIPIENT)


class DeliverAgainForm(Form):
    """The confirmation before the stock of a delivery is taken in again."""
