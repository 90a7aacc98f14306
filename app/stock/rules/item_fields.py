"""The fields of an item and of its movements, for forms, JSON and CSV files; pure."""

from app.fields import Day, Pounds, Text, WholeNumber, aliases_of

NAME = Text(
    name="name",
    json="item",
    aliases=("name", "id"),
    label="Item name",
    limit=200,
    required="Item name is required",
    example="HAND WARMER UNION JACK",
)
AMOUNT = WholeNumber(
    name="amount",
    aliases=("qty",),
    label="Amount",
    required="Enter name and amount",
    example=79,
)
CATEGORY = Text(name="category", label="Category", limit=100, example="Seasonal")
UNIT_PRICE = Pounds(
    name="unit_price", json="unitPrice", label="Unit price", what="Price", default=0, example=2.1
)
UNIT = Text(name="unit", label="Unit", limit=20, example="pcs")

ITEM_ALIASES = aliases_of([NAME, AMOUNT])
"""Other names of an item's name and amount in JSON and CSV files."""

QUANTITY = WholeNumber(
    name="quantity",
    label="Quantity",
    minimum=1,
    required="Quantity must be at least 1",
    default=1,
    example=3,
)
TEAM = Text(name="team", label="Team", limit=100, example="Kitchen")
REASON = Text(name="reason", label="Reason", limit=400, example="Damaged in store")
DATE = Day(name="date", label="Date", required="Please pick a date.", example="2026-01-15")
