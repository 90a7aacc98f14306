"""The stock list and its dialogs, as a person without scripts sees them."""

from datetime import timedelta

import pytest

from app import dates
from app.db import transaction
from app.stock.services import items as services
from tests.factories import GUILDFORD, MAIN


def test_the_list_shows_items_by_name_with_amount_category_and_price(keeper, stock):
    stock("Zebra", 1234567, category="Animal", unit_price=123450)
    stock("apple <b>", 0, unit_price=0, unit="kg")
    page = keeper.open("/inventory/main")
    assert page.all("thead th") == ["Item", "Amount", "Category", "Unit Price", "Actions"]
    assert page.rows() == [
        ["apple <b>", "0 kg", "", "£0.00"],
        ["Zebra", "1,234,567", "Animal", "£1,234.50"],
    ]
    assert page.all("#total") == ["2 items"]
    assert page.title == "Main stock · Quartermaster"


def test_an_empty_site_has_a_message_and_a_next_step(keeper):
    page = keeper.open("/inventory/northern")
    assert "No items in this inventory." in page.all(".empty p")
    assert page.all(".empty a") == ["Add the first one", "Bring a list"]


@pytest.mark.parametrize("path", ["/inventory", "/inventory/nowhere", "/inventory/MAIN"])
def test_no_site_and_an_unknown_one_lead_to_main(keeper, path):
    page = keeper.open(path)
    assert page.path == "/inventory/main"
    assert page.all(".tabs a") == ["Main", "Guildford", "Northern"]
    assert page.all(".tabs [aria-current]") == ["Main"]


def test_each_site_has_stock_of_its_own(keeper, stock):
    stock("Here", 1)
    stock("There", 2, store=GUILDFORD)
    assert keeper.open("/inventory/guildford").rows() == [["There", "2", "", "£2.50"]]


@pytest.mark.differs_by_engine
def test_search_and_category_work_over_all_items_and_reset_leads_back(keeper, stock, stocks):
    stocks([(f"Item {n:03d}", 1) for n in range(150)], category="Box")
    stock("Item 149 heart", 1, category="Heart")
    page = keeper.open("/inventory/main?q=149")
    assert [row[0] for row in page.rows()] == ["Item 149", "Item 149 heart"]
    page = keeper.open("/inventory/main?q=149&category=Heart")
    assert [row[0] for row in page.rows()] == ["Item 149 heart"]
    assert page.all("#in-category option") == ["All Categories", "Box", "Heart"]
    assert page.all("#in-category [selected]") == ["Heart"]
    assert page.link("Reset") == "/inventory/main"
    for search in ("zzz", "z+" * 1000):
        page = keeper.open(f"/inventory/main?q={search}")
        assert page.all(".empty p") == ["No items match at Main."]


def test_a_search_without_matches_leads_to_those_of_the_other_sites(keeper, stock):
    stock("Rope", 2, store=GUILDFORD)
    page = keeper.open("/inventory/main?q=rope")
    assert page.all(".empty p") == ["No items match at Main.", "1 at Guildford"]
    assert keeper.open(page.link("1 at Guildford")).rows()[0][0] == "Rope"
    stock("Rope ladder", 1, store=GUILDFORD)
    assert keeper.open("/inventory/main?q=rope").all(".empty a")[0] == "2 at Guildford"


def test_the_lists_that_withdraw_and_deliver_open_the_form_of_a_row(keeper, stock):
    stock("Rope", 2)
    for mode, title in (("dec", "Withdraw"), ("inc", "Deliver")):
        page = keeper.open(f"/inventory/main?mode={mode}")
        assert page.all("h1") == [title]
        assert page.all("a.primary") == []
        assert page.link("Rope").endswith(f"/action?mode={mode}")
        assert page.html.select_one("#filters [name=mode]")["value"] == mode
    assert keeper.open("/inventory/main?mode=other").all("h1") == ["Inventory"]


def test_more_leads_on_100_rows_at_a_time(keeper, stocks):
    stocks([(f"Item {n:03d}", 1) for n in range(150)])
    first = keeper.open("/inventory/main")
    assert len(first.rows()) == 100
    second = keeper.open(first.link("More"))
    assert [row[0] for row in second.rows()] == [f"Item {n:03d}" for n in range(100, 150)]
    assert second.link("From the start") == "/inventory/main"
    more = keeper.fragment(first.link("More"), "more")
    assert len(more.rows()) == 50
    assert more.html.title is None


def test_htmx_gets_the_list_alone(keeper, stock):
    stock("Red heart", 3)
    fragment = keeper.fragment("/inventory/main?q=heart", "list")
    assert fragment.rows() == [["Red heart", "3", "", "£2.50"]]
    assert fragment.html.title is None
    assert {"HX-Request", "Cookie"} <= {v.strip() for v in fragment.headers["Vary"].split(",")}


def open_action(person, item, mode="dec"):
    return person.open(f"/inventory/main/items/{item}/action?mode={mode}")


