"""What an asset is, when it moves, in which order a list stands; pure."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import names
from app.assets.rules.assets import AssetState, ToldAsset, moves, said, search_key, tone
from app.assets.rules.sorting import Column, GroupColumn, Order, order_said

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
    ("before", "after", "is_move"),
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
def test_only_another_place_is_a_move_not_another_spelling(before, after, is_move):
    assert moves(before, after) is is_move
    assert moves(after, before) is is_move


@given(st.text(max_size=20), st.text(max_size=20))
def test_nothing_moves_to_where_it_is(place, other):
    assert not moves(place, place)
    assert moves(place, other) == (names.key(place) != names.key(other))


@pytest.mark.parametrize("dash", ["-", "–", "—"])
def test_any_dash_alone_stands_for_nothing(dash):
    desk = AssetState("Desk", location=dash, status=dash)
    assert (desk.location, desk.status) == ("", "")
    assert said(dash) == ""
    assert ToldAsset("A1", {"supplier": dash}).upon(FULL).supplier == ""


@pytest.mark.parametrize("text", ["", "Store - 2", "A-1", "--"])
def test_a_dash_within_a_text_stays(text):
    assert said(text) == AssetState("Desk", location=text).location == text


@pytest.mark.parametrize(
    "text",
    ["chair", "a/1", "herman", "aeron", "hm-1", "office & co", "café", "furniture", "in use"],
)
def test_a_search_looks_at_every_text_of_an_asset(text):
    assert text in search_key(FULL)


def test_a_search_does_not_find_what_only_meets_across_two_fields():
    assert "chaira/1" not in search_key(FULL).replace(" ", "")


def test_what_is_told_of_an_asset_leaves_the_rest_as_it_was():
    told = ToldAsset("a/1", {"location": "Attic", "quantity": 3})
    after = told.upon(FULL)
    assert (after.location, after.quantity) == ("Attic", 3)
    assert (after.id, after.item, after.purchase_price) == ("A/1", "Office chair", 5)


def test_what_is_told_of_a_new_asset_is_all_there_is():
    told = ToldAsset("N1", {"item": "Desk"})
    assert told.upon(None) == AssetState("Desk", "N1", quantity=1, purchase_price=0)


@pytest.mark.parametrize(
    ("status", "stands_out"),
    [("Missing", "bad"), ("MISSING", "bad"), ("in  repair", "warn"), ("In use", ""), ("", "")],
)
def test_a_status_that_needs_somebody_stands_out(status, stands_out):
    assert tone(status) == stands_out


@pytest.mark.parametrize("column", list(Column))
@pytest.mark.parametrize("descending", [False, True])
def test_an_order_is_read_as_it_is_written(column, descending):
    order = Order(column, descending)
    assert order_said(str(order), Column, Order(Column.ITEM)) == order
    assert order.turned().turned() == order
    assert order.turned() != order


@pytest.mark.parametrize("text", ["", "-", "--value", "colour", "VALUE", "-quantity-", " value"])
def test_an_order_that_says_nothing_is_the_usual_one(text):
    usual = Order(GroupColumn.VALUE, descending=True)
    assert order_said(text, GroupColumn, usual) == usual
