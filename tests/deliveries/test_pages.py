"""The list of deliveries, and marking them delivered."""

from datetime import timedelta

import pytest

from app import dates
from tests import factories
from tests.person import rows

LIST = "/gpm/deliveries"
HTMX = {"HX-Request": "true", "HX-Target": "dialog"}


def day(days_ago=0):
    return dates.today() - timedelta(days=days_ago)


def items(page):
    return [row[0] for row in rows(page)]


def dialog_of(person, delivery):
    return person.open(f"{LIST}/{delivery}/deliver")


def test_the_list_shows_pending_deliveries_with_the_late_first(trader, delivery):
    delivery("Tea", 1200, ordered_on=day(), supplier="", ordered_by="Ann")
    delivery("Mug", 5, ordered_on=day(15), unit_cost=0)
    delivery("Pen", 5, ordered_on=day(16))
    delivery("Cup", 5, ordered_on=day(14))
    page = trader.open(LIST)
    assert (page.title, page.all("h1")) == ("Deliveries · Quartermaster", ["GPM — Deliveries"])
    columns = ["Item", "Amount", "Unit Cost", "Supplier", "Office", "Ordered By", "Ordered"]
    assert page.all("thead th") == [*columns, "Due", "Delivered", "Actions"]
    pen, mug, cup, tea = rows(page)
    assert mug == [
        *("Mug", "5", "£0.00", "Glass & Co", "Main", "Ann"),
        *(f"{dates.format_day(day(15))} O-0002", "1 day late", ""),
        "Mark Delivered ⋯ Edit Add a line Cancel delivery",
    ]
    assert (pen[7], cup[7]) == ("2 days late", "Due today")
    # Without an expected date it is due two weeks after its order.
    assert tea[7] == f"about {dates.short_day(day(-14))}"
    assert tea[:4] == ["Tea", "1,200", "£2.50", ""]
    assert page.all("#statuses a") == ["Pending (4)", "Delivered (0)"]
    assert page.all("#statuses [aria-current]") == ["Pending (4)"]
    assert page.link("Inventory") == "/gpm/inventory/main"
    assert page.link("New Delivery") == "/gpm/deliveries/new"
    assert "Deliveries" in page.all(".screens a")


def test_delivered_deliveries_show_their_note_and_recipient(trader, delivery, delivered):
    delivered("Tea", confirmation="DN 7", recipient="Bob")
    delivered("Mug", recipient="Zoë", ordered_on=day(60))
    delivery("Pen")
    page = trader.open(trader.open(LIST).link("Delivered (2)"))
    assert page.path == f"{LIST}?status=delivered"
    assert page.all("#statuses [aria-current]") == ["Delivered (2)"]
    today = dates.format_day(dates.today())
    notes = [f"{today} Zoë", f"{today} DN 7 · Bob"]
    assert [row[7:] for row in rows(page)] == [[note, "Done Undo"] for note in notes]
    assert "late" not in page.text


def test_an_empty_list_loads_again_when_an_undo_brings_its_row_back(trader):
    [reload] = trader.open(LIST).html.select("#list [data-hx-trigger^=deliveries-changed]")
    assert reload["data-hx-get"] == LIST


def test_empty_lists(trader, delivery):
    page = trader.open(LIST)
    assert page.all(".empty p")[0] == "No pending deliveries."
    assert page.all(".empty .btn") == ["Add the first one", "Bring a list"]
    page = trader.open(f"{LIST}?status=delivered")
    assert page.all(".empty p")[0] == "No delivered deliveries."
    page = trader.open(f"{LIST}?status=cancelled")
    assert page.all(".empty p") == ["No cancelled deliveries."]
    delivery("Tea")
    page = trader.open(f"{LIST}?q=mug")
    assert page.all(".empty p") == ["No deliveries match."]
    assert page.link("Reset") == LIST


def test_a_search_keeps_the_status_and_counts_both(trader, delivery, delivered):
    delivery("Green tea")
    delivered("Black tea", recipient="Bob")
    delivered("Mug", recipient="Bob")
    page = trader.open(f"{LIST}?status=delivered&q=TEA")
    assert items(page) == ["Black tea"]
    assert page.all("#statuses a") == ["Pending (1)", "Delivered (1)"]
    assert page.fields("#filters") == {"status": "delivered", "q": "TEA"}
    assert page.link("Reset") == f"{LIST}?status=delivered"
    assert items(trader.open(page.link("Pending (1)"))) == ["Green tea"]


