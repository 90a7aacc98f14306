"""The forms of the stock list: shape only, the rules judge what they mean."""

from typing import Any

from wtforms import RadioField, SelectChoice, SelectField

from app import dates
from app.divisions import SITES, Site, Store
from app.errors import Invalid
from app.money import MAX_AMOUNT
from app.stock.rules.bulk import Action
from app.stock.rules.operations import (
    DEFAULT_UNIT,
    LONGEST_CATEGORY,
    LONGEST_NAME,
    LONGEST_TEAM,
    LONGEST_UNIT,
    Change,
    ItemState,
)
from app.web.form_fields import (
    DayField,
    HiddenNumberField,
    PoundsField,
    TextField,
    WholeNumberField,
)
from app.web.forms import Form


class AddItemForm(Form):
    """A new item, or other values for the one that has its name."""

    name = TextField("Item name", limit=LONGEST_NAME, required="Item name is required")
    amount = WholeNumberField("Amount", least=0, most=MAX_AMOUNT, required="Enter name and amount")
    category = TextField("Category", limit=LONGEST_CATEGORY)
    unit_price = PoundsField("Unit price (£)")
    based_on = HiddenNumberField()

    def validate(self, extra_validators: Any = None) -> bool:
        """Ask for an amount above 0, as Save does (seed §5)."""
        valid: bool = super().validate(extra_validators)
        if self.amount.data == 0:
            self.refuse(Invalid("Enter name and amount", "amount"))
            return False
        return valid

    def item(self) -> ItemState:
        """Return the item as typed; a price left empty is 0."""
        return ItemState(
            id=None,
            name=self.name.data,
            amount=self.amount.data,
            category=self.category.data,
            unit_price=self.unit_price.data or 0,
        )


class ItemActionForm(Form):
    """A delivery, withdrawal or transfer of one item."""

    action = RadioField("Action")
    quantity = WholeNumberField(
        "Quantity", least=1, most=MAX_AMOUNT, required="Quantity must be at least 1", default=1
    )
    destination = SelectField("Destination site", validate_choice=False, default="")
    team = TextField("Team", limit=LONGEST_TEAM)
    date = DayField("Date", required="Please pick a date.", default=dates.today)

    def __init__(self, store: Store, **options: Any) -> None:
        super().__init__(**options)
        others = [site for site in SITES[store.division] if site != store.site]
        actions = [action for action in Action if others or action is not Action.TRANSFER]
        self.action.choices = [SelectChoice(a.value, a.value.title()) for a in actions]
        self.destination.choices = [
            SelectChoice("", "Choose a site"),
            *(SelectChoice(site.value, site.label) for site in others),
        ]

    def validate(self, extra_validators: Any = None) -> bool:
        """Ask for a team, or for a transfer's destination (seed §5)."""
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
        """Return where a transfer goes, None when that wasn't chosen."""
        offered = {choice.value for choice in self.destination.choices}
        chosen = self.destination.data
        return Site(chosen) if chosen and chosen in offered else None


class EditItemForm(Form):
    """An item's name, category, price and unit."""

    name = TextField("Item name", limit=LONGEST_NAME, required="Item name is required")
    category = TextField("Category", limit=LONGEST_CATEGORY)
    unit_price = PoundsField("Unit price (£)")
    unit = TextField("Unit", limit=LONGEST_UNIT)
    revision = HiddenNumberField()

    def change(self, item_id: int) -> Change:
        """Return what is to be changed; an empty unit is 'pcs', an empty price 0."""
        return Change(
            item_id,
            name=self.name.data,
            category=self.category.data,
            unit_price=self.unit_price.data or 0,
            unit=self.unit.data or DEFAULT_UNIT,
        )


class UndoForm(Form):
    """The button that takes an operation back."""


class RemoveItemForm(Form):
    """The answer to the question before an item is removed."""

    based_on = HiddenNumberField()
