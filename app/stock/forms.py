"""The forms of the stock list: shape only, the rules judge what they mean."""

from typing import Any

from wtforms import RadioField, SelectChoice

from app import dates
from app.errors import Invalid
from app.money import MAX_AMOUNT
from app.stock.rules.operations import (
    DEFAULT_UNIT,
    LONGEST_CATEGORY,
    LONGEST_NAME,
    LONGEST_TEAM,
    LONGEST_UNIT,
    Change,
    ItemState,
    Kind,
)
from app.web.forms import (
    DayField,
    Form,
    HiddenNumberField,
    PoundsField,
    TextField,
    WholeNumberField,
)

ACTIONS = [
    SelectChoice(Kind.DELIVERY.value, "Delivery"),
    SelectChoice(Kind.WITHDRAWAL.value, "Withdrawal"),
]


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
    """A delivery or withdrawal of one item."""

    action = RadioField("Action", choices=ACTIONS)
    quantity = WholeNumberField(
        "Quantity", least=1, most=MAX_AMOUNT, required="Quantity must be at least 1", default=1
    )
    team = TextField("Team", limit=LONGEST_TEAM, required="Team is required")
    date = DayField("Date", required="Please pick a date.", default=dates.today)


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


class RemoveItemForm(Form):
    """The answer to the question before an item is removed."""

    based_on = HiddenNumberField()
