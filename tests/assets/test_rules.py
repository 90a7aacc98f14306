"""Rules of assets: their fields, moves, search, status and order."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import names
from app.assets.rules import (
    ASSET_FIELDS,
    GROUP_COLUMNS,
    HIGHEST_VALUE_FIRST,
    SORT_COLUMNS,
    AssetState,
    AssetUpdate,
    empty_if_dash,
    is_move,
    search_key,
    status_tone,
)
from app.assets.schemas.register import ASSET_LIST
from app.sorting import SortOrder

FULL = AssetState(
    "Office chair",
    "A/1",
    make="Herman Miller",
    model="Aeron",
    serial="HM-1",
    supplier="Office & Co",
    location="Café",
    purchase_date=date(2024, 3, 1),
    purchase_price=5,
    category="Furniture",
    status="In use",
    quantity=2,
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Main", "Attic", True),
        ("", "Attic", True),
        ("Attic", "", True),
        ("", "", False),
        ("Main Store", "main  store", False),
        ("Café", "CAFÉ", False),
        ("Room 1", "Room １", False),
        ("Main", "Main 2", True),
    ],
)
def test_another_location_is_a_move_and_another_spelling_is_not(before, after, expected):
    assert is_move(before, after) is expected
    assert is_move(after, before) is expected


@given(st.text(max_size=20), st.text(max_size=20))
def test_staying_at_a_location_is_no_move(location, other):
    assert not is_move(location, location)
    assert is_move(location, other) == (names.key(location) != names.key(other))


@pytest.mark.parametrize("dash", ["-", "–", "—"])
def test_a_dash_alone_is_an_empty_field(dash):
    desk = AssetState("Desk", location=dash, status=dash)
    assert (desk.location, desk.status) == ("", "")
    assert empty_if_dash(dash) == ""
    assert AssetUpdate("A1", {"supplier": dash}).apply_to(FULL).supplier == ""


@pytest.mark.parametrize("text", ["", "Store - 2", "A-1", "--"])
def test_a_dash_within_a_text_is_part_of_it(text):
    assert empty_if_dash(text) == AssetState("Desk", location=text).location == text


def test_a_search_looks_at_every_text_of_an_asset_and_at_each_alone():
    texts = [
        "chair",
        "a/1",
        "herman",
        "aeron",
        "hm-1",
        "office & co",
        "café",
        "furniture",
        "in use",
    ]
    assert [text for text in texts if text not in search_key(FULL)] == []
    assert "chaira/1" not in search_key(FULL).replace(" ", "")


def test_an_update_leaves_the_other_fields_unchanged_or_at_their_defaults():
    update = AssetUpdate("a/1", {"location": "Attic", "quantity": 3})
    after = update.apply_to(FULL)
    assert (after.location, after.quantity) == ("Attic", 3)
    assert (after.id, after.item, after.purchase_price) == ("A/1", "Office chair", 5)
    new = AssetUpdate("N1", {"item": "Desk"}).apply_to(None)
    assert new == AssetState("Desk", "N1", quantity=1, purchase_price=0)


@pytest.mark.parametrize(
    ("status", "tone"),
    [("Missing", "bad"), ("MISSING", "bad"), ("in  repair", "warn"), ("In use", ""), ("", "")],
)
def test_a_missing_asset_and_one_in_repair_are_highlighted(status, tone):
    assert status_tone(status) == tone


@pytest.mark.parametrize("column", SORT_COLUMNS)
@pytest.mark.parametrize("descending", [False, True])
def test_an_order_is_parsed_from_its_own_text(column, descending):
    order = SortOrder(column, descending)
    assert ASSET_LIST.sorting.parse(str(order)) == order
    assert order.reversed().reversed() == order
    assert order.reversed() != order


@pytest.mark.parametrize("text", ["", "-", "--value", "colour", "VALUE", "-quantity-", " value"])
def test_an_unknown_order_is_the_default(text):
    assert GROUP_COLUMNS.parse(text) == HIGHEST_VALUE_FIRST


def test_the_fields_of_the_register_are_those_of_its_files_and_calls():
    assert [field.json for field in ASSET_FIELDS.values()] == [
        *("id", "item", "make", "model", "serial", "supplier", "location"),
        *("purchaseDate", "purchasePrice", "category", "status", "quantity"),
    ]
    assert all(name == field.name for name, field in ASSET_FIELDS.items())
