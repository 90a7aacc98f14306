"""Adding, editing and removing items, as a person without scripts does it."""

import pytest

from app import dates
from app.db import transaction
from app.stock import services
from tests.factories import MAIN

ADD = "/inventory/main/add"


def test_an_item_is_added(keeper):
    page = keeper.submit(
        keeper.open(ADD), name=" Red heart ", amount="1,200", unit_price="£2.5", category="Heart"
    )
    assert page.all(".notice.ok") == ['Added "Red heart": 1,200.']
    assert page.rows() == [["Red heart", "1,200", "Heart", "£2.50"]]


def test_adding_a_known_name_asks_first_and_then_updates_it(keeper, stock):
    stock("Red heart", 10, category="Heart")
    asked = keeper.submit(
        keeper.open(ADD), name="RED  heart", amount="4", unit_price="1", category="Gift"
    )
    assert asked.status == 409
    assert asked.all(".badge.warn") == ["Name already exists"]
    said = "amount 10 → 4 , category Heart → Gift , price £2.50 → £1.00 ."
    assert said in asked.text
    page = keeper.submit(asked)
    assert page.all(".notice.ok") == ['Updated "Red heart": 10 → 4.']
    assert page.rows() == [["Red heart", "4", "Gift", "£1.00"]]


def test_what_is_left_empty_in_an_update_stays_as_it_was(keeper, stock):
    stock("Red heart", 10, category="Heart")
    asked = keeper.submit(keeper.open(ADD), name="Red heart", amount="4")
    assert "category Heart → Heart , price £2.50 → £2.50 ." in asked.text
    assert keeper.submit(asked).rows() == [["Red heart", "4", "Heart", "£2.50"]]


def test_an_update_asks_again_when_the_amount_moved_meanwhile(app, keeper, stock):
    item = stock("Red heart", 10)
    asked = keeper.submit(keeper.open(ADD), name="Red heart", amount="4")
    with app.app_context(), transaction():
        services.withdraw(MAIN, item, 1, team="Shop", on=dates.today(), by=1)
    again = keeper.submit(asked)
    assert again.status == 409
    assert "amount 9 →" in again.text
    assert keeper.submit(again).all(".notice.ok") == ['Updated "Red heart": 9 → 4.']


def test_the_namesake_check_carries_the_amount_that_saving_is_based_on(keeper, stock):
    stock("Red heart", 10)
    found = keeper.fragment("/inventory/main/add/namesake?name=red%20HEART%20", "namesake")
    assert found.all(".badge") == ["Name already exists"]
    assert found.html.select_one("[name=based_on]")["value"] == "10"
    missing = keeper.fragment("/inventory/main/add/namesake?name=blue", "namesake")
    assert missing.all(".badge") == []
    assert missing.html.select_one("[name=based_on]")["value"] == ""


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name": " "}, "Item name is required"),
        ({"name": "x" * 201}, "Item name must be at most 200 characters"),
        ({"name": "a\u200bb"}, "Item name holds a character that can't be seen (U+200B)"),
        ({"amount": ""}, "Enter name and amount"),
        ({"amount": "0"}, "Enter name and amount"),
        ({"amount": "-1"}, "Amount must be at least 0"),
        ({"amount": "two"}, '"two" is not a whole number'),
        ({"unit_price": "-1"}, "Price must be 0 or more"),
        ({"unit_price": "cheap"}, '"cheap" is not a price in pounds'),
        ({"category": "x" * 101}, "Category must be at most 100 characters"),
    ],
)
def test_an_addition_that_cannot_be_made_says_why(keeper, typed, said):
    page = keeper.submit(keeper.open(ADD), **({"name": "Red heart", "amount": "1"} | typed))
    assert page.status == 422
    assert any(said in error for error in page.errors)
    assert keeper.open("/inventory/main").rows() == []


def test_an_item_is_edited_and_its_unit_shown(keeper, stock):
    stock("Red heart", 10)
    form = keeper.open(keeper.open("/inventory/main").link("Red heart"))
    assert form.fields()["unit_price"] == "2.50"
    page = keeper.submit(form, name="Blue heart", category="Gift", unit_price="3", unit="box")
    assert page.all(".notice.ok") == ['Saved "Blue heart".']
    assert page.rows() == [["Blue heart", "10 box", "Gift", "£3.00"]]


def test_an_edit_of_what_somebody_else_edited_asks_to_check(keeper, stock):
    item = stock("Red heart", 10)
    path = f"/inventory/main/items/{item}/edit"
    mine, theirs = keeper.open(path), keeper.open(path)
    keeper.submit(theirs, category="Theirs")
    page = keeper.submit(mine, category="Mine")
    assert page.status == 409
    assert "Somebody else has changed this item meanwhile" in page.errors[0]
    assert page.fields()["category"] == "Mine"
    assert keeper.submit(page).rows() == [["Red heart", "10", "Mine", "£2.50"]]


def test_a_taken_name_is_refused_at_its_field(app, keeper, stock):
    item = stock("Red heart", 10)
    stock("Blue heart", 10)
    form = keeper.open(f"/inventory/main/items/{item}/edit")
    page = keeper.submit(form, name="BLUE HEART")
    assert page.status == 409
    assert page.all("#name-error") == ['Name already exists: "Blue heart"']


def test_an_item_is_removed_after_a_question(keeper, stock):
    stock("Red heart", 10)
    question = keeper.open(keeper.open("/inventory/main").link("Remove Red heart"))
    assert "Remove this item?" in question.all("h1")
    assert "10 in stock will be written off." in question.text
    page = keeper.submit(question)
    assert page.all(".notice.ok") == ['Removed "Red heart".']
    assert page.rows() == []


def test_removing_twice_answers_twice_and_removes_once(keeper, stock):
    item = stock("Red heart", 10)
    question = keeper.open(f"/inventory/main/items/{item}/remove")
    for _ in range(2):
        assert keeper.submit(question).all(".notice.ok") == ['Removed "Red heart".']


def test_the_question_is_asked_again_when_the_amount_moved(app, keeper, stock):
    item = stock("Red heart", 10)
    question = keeper.open(f"/inventory/main/items/{item}/remove")
    with app.app_context(), transaction():
        services.withdraw(MAIN, item, 1, team="Shop", on=dates.today(), by=1)
    again = keeper.submit(question)
    assert again.status == 409
    assert again.errors == ['"Red heart" has 9 now, not 10. Remove it all the same?']
    assert keeper.submit(again).rows() == []


@pytest.mark.parametrize("path", ["action", "edit", "remove"])
@pytest.mark.parametrize("item", ["9999", "2147483647"])
def test_an_item_that_is_not_there_is_404(keeper, path, item):
    assert keeper.open(f"/inventory/main/items/{item}/{path}").status == 404


def test_an_unknown_site_has_no_dialogs(keeper):
    assert keeper.open("/inventory/nowhere/add").status == 404


@pytest.mark.parametrize("query", ["q=%00", "category=%00", "after=%00"])
def test_a_null_character_is_refused_clearly(keeper, query):
    page = keeper.open(f"/inventory/main?{query}")
    assert page.status == 400
    assert "U+0000" in page.alerts[0]