def test_the_list_has_25_rows_per_page_and_ignores_a_wrong_status(in_app, trader):
    for number in range(60):
        in_app(factories.delivery, f"Item {number:02d}")
    page = trader.open(LIST)
    assert page.all(".pager p") == ["Page 1 / 3 · Showing 25 of 60"]
    assert page.html.select_one(".pager")["data-failure"] == "Failed to load deliveries"
    assert items(trader.open(page.link("Next")))[0] == "Item 25"
    last = trader.open(f"{LIST}?page=999999")
    assert last.all(".pager p") == ["Page 3 / 3 · Showing 10 of 60"]
    assert items(trader.open(f"{LIST}?status=lost"))[0] == "Item 00"


def test_htmx_gets_the_list_and_the_statuses(trader, delivery):
    delivery("Tea")
    fragment = trader.fragment(f"{LIST}?q=tea", "list")
    assert items(fragment) == ["Tea"]
    assert fragment.html.title is None
    assert [e["id"] for e in fragment.html.select("[data-hx-swap-oob]")] == ["in-sort", "statuses"]


def test_an_unchanged_list_is_not_sent_again(trader, delivery):
    delivery("Tea")
    tag = trader.open(LIST).headers["ETag"]
    assert trader.open(LIST, headers={"If-None-Match": tag}).status == 304
    delivery("Mug")
    assert trader.open(LIST, headers={"If-None-Match": tag}).status == 200


def test_marking_delivered_adds_to_the_item_in_stock(app, trader, delivery, stock, amount):
    stock("RED HEART", 10)
    delivery("Red heart", 5, recipient="Bob")
    dialog = trader.open(trader.open(LIST).link("Mark Delivered: Red heart"))
    assert dialog.title == "Mark delivered · Quartermaster"
    assert dialog.all("main h1") == ["Mark delivered"]
    assert 'Adds 5 to "RED HEART": 10 → 15' in dialog.text
    assert dialog.all(".field label") == [
        "Amount that came",
        "Delivery note / reference",
        "Recipient",
    ]
    assert dialog.fields()["recipient"] == "Bob"
    assert dialog.all("footer .btn") == ["Cancel", "Confirm"]
    page = trader.submit(dialog, confirmation=" DN 7 ", recipient="Zoë")
    assert page.path == LIST
    assert page.all(".notice.ok p") == ["5 × RED HEART added: 15 in stock."]
    assert page.all(".empty p")[0] == "No pending deliveries."
    assert amount("Red heart") == 15
    assert rows(trader.open(f"{LIST}?status=delivered"))[0][7].endswith("DN 7 · Zoë")
    history = rows(trader.open("/gpm/history"))[0]
    assert history[:2] == [dates.format_day(dates.today()), "Delivery"]
    assert history[2:5] == ["Deliveries", "RED HEART", "+5"]
    verified = app.test_cli_runner().invoke(args=["ledger", "verify"])
    assert verified.exit_code == 0, verified.output


def test_marking_delivered_adds_a_new_item_at_the_unit_cost(trader, delivery):
    dialog = dialog_of(trader, delivery("Tea", 5, unit_cost=250))
    assert 'Adds a new item "Tea" with 5 at £2.50' in dialog.text
    assert trader.submit(dialog).all(".notice.ok p") == ["5 × Tea added: 5 in stock."]
    assert trader.open("/gpm/inventory/main").rows() == [["Tea", "5", "", "£2.50"]]
    assert rows(trader.open("/gpm/history"))[0][1].endswith("New item from GPM delivery")


