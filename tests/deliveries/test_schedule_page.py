"""The page that schedules a delivery."""

from datetime import timedelta

import pytest

from app import dates
from app.deliveries import queries
from app.divisions import Division
from tests import factories

NEW = "/gpm/deliveries/new"


def values(page):
    return {
        name: value
        for name, value in page.fields().items()
        if name not in ("csrf_token", "key", "back")
    }


@pytest.mark.differs_by_engine
def test_the_form_has_the_fields_and_defaults_of_an_order(in_app, trader):
    for name in ("Northern", "Glass & Co"):
        in_app(factories.supplier, name)
    page = trader.open(NEW)
    assert page.title == "Schedule Delivery · Quartermaster"
    assert page.all("h1") == ["Schedule Delivery"]
    assert page.all(".field label") == [
        *("Item*", "Amount*", "Unit cost (£)", "Supplier", "Office/Site"),
        *("Ordered by", "Ordered date", "Expected date"),
    ]
    defaults = {"amount": "1", "unit_cost": "0.00", "ordered_on": str(dates.today())}
    empty = ("item", "supplier", "office", "ordered_by", "expected_on")
    assert values(page) == dict.fromkeys(empty, "") | defaults
    assert page.all("#office option") == ["Main"]
    offered = [option["value"] for option in page.html.select("#supplier-offers option")]
    assert offered == ["Glass & Co", "Northern"]
    badge = page.html.select_one("[data-badge]")
    assert (badge["data-ready"], badge["data-missing"]) == ("Ready", "Enter item and amount")
    assert page.all("main .btn") == ["Cancel", "Schedule", "Save and add a line"]
    assert page.html.select("button[disabled]") == []


def test_an_order_is_scheduled_and_listed(trader):
    typed = {
        "item": " Red  heart ",
        "amount": "1,200",
        "unit_cost": "£2.5",
        "supplier": "Anyone",
        "office": "main",
        "ordered_by": "Ann",
        "ordered_on": "2026-01-15",
        "expected_on": "2026-01-20",
    }
    page = trader.submit(trader.open(NEW), **typed)
    assert page.path == "/gpm/deliveries"
    assert page.all(".notice.ok") == ["Scheduled: 1,200 × Red heart."]
    cells = page.all("#rows tr th, #rows tr td")
    assert cells[:6] == ["Red heart", "1,200", "£2.50", "Anyone", "Main", "Ann"]
    assert cells[6] == "15 Jan 2026 O-0001"
    assert cells[7].endswith(" days late")


def test_the_address_can_fill_in_the_item(trader, stock):
    stock("Tea & co 100% +", 79, unit_price=210)
    plus = trader.open("/gpm/inventory/main").link("Schedule a delivery of Tea & co 100% +")
    page = trader.open(plus, headers={"Referer": "http://localhost/gpm/inventory/main?q=tea"})
    assert values(page)["item"] == "Tea & co 100% +"
    assert page.all("#in-stock p") == ["In stock: 79 at £2.10"]
    assert page.link("Cancel") == "/gpm/inventory/main?q=tea"
    assert trader.open(NEW).link("Cancel") == "/gpm/deliveries"


def test_the_last_order_of_an_item_is_proposed(in_app, trader, delivery):
    delivery("Tea", unit_cost=310, supplier="Leaf & Co", ordered_on=dates.today())
    delivery("Tea", unit_cost=250, supplier="Leaf Ltd", ordered_on=dates.today())
    in_app(factories.cancelled, "Tea", unit_cost=1, supplier="Nobody")
    page = trader.open(f"{NEW}?item=tea")
    assert values(page).items() >= {"supplier": "Leaf Ltd", "unit_cost": "2.50"}.items()
    today = dates.format_day(dates.today())
    last = trader.fragment(f"{NEW}/items?item=TEA", "in-stock").html.select_one("[data-last-order]")
    assert " ".join(last.text.split()) == f"Last ordered {today} from Leaf Ltd at £2.50"
    terms = [last[f"data-{name}"] for name in ("supplier", "unit_cost", "office")]
    assert terms == ["Leaf Ltd", "2.50", "main"]
    assert values(trader.open(f"{NEW}?item=Mug"))["supplier"] == ""


