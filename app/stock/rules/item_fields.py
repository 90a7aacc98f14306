"""The fields of an item and of its movements, for forms and CSV files; pure."""

from app.fields import Day, Pounds, Text, WholeNumber
from app.stock.rules.items import (
    MAX_CATEGORY_LENGTH,
    MAX_NAME_LENGTH,
    MAX_TEAM_LENGTH,
    MAX_UNIT_LENGTH,
)

NAME = Text(
    name="name",
    json="item",
    aliases=("name", "id"),
    label="Item name",
    limit=MAX_NAME_LENGTH,
    required="Item name is required",
)
AMOUNT = WholeNumber(
    name="amount", aliases=("qty",), label="Amount", required="Enter name and amount"
)
CATEGORY = Text(name="category", label="Category", limit=MAX_CATEGORY_LENGTH)
UNIT_PRICE = Pounds(
    name="unit_price", json="unitPrice", label="Unit price", what="Price", default=0
)
UNIT = Text(name="unit", label="Unit", limit=MAX_UNIT_LENGTH)

QUANTITY = WholeNumber(
    name="quantity",
    label="Quantity",
    minimum=1,
    required="Quantity must be at least 1",
    default=1,
)
TEAM = Text(name="team", label="Team", limit=MAX_TEAM_LENGTH)
DATE = Day(name="date", label="Date", required="Please pick a date.")
