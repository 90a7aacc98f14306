"""The bulk update where its widget can't run."""

import pytest

from tests.factories import GPM

BULK = "/inventory/main/bulk"


@pytest.fixture
def hearts(stock):
    stock("Red heart", 10)
    stock("Blue heart", 10)


def lines(*pairs):
    """Return what ten lines send, of which the first ones are filled in."""
    typed = {}
    for index, (name, quantity) in enumerate(pairs):
        typed |= {f"lines-{index}-name": name, f"lines-{index}-quantity": quantity}
    return typed


@pytest.mark.usefixtures("hearts")
def test_lines_are_delivered_together_once_with_an_undo(keeper, amount):
    form = keeper.open(BULK)
    typed = lines(("red heart", "2"), ("", "1"), ("Blue heart", "3"), ("RED HEART", "1"))
    for _ in range(2):
        page = keeper.submit(form, team="Shop", **typed)
        assert page.path == "/inventory/main"
        assert page.all(".notice.ok p") == ["Delivery: 2 items."]
        assert (amount("Red heart"), amount("Blue heart")) == (13, 13)
    keeper.submit(page, ".notice form")
    assert (amount("Red heart"), amount("Blue heart")) == (10, 10)


@pytest.mark.usefixtures("hearts")
def test_a_refusal_stands_at_each_line_and_changes_nothing(keeper, amount):
    typed = lines(("Red heart", "2"), ("", ""), ("Blue heart", "11"), ("Green heart", "1"))
    page = keeper.submit(keeper.open(BULK), action="withdrawal", **typed)
    assert page.status == 422
    too_many = 'Not enough stock: "Blue heart" has 10'
    missing = 'Item not found for withdrawal: "Green heart"'
    assert page.all(".notice.bad li") == [f"Line 3: {too_many}", f"Line 4: {missing}"]
    assert page.all("#lines-2-name-error, #lines-3-name-error") == [too_many, missing]
    assert page.fields()["lines-2-quantity"] == "11"
    assert page.title.startswith("Error: ")
    assert amount("Red heart") == 10
    done = keeper.submit(page, **lines(("Red heart", "2"), ("", ""), ("", ""), ("", "")))
    assert done.all(".notice.ok p") == ["Withdrawal: 1 item."]


@pytest.mark.usefixtures("hearts")
def test_a_transfer_needs_a_destination(keeper, amount):
    typed = {"action": "transfer", **lines(("Red heart", "4"))}
    page = keeper.submit(keeper.open(BULK), **typed)
    assert page.all("#destination-error") == ["Choose a destination site."]
    done = keeper.submit(page, destination="guildford")
    assert done.all(".notice.ok p") == ["Transfer to Guildford: 1 item."]
    assert amount("Red heart") == 6


def test_a_delivery_adds_missing_items_unless_auto_create_is_off(keeper, amount):
    form = keeper.open(BULK)
    sent = form.fields() | lines(("New", "4"))
    del sent["auto_create"]
    refused = keeper.post(BULK, sent)
    message = 'Item not found: "New" (enable auto-create or add it first)'
    assert refused.all("#lines-0-name-error") == [message]
    assert "checked" not in refused.html.select_one("[name=auto_create]").attrs
    keeper.submit(refused, auto_create="y")
    assert amount("New") == 4


REFUSED_UPDATES = [
    ({}, "Line 1: Add at least one item."),
    (lines(("Red heart", "0")), "Line 1: Quantity must be at least 1"),
    (lines(("Red heart", "two")), 'Line 1: "two" is not a whole number'),
    (lines(("x" * 201, "1")), "Line 1: Item name must be at most 200 characters"),
    ({"date": "", **lines(("Red heart", "1"))}, "Please pick a date."),
    ({"action": "gift", **lines(("Red heart", "1"))}, "Not a valid choice."),
]


@pytest.mark.usefixtures("hearts")
def test_a_refused_update_gives_the_reason(keeper):
    for typed, message in REFUSED_UPDATES:
        page = keeper.submit(keeper.open(BULK), **typed)
        assert (page.status, page.all(".notice.bad li")) == (422, [message])


def test_gpm_has_no_transfers_in_its_lines(trader, stock):
    stock("Tea", 5, store=GPM)
    form = trader.open(f"/gpm{BULK}")
    assert form.all("#action label") == ["Delivery", "Withdrawal"]
    done = trader.submit(form, action="withdrawal", **lines(("tea", "2")))
    assert done.all(".notice.ok p") == ["Withdrawal: 1 item."]


def test_the_dialog_of_the_widget_carries_no_second_form(keeper):
    assert keeper.fragment(BULK, "dialog").html.select("form") == []