def test_typing_an_item_offers_matching_items(in_app, trader, stock):
    stock("Green tea", 1079, unit_price=210)
    in_app(factories.items, [(f"Tea {n:02d}", n) for n in range(30)], store=factories.GPM)
    in_app(factories.items, [("Tea of GFM", 1)])
    matching = trader.fragment(f"{NEW}/items?item=TEA+green", "in-stock")
    assert [o["value"] for o in matching.html.select("option")] == ["Green tea"]
    # The item may be one of the offers, so nothing is said about stock yet.
    assert matching.all("p") == []
    unknown = trader.fragment(f"{NEW}/items?item=Ladder", "in-stock")
    assert unknown.all("p") == ["Not in stock yet: it will be added when delivered."]
    exact = trader.fragment(f"{NEW}/items?item=green++TEA", "in-stock")
    assert exact.all("p") == ["In stock: 1,079 at £2.10"]
    many = trader.fragment(f"{NEW}/items?item=tea", "in-stock")
    assert len(many.html.select("option")) == 20
    assert "Tea of GFM" not in str(many.html)
    nothing = trader.fragment(f"{NEW}/items?item=+", "in-stock")
    assert (nothing.html.select("option"), nothing.all("p")) == ([], [])
    assert "in-stock" in trader.open(NEW).html.select_one("#item")["data-hx-target"]


def ahead(days):
    return str(dates.today() + timedelta(days=days))


INVALID_ORDERS = [
    ({"item": " "}, "Enter item and amount"),
    ({"amount": ""}, "Enter item and amount"),
    ({"amount": "0"}, "Amount must be at least 1"),
    ({"amount": "1,000,000,000"}, "Amount must be at most 999,999,999"),
    ({"item": "x" * 201}, "Item must be at most 200 characters"),
    ({"unit_cost": "-1"}, "Unit cost must be 0 or more"),
    ({"supplier": "x" * 101}, "Supplier must be at most 100 characters"),
    ({"ordered_by": "x" * 101}, "Ordered by must be at most 100 characters"),
    ({"office": "guildford"}, "Choose an office from the list."),
    ({"ordered_on": ""}, "Please pick a date."),
    (
        {"ordered_on": "2026-01-15", "expected_on": "2026-01-14"},
        "Expected date can't be before the ordered date.",
    ),
    ({"ordered_on": "1999-12-31"}, "Date can't be before 1 Jan 2000."),
]


def test_an_invalid_order_is_refused_and_kept_as_typed(trader):
    for typed, message in INVALID_ORDERS:
        order = {"item": "Tea", "amount": "4", "supplier": "Anyone", "office": "main"} | typed
        page = trader.submit(trader.open(NEW), **order)
        assert (page.status, page.errors) == (422, [message, message]), typed
        assert page.title.startswith("Error: "), typed
        fields = {name: value for name, value in values(page).items() if name != "office"}
        assert fields.items() >= {n: v for n, v in order.items() if n != "office"}.items(), typed
        assert trader.open("/gpm/deliveries").all("#rows tr") == [], typed


def test_an_order_may_be_placed_up_to_366_days_ahead(trader):
    page = trader.submit(trader.open(NEW), item="Tea", office="main", ordered_on=ahead(367))
    last = dates.format_day(dates.today() + timedelta(days=366))
    assert page.errors[0] == f"Date can't be after {last}."
    assert trader.submit(page, office="main", ordered_on=ahead(366)).status == 200


def test_its_inputs_carry_the_limits_that_the_server_has(trader):
    page = trader.open(NEW)
    amount, ordered = (page.html.select_one(f"#{name}") for name in ("amount", "ordered_on"))
    assert (amount["data-min"], amount["data-low"]) == ("1", "Amount must be at least 1")
    assert amount["data-high"] == "Amount must be at most 999,999,999"
    last = dates.today() + timedelta(days=366)
    assert (ordered["min"], ordered["max"]) == ("2000-01-01", last.isoformat())
    assert ordered["data-high"] == f"Date can't be after {dates.format_day(last)}."


