"""The forms of the stock list; the rules check what depends on the stock."""

from dataclasses import replace
from typing import Any, ClassVar

from wtforms import RadioField, SelectChoice, SelectField, SubmitField

from app import dates
from app.divisions import SITES, Site, Store
from app.errors import Invalid
from app.stock.rules.item_fields import (
    AMOUNT,
    CATEGORY,
    DATE,
    NAME,
    QUANTITY,
    TEAM,
    UNIT,
    UNIT_PRICE,
)
from app.stock.rules.items import DEFAULT_UNIT, ItemState
from app.stock.rules.movements import Action
from app.stock.rules.operations import Change
from app.web.form_fields import HiddenNumberField, form_field
from app.web.forms import Form


class AddItemForm(Form):
    """A new item, or new values for the one that has its name."""

    name = form_field(NAME)
    amount = form_field(AMOUNT)
    category = form_field(CATEGORY)
    # An empty price leaves that of an existing item unchanged.
    unit_price = form_field(replace(UNIT_PRICE, default=None))
    based_on = HiddenNumberField()
    # The button that delivers the amount to the existing item instead of setting it.
    deliver = SubmitField()

    error_field_names: ClassVar = {"lines.0.name": "amount"}

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, and that the amount is above 0."""
        valid: bool = super().validate(extra_validators)
        if self.amount.data == 0:
            self.refuse(Invalid("Enter name and amount", "amount"))
            return False
        return valid

    def item(self) -> ItemState:
        """Return the submitted item; an empty price is 0."""
        return ItemState(
            id=None,
            name=self.name.data,
            amount=self.amount.data,
            category=self.category.data,
            unit_price=self.unit_price.data or 0,
        )


class MoveStockForm(Form):
    """A delivery, withdrawal or transfer of one item."""

    action = RadioField("Action")
    quantity = form_field(QUANTITY)
    destination = SelectField("Destination site", validate_choice=False, default="")
    team = form_field(TEAM)
    date = form_field(DATE, default=dates.today)

    error_field_names: ClassVar = {"lines.0.name": "quantity"}

    def __init__(self, store: Store, **options: Any) -> None:
        """Offer transfers to the other sites of the division, where it has any."""
        super().__init__(**options)
        others = [site for site in SITES[store.division] if site != store.site]
        actions = [action for action in Action if others or action is not Action.TRANSFER]
        self.action.choices = [SelectChoice(a.value, a.value.title()) for a in actions]
        self.destination.choices = [
            SelectChoice("", "Choose a site"),
            *(SelectChoice(site.value, site.label) for site in others),
        ]

    def validate(self, extra_validators: Any = None) -> bool:
        """Check the fields, and the team or a transfer's destination."""
        valid: bool = super().validate(extra_validators)
        if self.action.data == Action.TRANSFER:
            if self.site() is None:
                self.refuse(Invalid("Choose a destination site.", "destination"))
                return False
        elif not self.team.data and not self.team.errors:
            self.refuse(Invalid("Team is required", "team"))
            return False
        return valid

    def site(self) -> Site | None:
        """Return the destination of a transfer, None if none was chosen."""
        choices = {choice.value for choice in self.destination.choices}
        value = self.destination.data
        return Site(value) if value and value in choices else None


class EditItemForm(Form):
    """An item's name, category, price and unit."""

    name = form_field(NAME)
    category = form_field(CATEGORY)
    unit_price = form_field(UNIT_PRICE)
    unit = form_field(UNIT)
    revision = HiddenNumberField()

    def change(self, item_id: int) -> Change:
        """Return the requested change; an empty unit is 'pcs', an empty price 0."""
        return Change(
            item_id,
            name=self.name.data,
            category=self.category.data,
            unit_price=self.unit_price.data,
            unit=self.unit.data or DEFAULT_UNIT,
        )


class RemoveItemForm(Form):
    """The confirmation before an item is removed."""

    based_on = HiddenNumberField()
