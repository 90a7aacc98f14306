"""The fields of an entity parse and format their values."""

from dataclasses import dataclass, replace
from datetime import date

import pytest

from app import dates
from app.errors import Invalid
from app.fields import (
    Choice,
    Day,
    Flag,
    LabelledEnum,
    Pounds,
    Text,
    WholeNumber,
    aliases_of,
    attribute,
    camel_case,
    fields_of,
    state_of,
    values_of,
)


class Colour(LabelledEnum):
    RED = "red", "Deep red", "bad"
    BLUE = "blue", "Blue"


@dataclass(frozen=True)
class Car:
    reg: str
    paint: Colour | None = attribute(Choice(kind=Colour, none="Not painted"))
    first_owner: str = attribute(Text(limit=5))
    is_used: bool = attribute(Flag())


MAKE = Text(name="make", label="Make", limit=5)
QUANTITY = WholeNumber(name="quantity", label="Quantity", minimum=1, maximum=2000, default=1)
PRICE = Pounds(name="unit_price", json="unitPrice", label="Unit price", what="Price", default=0)
BOUGHT = Day(name="bought_on", label="Bought on", earliest=date(1900, 1, 1), days_ahead=1)


def test_a_field_has_its_own_name_in_json_unless_it_is_given():
    assert (MAKE.json, PRICE.json) == ("make", "unitPrice")


def test_names_and_labels_follow_from_the_attribute():
    owner = fields_of(Car)["first_owner"]
    assert (owner.name, owner.json, owner.label) == ("first_owner", "firstOwner", "First owner")
    assert [field.json for field in fields_of(Car).values()] == ["paint", "firstOwner", "isUsed"]
    assert camel_case("stock_parts.0.unit_price") == "stockParts.0.unitPrice"


def test_a_member_of_an_enum_carries_its_label_and_tone():
    assert (Colour("red"), Colour.RED.label, Colour.RED.tone) == (Colour.RED, "Deep red", "bad")
    assert (Colour.BLUE == "blue", f"{Colour.BLUE}", Colour.BLUE.tone) == (True, "blue", "")


def test_a_choice_is_read_from_its_value_or_label():
    paint = fields_of(Car)["paint"]
    texts = ("red", "DEEP RED ", "Not painted", "")
    assert [paint.parse(text) for text in texts] == [Colour.RED, Colour.RED, None, None]
    with pytest.raises(Invalid, match='"green" is none of red, blue'):
        paint.parse("green")


def test_a_state_is_read_from_a_row_and_written_into_one():
    car = Car("AB12 CDE", Colour.RED, "Ann", is_used=True)
    assert values_of(car) == {"paint": Colour.RED, "first_owner": "Ann", "is_used": True}
    assert state_of(Car, car, reg="XY1") == replace(car, reg="XY1")


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (QUANTITY, 1234, "1,234"),
        (PRICE, 123450, "£1,234.50"),
        (BOUGHT, date(2011, 12, 9), "9 Dec 2011"),
        (BOUGHT, None, ""),
        (fields_of(Car)["paint"], Colour.RED, "Deep red"),
        (fields_of(Car)["paint"], None, "Not painted"),
        (fields_of(Car)["is_used"], True, "yes"),
    ],
)
def test_a_value_is_shown_as_people_read_it(field, value, text):
    assert field.show(value) == text


def test_an_alias_is_accepted_for_the_json_name():
    price = replace(PRICE, aliases=("price", "cost"))
    assert aliases_of([MAKE, price]) == {"price": "unitPrice", "cost": "unitPrice"}


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (MAKE, " ab ", "ab"),
        (MAKE, " ", ""),
        (QUANTITY, "1,234", 1234),
        (QUANTITY, "", 1),
        (PRICE, "£2.10", 210),
        (PRICE, "", 0),
        (BOUGHT, "2011-12-09", date(2011, 12, 9)),
        (BOUGHT, "", None),
    ],
)
def test_text_is_parsed_and_an_empty_text_is_the_default(field, text, value):
    assert field.parse(text) == value


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        (MAKE, "abcdef", "Make must be at most 5 characters"),
        (MAKE, "a\u200bb", "Make holds a character that can't be seen (U+200B); remove it"),
        (QUANTITY, "0", "Quantity must be at least 1"),
        (QUANTITY, "2001", "Quantity must be at most 2,000"),
        (QUANTITY, "many", '"many" is not a whole number'),
        (PRICE, "-1", "Price must be 0 or more"),
        (PRICE, "10000000", "Price must be at most £9,999,999.99"),
        (BOUGHT, "1899-12-31", "Date can't be before 1 Jan 1900."),
        (BOUGHT, "9 Dec", '"9 Dec" is not a date like 2011-12-09'),
        (replace(MAKE, required="Make is required"), " ", "Make is required"),
        (replace(QUANTITY, required="How many?"), "", "How many?"),
        (
            replace(QUANTITY, range_message="Quantity must be 1 to 2,000"),
            "0",
            "Quantity must be 1 to 2,000",
        ),
    ],
)
def test_a_text_beyond_the_limits_is_refused_with_the_message_of_its_field(field, text, message):
    with pytest.raises(Invalid) as refused:
        field.parse(text)
    assert refused.value.message == message


def test_a_day_may_lie_as_far_ahead_as_its_field_allows(monkeypatch):
    monkeypatch.setattr(dates, "today", lambda: date(2026, 5, 31))
    assert BOUGHT.parse("2026-06-01") == date(2026, 6, 1)
    with pytest.raises(Invalid, match="Date can't be after 1 Jun 2026"):
        BOUGHT.parse("2026-06-02")


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (MAKE, "ab", "ab"),
        (QUANTITY, 1234, "1234"),
        (PRICE, 210, "2.10"),
        (BOUGHT, date(2011, 12, 9), "2011-12-09"),
        (BOUGHT, None, ""),
        (PRICE, None, ""),
    ],
)
def test_a_value_is_formatted_as_text_that_parses_to_it(field, value, text):
    assert field.format(value) == text
    assert text == "" or field.parse(text) == value


def test_a_dataclass_has_the_defaults_of_its_fields_and_names_them():
    required = replace(MAKE, name="model", required="Model is required")

    @dataclass(frozen=True)
    class Car:
        model: str = attribute(required)
        make: str = attribute(MAKE)
        bought_on: date | None = attribute(BOUGHT)

    assert Car("Uno") == Car(model="Uno", make="", bought_on=None)
    assert fields_of(Car) == {"model": required, "make": MAKE, "bought_on": BOUGHT}
    with pytest.raises(TypeError):
        Car()
