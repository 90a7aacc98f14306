"""The row of a delivery whose stock was undone, and delivering it again."""

import pytest

from app import dates
from tests.deliveries.test_pages import HTMX, LIST
from tests.person import rows

DELIVERED = f"{LIST}?status=delivered"


@pytest.fixture
def undone(trader, delivered):
    """A delivery of 5 Tea whose stock the trader undid."""
    number = delivered("Tea", 5, recipient="Bob")
    history = trader.open("/gpm/inventory/main/items/1/history")
    trader.submit(history, "main form[action$='/undo']")
    return number


def test_its_row_says_when_and_by_whom_and_offers_to_deliver_it_again(trader, undone, delivered):
    delivered("Mug")
    today = dates.format_day(dates.today())
    assert [row[7:] for row in rows(trader.open(DELIVERED))] == [
        [today, "Done Undo"],
        [f"{today} Bob Stock undone on {today} by trader", "Deliver again"],
    ]


def test_a_delivery_is_undone_from_its_row_also_after_a_redo_and_its_item_is_a_link(
    trader, stock, delivered, amount
):
    stock("Tea", 10)
    delivered("Tea", 5)
    for _ in range(2):
        page = trader.open(DELIVERED)
        undone = trader.submit(page, "#rows form")
        assert undone.all(".notice.ok p") == ["Delivery of 5 × Tea undone: 10 in stock."]
        assert amount("Tea") == 10
        assert rows(trader.open(DELIVERED))[0][8] == "Deliver again"
        # The Undo of the message brings the stock back: the row can be undone once more.
        trader.submit(undone, ".notice form")
        assert amount("Tea") == 15
    page = trader.open(DELIVERED)
    assert rows(page)[0][8] == "Done Undo"
    assert trader.open(page.link("Tea")).all("h1") == ["Tea"]


def test_a_list_seen_before_the_undo_is_sent_again(trader, delivered):
    delivered("Tea", 5)
    tag = trader.open(DELIVERED).headers["ETag"]
    history = trader.open("/gpm/inventory/main/items/1/history")
    trader.submit(history, "main form[action$='/undo']")
    assert trader.open(DELIVERED, headers={"If-None-Match": tag}).status == 200


def test_delivering_again_asks_first_and_adds_it_once(trader, undone, amount):
    dialog = trader.open(trader.open(DELIVERED).link("Deliver again: Tea"))
    today = dates.format_day(dates.today())
    assert dialog.all("main h1") == ["Deliver again"]
    assert dialog.all(".notice.warn") == [f"Stock undone on {today} by trader."]
    assert 'Adds a new item "Tea" with 5 at £2.50' in dialog.text
    assert dialog.all("footer .btn") == ["Cancel", "Deliver again"]
    for _ in range(2):
        page = trader.submit(dialog)
        assert page.all(".notice.ok p") == ["5 × Tea added again: 5 in stock."]
        assert page.path == DELIVERED
    assert amount("Tea") == 5
    assert rows(page)[0][8] == "Done Undo"


@pytest.mark.parametrize("headers", [None, HTMX])
def test_delivering_again_in_another_tab_is_refused_and_adds_nothing(
    trader, undone, amount, headers
):
    first, second = (trader.open(f"{LIST}/{undone}/deliver-again") for _ in range(2))
    trader.submit(first)
    page = trader.submit(second, headers=headers)
    message = "The stock of this delivery is in the inventory already. Nothing was added."
    assert (page.status, page.errors) == (409, [message])
    assert page.all("footer .btn") == ["Close"]
    assert page.headers["HX-Trigger"] == "deliveries-changed"
    assert amount("Tea") == 5


def test_the_dialog_of_a_delivery_in_stock_or_pending_has_nothing_to_confirm(
    trader, delivery, delivered
):
    for number, message in (
        (delivered("Tea"), "The stock of this delivery is in the inventory already."),
        (delivery("Mug"), "This delivery is pending: mark it delivered when it comes."),
    ):
        page = trader.open(f"{LIST}/{number}/deliver-again")
        assert page.all(".notice.warn") == [message]
        assert page.all("footer .btn") == ["Close"]


def test_many_undone_deliveries_take_no_more_statements_than_one(trader, delivered, statements):
    def undo_last():
        history = trader.open(f"/gpm/inventory/main/items/{number}/history")
        trader.submit(history, "main form[action$='/undo']")

    for number in range(1, 3):
        delivered(f"Tea {number}", 5)
        undo_last()
    few = statements(lambda: trader.open(DELIVERED))
    for number in range(3, 8):
        delivered(f"Tea {number}", 5)
        undo_last()
    assert statements(lambda: trader.open(DELIVERED)) == few
