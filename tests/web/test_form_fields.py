"""Inputs of forms that are made from the fields of an entity."""

from dataclasses import replace
from datetime import date

import pytest
from werkzeug.datastructures import MultiDict
from wtforms import Form

from app.fields import Day, Pounds, Text, WholeNumber
from app.web.form_fields import form_field

ITEM = Text(name="item", label="Item", limit=5, required="Item name is required")
QUANTITY = WholeNumber(name="quantity", label="Quantity", minimum=1, maximum=9, default=1)


class _Form(Form):
    item = form_field(ITEM)
    make = form_field(Text(name="make", label="Make", limit=5))
    quantity = form_field(replace(QUANTITY, required="Quantity must be at least 1"))
    price = form_field(Pounds(name="price", label="Price", default=0))
    bought = form_field(Day(name="bought", label="Bought"))


def _submit(**texts: str) -> _Form:
    form = _Form(MultiDict({"item": "Desk", "quantity": "2", **texts}))
    form.validate()
    return form


def test_a_new_form_shows_labels_and_defaults():
    form = _Form()
    labels = ["Item", "Make", "Quantity", "Price (£)", "Bought"]
    assert [field.label.text for field in form] == labels
    assert [field._value() for field in form] == ["", "", "1", "0.00", ""]


def test_an_input_is_of_the_kind_of_its_field():
    form = _Form()
    numeric = {each.name: each.attributes.get("inputmode") for each in form}
    assert numeric == {
        "item": None,
        "make": None,
        "bought": None,
        "quantity": "numeric",
        "price": "decimal",
    }
    assert [each.name for each in form if each.attributes.get("type") == "date"] == ["bought"]
    assert [field.name for field in form if field.is_money] == ["price"]


def test_submitted_text_is_parsed_and_rendered_again_as_typed():
    form = _submit(price="£1,234.5", bought="2011-12-09")
    desk = {"item": "Desk", "make": "", "quantity": 2, "price": 123450}
    assert form.data == desk | {"bought": date(2011, 12, 9)}
    assert form.price._value() == "£1,234.5"
    assert form.errors == {}


def test_an_empty_input_has_the_default_of_its_field():
    assert _submit(price=" ", bought="").data | {"item": "", "quantity": 1} == _Form().data


@pytest.mark.parametrize(
    ("texts", "errors"),
    [
        ({"item": " "}, {"item": ["Item name is required"]}),
        ({"item": "Drawer"}, {"item": ["Item must be at most 5 characters"]}),
        ({"quantity": ""}, {"quantity": ["Quantity must be at least 1"]}),
        ({"quantity": "10"}, {"quantity": ["Quantity must be at most 9"]}),
        ({"price": "-1"}, {"price": ["Price must be 0 or more"]}),
        ({"bought": "2999-01-01"}, {"bought": ["Date can't be in the future."]}),
    ],
)
def test_wrong_text_is_refused_with_the_message_of_its_field(texts, errors):
    assert _submit(**texts).errors == errors
