"""The dialogs that edit a delivery, cancel it and schedule it again."""

from datetime import timedelta

import pytest

from app import dates
from tests.deliveries.test_pages import HTMX, LIST, items
from tests.person import rows

CANCELLED = f"{LIST}?status=cancelled"
TODAY = dates.format_day(dates.today())


def test_a_pending_delivery_is_edited_from_its_row(trader, delivery):
    number = delivery("Tea", 5, recipient="Bob")
    dialog = trader.open(trader.open(LIST).link("Edit delivery: Tea"))
    assert dialog.title == "Edit delivery · Quartermaster"
    assert dialog.all("main h1") == ["Edit delivery"]
    fields = dialog.fields()
    assert (fields["item"], fields["amount"], fields["supplier"]) == ("Tea", "5", "Glass & Co")
    assert dialog.all("footer") == ["Close Save"]
    page = trader.submit(dialog, amount="1200", office="main", expected_on=str(dates.today()))
    assert (page.path, page.all(".notice.ok")) == (LIST, ["Saved: 1,200 × Tea."])
    assert rows(page)[0][7] == "Due today"
    changed = trader.open(f"{LIST}/{number}/edit").all(".changes li")
    assert changed[0].startswith(f"Edited {TODAY} ")
    assert changed[0].endswith(f"by trader: Amount 5 → 1,200, Expected date none → {TODAY}")


@pytest.mark.parametrize("headers", [None, HTMX])
def test_of_two_edits_the_second_sees_what_the_first_has_changed(trader, delivery, headers):
    number = delivery("Tea", 5)
    first, second = (trader.open(f"{LIST}/{number}/edit") for _ in range(2))
    trader.submit(first, amount="6", office="main")
    page = trader.submit(second, amount="7", office="main", headers=headers)
    message = "Somebody else has changed this delivery meanwhile. Check and save again."
    assert (page.status, page.errors) == (409, [message])
    now = "It is now: Amount 6. Saving replaces it with the values below."
    assert page.all(".notice.warn") == [now]
    assert page.headers["HX-Trigger"] == "deliveries-changed"
    assert trader.submit(page, ".form", office="main").status == 200
    assert items(trader.open(LIST)) == ["Tea"]
    assert trader.open(f"{LIST}/{number}/edit").fields()["amount"] == "7"


def test_a_wrong_edit_is_refused_and_kept_as_typed(trader, delivery):
    number = delivery("Tea", 5)
    dialog = trader.open(f"{LIST}/{number}/edit")
    page = trader.submit(dialog, amount="0", unit_cost="cheap", office="main")
    errors = ["Amount must be at least 1", '"cheap" is not a price in pounds']
    assert (page.status, page.errors[:2]) == (422, errors)
    assert page.fields()["unit_cost"] == "cheap"


def test_cancelling_asks_keeps_who_when_and_why_and_is_undone_beside_its_message(trader, delivery):
    delivery("Tea", 5)
    dialog = trader.open(trader.open(trader.open(LIST).link("Tea")).link("Cancel this delivery"))
    assert dialog.all("footer .btn") == ["Keep it", "Cancel delivery"]
    for _ in range(2):
        page = trader.submit(dialog, cancel_reason="Out of stock")
        assert page.all(".notice.ok p") == ["Cancelled: 5 × Tea."]
    assert items(page) == []
    assert page.all("#statuses a") == ["Pending (0)", "Delivered (0)", "Cancelled (1)"]
    listed = trader.open(CANCELLED)
    assert rows(listed)[0][7:] == [f"{TODAY} by trader: Out of stock", "Schedule again"]
    assert trader.open(f"{CANCELLED}&q=tea").all("#statuses a")[2] == "Cancelled (1)"
    undone = trader.submit(page, ".notice form")
    assert undone.all(".notice.ok") == ["Scheduled again: 5 × Tea."]
    assert items(trader.open(LIST)) == ["Tea"]
    assert "Cancelled" not in trader.open(LIST).text


def test_a_cancelled_delivery_is_scheduled_again_from_its_row(trader, delivery):
    number = delivery("Tea", 5)
    trader.submit(trader.open(f"{LIST}/{number}/cancel"), cancel_reason="Too dear")
    dialog = trader.open(trader.open(CANCELLED).link("Schedule again: Tea"))
    reason = f"This delivery was cancelled on {TODAY} by trader: Too dear."
    assert dialog.all(".notice.warn") == [reason]
    page = trader.submit(dialog)
    assert page.all(".notice.ok") == ["Scheduled again: 5 × Tea."]
    refused = trader.submit(trader.open(f"{LIST}/{number}/deliver"))
    assert refused.all(".notice.ok p") == ["5 × Tea added: 5 in stock."]


@pytest.mark.parametrize("page", ["edit", "cancel", "deliver"])
def test_what_was_cancelled_meanwhile_says_so_and_reloads_the_list(trader, delivery, page):
    number = delivery("Tea", 5)
    opened = trader.open(f"{LIST}/{number}/{page}")
    trader.submit(trader.open(f"{LIST}/{number}/cancel"))
    refused = trader.submit(opened, office="main", headers=HTMX)
    assert refused.status == 409
    assert refused.errors[0].startswith(f"This delivery was cancelled on {TODAY} by trader. ")
    assert refused.all("footer .btn") == ["Close"]
    assert refused.headers["HX-Trigger"] == "deliveries-changed"
    assert trader.open(f"{LIST}/{number}/{page}").all("footer .btn") == ["Close"]


def test_the_list_is_sorted_by_the_days_of_the_orders_on_request(trader, delivery):
    today = dates.today()
    delivery("Tea", ordered_on=today - timedelta(days=3), expected_on=today + timedelta(days=9))
    delivery("Mug", ordered_on=today, expected_on=today + timedelta(days=3))
    page = trader.open(LIST)
    assert (items(page), page.all("[aria-sort]")) == (["Mug", "Tea"], ["Due"])
    page = trader.open(page.link("Ordered"))
    assert (items(page), page.all("[aria-sort=descending]")) == (["Mug", "Tea"], ["Ordered"])
    page = trader.open(page.link("Ordered"))
    assert (items(page), page.all("[aria-sort=ascending]")) == (["Tea", "Mug"], ["Ordered"])
    assert page.link("Delivered (0)") == f"{LIST}?status=delivered"