def test_with_htmx_the_message_offers_undo_and_the_list_reloads(trader, delivery, stock, amount):
    stock("Tea", 10)
    number = delivery("Tea", 5)
    for n in range(30):
        delivery(f"Item {n}")
    page = trader.open(f"{LIST}?page=2&q=i")
    reloads = page.html.select_one("[data-hx-trigger*='deliveries-changed']")
    assert reloads["data-hx-get"] == f"{LIST}?q=i&page=2"
    dialog = trader.fragment(f"{LIST}/{number}/deliver", "dialog")
    assert dialog.html.title is None
    assert dialog.form("form")["data-failure"] == "Failed to mark delivered"
    reply = trader.submit(dialog, "form", headers=HTMX)
    assert reply.status == 200
    assert reply.all("[data-hx-swap-oob='innerHTML:#live'] p") == ["5 × Tea added: 15 in stock."]
    assert reply.html.select_one("form button").text == "Undo"
    undone = trader.submit(reply, "form", headers={"HX-Request": "true", "HX-Target": "live"})
    assert undone.all("p") == ["Delivery of 5 × Tea undone: 10 in stock."]
    assert undone.html.select_one("form button") is None
    assert undone.headers["HX-Trigger"] == "stock-changed"
    assert amount("Tea") == 10
    assert reply.headers["HX-Trigger"] == "deliveries-changed"


@pytest.mark.parametrize("headers", [None, HTMX])
def test_marking_delivered_in_another_tab_is_refused_and_adds_nothing(
    trader, delivery, amount, headers
):
    number = delivery("Tea", 5)
    first, second = dialog_of(trader, number), dialog_of(trader, number)
    trader.submit(first)
    page = trader.submit(second, headers=headers)
    today = dates.format_day(dates.today())
    message = f"This delivery was marked delivered already, on {today} by trader."
    assert (page.status, page.errors) == (409, [f"{message} Nothing was added again."])
    assert "There is a problem" in page.text
    assert page.all("footer .btn") == ["Close"]
    assert page.headers["HX-Trigger"] == "deliveries-changed"
    assert amount("Tea") == 5
    reopened = dialog_of(trader, number)
    assert reopened.all(".notice.warn") == [message]
    assert reopened.all("footer .btn") == ["Close"]


def test_an_invalid_note_is_kept_as_typed_and_adds_nothing(trader, delivery):
    dialog = dialog_of(trader, delivery("Tea", 5))
    page = trader.submit(dialog, confirmation="x" * 201, recipient="Zoë")
    message = "Delivery note / reference must be at most 200 characters"
    assert (page.status, page.errors) == (422, [message, message])
    assert page.fields()["confirmation"] == "x" * 201
    assert page.fields()["recipient"] == "Zoë"
    assert trader.open("/gpm/inventory/main").rows() == []
    added = trader.submit(page, confirmation="DN")
    assert added.all(".notice.ok p") == ["5 × Tea added: 5 in stock."]


def test_an_unknown_delivery_is_not_found(trader):
    for number in ("77", "2147483647"):
        page = dialog_of(trader, number)
        message = "There is no such delivery. Load the list again."
        assert (page.status, page.alerts) == (404, [message])


ORDERS = [
    ("", ["Pen", "mug", "Tea"]),
    ("-ordered", ["Tea", "mug", "Pen"]),
    ("item", ["mug", "Pen", "Tea"]),
    ("-amount", ["Tea", "Pen", "mug"]),
    ("supplier", ["Pen", "Tea", "mug"]),
    ("-supplier", ["Pen", "Tea", "mug"]),
    ("delivered", ["Pen", "mug", "Tea"]),
]


def test_every_heading_sorts_the_deliveries_and_equal_ones_keep_their_order(trader, delivery):
    delivery("Tea", 9, ordered_on=day(1), supplier="Glass & Co")
    delivery("mug", 5, ordered_on=day(2), supplier="")
    delivery("Pen", 5, ordered_on=day(3), supplier="Glass & Co")
    for sort, found in ORDERS:
        for query in (f"sort={sort}", f"q=main&sort={sort}"):
            assert items(trader.open(f"{LIST}?{query}")) == found, query


def test_delivered_deliveries_are_sorted_by_their_day_in_both_directions(trader, delivered):
    delivered("Tea")
    delivered("Mug")
    page = trader.open(f"{LIST}?status=delivered")
    assert (items(page), page.all("[aria-sort=descending]")) == (["Mug", "Tea"], ["Delivered"])
    page = trader.open(page.link("Delivered"))
    assert (items(page), page.all("[aria-sort=ascending]")) == (["Tea", "Mug"], ["Delivered"])
