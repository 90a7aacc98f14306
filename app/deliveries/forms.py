"""Forms of deliveries."""

from typing import Any

from app import dates
from app.deliveries import queries, rules
from app.fields import fields_of
from app.web.form_fields import form_field, form_of
from app.web.forms import Form

OrderForm = form_of(
    rules.DeliveryOrder,
    without=rules.NOTED_LATER,
    item=form_field(rules.ITEM, existing=queries.item_names),
    supplier=form_field(rules.SUPPLIER, existing=lambda _: queries.supplier_names()),
    office=form_field(rules.OFFICE, default=None),
    ordered_on=form_field(fields_of(rules.DeliveryOrder)["ordered_on"], default=dates.today),
)


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
