"""JSON fields that are made from the fields of an entity."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from marshmallow import ValidationError

from app.api import replies
from app.api.fields import json_field
from app.api.replies import Reply
from app.api.schemas import Body
from app.fields import Day, Pounds, Text, WholeNumber

FIELDS = {
    "item": Text(
        name="item", label="Item", limit=5, required="Item name is required", example="Desk"
    ),
    "make": Text(name="make", label="Make", limit=5, description="Who made it"),
    "quantity": WholeNumber(
        name="quantity",
        label="Quantity",
        minimum=1,
        maximum=9,
        range_message="Quantity must be 1 to 9",
        default=1,
    ),
    "price": Pounds(name="price", label="Price", default=0, example=2.5),
    "bought": Day(name="bought", label="Bought", earliest=date(1900, 1, 1)),
}
BODY = Body.from_dict({name: json_field(field) for name, field in FIELDS.items()})
REPLY = Reply.from_dict({name: replies.of(field) for name, field in FIELDS.items()})


def test_a_price_has_at_most_two_decimals_but_for_what_a_sum_of_floats_is_off():
    for pounds, pence in ((0.1 + 0.2, 30), (2, 200), (19.99, 1999), (1e-9, 0)):
        assert BODY().load({"item": "Desk", "price": pounds})["price"] == pence
    for pounds in (1.234, 0.005, 1e-5):
        with pytest.raises(ValidationError) as refused:
            BODY().load({"item": "Desk", "price": pounds})
        assert refused.value.messages == {"price": ["Price must have at most 2 decimals."]}


@pytest.mark.parametrize("pounds", [10**400, 1e300], ids=["whole", "float"])
def test_a_price_of_hundreds_of_digits_is_refused(pounds):
    with pytest.raises(ValidationError, match="is not a price in pounds"):
        BODY().load({"item": "Desk", "price": pounds})


def test_a_body_is_read_into_values_and_defaults():
    desk = {"item": "Desk", "make": "", "quantity": 1, "price": 250, "bought": date(1999, 12, 31)}
    assert BODY().load({"item": " Desk ", "price": 2.5, "bought": "1999-12-31"}) == desk
    assert BODY().load({"item": "Desk", "bought": None})["bought"] is None


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({}, "item", "Item name is required"),
        ({"item": " "}, "item", "Item name is required"),
        ({"item": "Drawer"}, "item", "Item must be at most 5 characters"),
        ({"item": "Desk", "make": None}, "make", "Field may not be null."),
        ({"item": "Desk", "quantity": 0}, "quantity", "Quantity must be 1 to 9"),
        ({"item": "Desk", "quantity": 10}, "quantity", "Quantity must be 1 to 9"),
        ({"item": "Desk", "price": -1}, "price", "Price must be 0 or more"),
        ({"item": "Desk", "bought": "1899-12-31"}, "bought", "Date can't be before 1 Jan 1900."),
    ],
)
def test_a_wrong_value_is_refused_with_the_message_of_its_field(body, field, message):
    with pytest.raises(ValidationError) as refused:
        BODY().load(body)
    assert refused.value.messages == {field: [message]}


def test_limits_examples_and_descriptions_are_documented():
    declared = BODY().fields
    limits = {"format": "one-line", "maxLength": 5, "minLength": 1}
    assert declared["item"].metadata == limits | {"example": "Desk"}
    assert declared["make"].metadata["description"] == "Who made it"
    assert REPLY().fields["price"].metadata["example"] == 2.5
    assert REPLY().fields["bought"].metadata["format"] == "date"
    assert [name for name, field in REPLY().fields.items() if field.allow_none] == ["bought"]


def test_a_reply_is_written_from_a_row_and_the_values_that_the_row_lacks():
    @dataclass
    class Desk:
        item: str = "Desk"
        price: int | None = 250
        bought: date | None = date(2011, 12, 9)
        room: Any = None

    class DeskReply(REPLY):
        room_name = replies.text("Hall", "room.item")
        is_old = replies.flag(True, lambda desk: desk.bought is not None)
        checked_by = replies.text("keeper")

    desk = Desk(room=Desk("Hall"))
    written = DeskReply.write(desk, make="", quantity=2, checked_by="keeper")
    plain = {"item": "Desk", "make": "", "quantity": 2, "price": 2.5, "bought": "2011-12-09"}
    assert written == plain | {"roomName": "Hall", "isOld": True, "checkedBy": "keeper"}
    empty = Desk(price=None, bought=None, room=desk)
    written = DeskReply.write(empty, make="", quantity=2, checked_by="")
    assert [written["price"], written["bought"], written["isOld"]] == [None, None, False]


def test_a_null_that_a_text_allows_is_its_default():
    make = json_field(FIELDS["make"], allow_none=True)
    unchanged = json_field(FIELDS["make"], allow_none=True, load_default=None)
    body = Body.from_dict({"make": make, "unchanged": unchanged})
    assert body().load({"make": None, "unchanged": None}) == {"make": "", "unchanged": None}