def test_a_half_typed_item_is_no_order_until_it_is_confirmed(app, trader, stock):
    stock("LED bulb 9 W B22", 4)
    stock("Mug", 1)
    page = trader.submit(trader.open(NEW), item="LED", amount="3", ordered_by="Ann", office="main")
    new = 'New item "LED"'
    assert (page.status, page.errors) == (422, [])
    assert page.title == "Schedule Delivery · Quartermaster"
    assert page.question == [f"{new}? Or", "LED bulb 9 W B22", new]
    assert page.html.select_one("[data-badge]")["data-ready"] == ""
    (focused,) = page.html.select("[autofocus]")
    assert (focused["name"], focused["value"]) == ("item", "LED bulb 9 W B22")
    assert values(page).items() >= {"item": "LED", "amount": "3", "ordered_by": "Ann"}.items()
    # Enter in a field presses the form's first button, which answers nothing.
    assert "name" not in page.form().select_one("button").attrs
    assert trader.open("/gpm/deliveries").all("#rows tr") == []
    sent = page.fields() | {"office": "main"}
    # The button comes after its field in the form.
    chosen = trader.post(NEW, sent | {"item": ["LED", focused["value"]]})
    assert chosen.all(".notice.ok") == ["Scheduled: 3 × LED bulb 9 W B22."]
    again = trader.submit(trader.open(NEW), item="LED", office="main")
    assert trader.submit(again, office="main", new="1").all(".notice.ok") == ["Scheduled: 1 × LED."]
    # It is on order now.
    assert trader.submit(trader.open(NEW), item="led", office="main").status == 200


def test_an_item_of_the_question_is_ordered_on_its_last_terms(app, trader, stock, delivery):
    stock("LED bulb 9 W B22", 4)
    delivery("LED bulb 9 W B22", supplier="Keystone", unit_cost=1790)
    page = trader.submit(trader.open(NEW), item="LED", office="main")
    taken = page.fields() | {"item": ["LED", "LED bulb 9 W B22"], "office": "main"}
    assert trader.post(NEW, taken).all(".notice.ok") == ["Scheduled: 1 × LED bulb 9 W B22."]
    with app.app_context():
        terms = queries.last_order(Division.GPM, "LED bulb 9 W B22")
    assert (terms.supplier, terms.unit_cost) == ("Keystone", 1790)
    page = trader.submit(
        trader.open(NEW), item="LED", office="main", unit_cost="3", supplier="Leaf"
    )
    sent = page.fields() | {"item": ["LED", "LED bulb 9 W B22"], "office": "main", "new": "Leaf"}
    trader.post(NEW, sent)
    with app.app_context():
        terms = queries.last_order(Division.GPM, "LED bulb 9 W B22")
    assert (terms.supplier, terms.unit_cost) == ("Leaf", 300)


def test_each_name_of_an_order_is_confirmed_by_itself(in_app, trader, stock):
    stock("LED bulb", 4)
    in_app(factories.supplier, "Leaf & Co")
    order = {"item": "LED", "supplier": "Leaf", "office": "main"}
    page = trader.submit(trader.open(NEW), **order)
    page = trader.submit(page, office="main", new="LED")
    assert page.question == ['New supplier "Leaf"? Or', "Leaf & Co", 'New supplier "Leaf"']
    # What is confirmed stays so while something else is wrong.
    wrong = trader.submit(page, office="main", supplier="Leaf & Co", amount="0")
    assert (wrong.question, wrong.errors[0]) == ([], "Amount must be at least 1")
    changed = trader.submit(wrong, office="main", amount="2", item="LE")
    assert changed.question[0] == 'New item "LE"? Or'
    done = trader.submit(wrong, office="main", amount="2")
    assert done.all(".notice.ok") == ["Scheduled: 2 × LED."]


def test_an_order_keeps_its_names_without_a_question(in_app, trader, stock, delivery):
    delivery_id = delivery("Mug", supplier="Leaf")
    stock("Mugs", 4)
    in_app(factories.supplier, "Leaf & Co")
    path = f"/gpm/deliveries/{delivery_id}/edit"
    kept = trader.submit(trader.open(path), office="main", amount="9")
    assert kept.all(".notice.ok") == ["Saved: 9 × Mug."]
    changed = trader.submit(trader.open(path), office="main", supplier="Leav")
    assert changed.question[1:-1] == ["Leaf"]