def test_plus_presets_a_delivery_and_minus_a_withdrawal(keeper, stock):
    item = stock("Red heart", 3)
    page = keeper.open("/inventory/main")
    assert keeper.open(page.link("Deliver Red heart")).fields()["action"] == "delivery"
    dialog = keeper.open(page.link("Withdraw Red heart"))
    today = dates.today().isoformat()
    fields = dialog.fields()
    assert (fields["action"], fields["quantity"], fields["date"]) == ("withdrawal", "1", today)
    assert dialog.all("legend + .seg label") == ["Delivery", "Withdrawal", "Transfer"]
    assert f"/items/{item}/action" in dialog.path


def test_pages_that_withdraw_say_where_no_connection_prevents_it(keeper, stock):
    item = stock("Red heart", 3)
    for path in ("/inventory/main", f"/inventory/main/items/{item}", "/dashboard"):
        dialog = keeper.open(path).html.select_one("dialog")
        assert dialog["data-dec"] == "No connection. Nothing was withdrawn."


def test_a_withdrawal_without_scripts_leads_back_to_the_list_as_it_was(keeper, stock):
    stock("Red heart", 10)
    back = "http://localhost/inventory/main?q=heart"
    dialog = keeper.open(
        keeper.open("/inventory/main?q=heart").link("Withdraw Red heart"), headers={"Referer": back}
    )
    page = keeper.submit(dialog, quantity="3", team="Kitchen")
    assert page.path == "/inventory/main?q=heart"
    assert page.all(".notice.ok p") == ["Red heart: withdrew 3, 7 left."]
    assert page.rows() == [["Red heart", "7", "", "£2.50"]]


def test_a_delivery_adds_to_the_stock(keeper, stock):
    page = keeper.submit(open_action(keeper, stock(amount=10, unit="kg"), "inc"), team="Shop")
    assert page.all(".notice.ok p") == ["Red heart: delivered 1, 11 kg now."]


def test_htmx_gets_the_changed_row_and_a_message_and_closes_the_dialog(keeper, stock):
    item = stock("Red heart", 10)
    headers = {"HX-Request": "true", "HX-Target": "dialog"}
    reply = keeper.submit(open_action(keeper, item), quantity="3", team="Kitchen", headers=headers)
    assert reply.status == 200
    row = reply.html.find(id=f"i{item}")
    assert row["data-hx-swap-oob"] == "true"
    assert row.find(class_="amount").string == "7"
    assert reply.all("[data-hx-swap-oob='innerHTML:#live'] p") == ["Red heart: withdrew 3, 7 left."]
    assert reply.html.select_one("form:not([action$=undo])") is None


REFUSED_ACTIONS = [
    ({"quantity": "11"}, 409, 'Not enough stock: "Red heart" has 10'),
    ({"quantity": "0"}, 422, "Quantity must be at least 1"),
    ({"quantity": ""}, 422, "Quantity must be at least 1"),
    ({"quantity": "9" * 15}, 422, "Quantity must be at most 999,999,999"),
    ({"team": "  "}, 422, "Team is required"),
    ({"team": "x" * 101}, 422, "Team must be at most 100 characters"),
    ({"date": ""}, 422, "Please pick a date."),
    ({"date": "yesterday"}, 422, "Enter a date such as 9 December 2011."),
    ({"date": str(dates.today() + timedelta(days=1))}, 422, "Date can't be in the future."),
    ({"date": "1999-12-31"}, 422, "Date can't be before 1 Jan 2000."),
    ({"action": "gift"}, 422, "Not a valid choice."),
    ({"action": "transfer"}, 422, "Choose a destination site."),
    ({"action": "transfer", "destination": "main"}, 422, "Choose a destination site."),
    ({"key": ""}, 422, "This form is incomplete. Check it and send it again."),
]


def test_a_refused_action_shows_the_form_as_typed_with_the_reason(keeper, stock, amount):
    dialog = open_action(keeper, stock("Red heart", 10))
    for typed, status, message in REFUSED_ACTIONS:
        page = keeper.submit(dialog, **({"team": "Kitchen", "quantity": "2"} | typed))
        assert page.status == status, typed
        assert message in page.errors, typed
        assert page.title.startswith("Error: "), typed
        for name in typed.keys() & {"quantity", "team", "date"}:
            field = page.html.select_one(f"[name={name}]")
            assert field["value"] == typed[name], typed
            assert field["aria-invalid"] == "true", typed
            assert f"{name}-error" in field["aria-describedby"], typed
        assert amount("Red heart") == 10, typed


def test_an_item_that_vanished_meanwhile_is_an_error_and_stays_away(app, keeper, stock):
    item = stock("Red heart", 10)
    dialog = open_action(keeper, item)
    with app.app_context(), transaction():
        services.remove_item(MAIN, item, based_on=10, by=1)
    page = keeper.submit(dialog, team="Kitchen")
    assert page.status == 404
    assert page.alerts == ["This item is no longer in stock. Load the list again."]
    assert keeper.open("/inventory/main").rows() == []


def test_a_page_beyond_the_end_leads_to_the_beginning(keeper, stock):
    stock("Red heart", 1)
    assert keeper.open("/inventory/main?q=red&after=zzz").path == "/inventory/main?q=red"
