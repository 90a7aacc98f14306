"""The page of an item, as a person without scripts sees it."""

from datetime import timedelta

import pytest

from app import dates
from app.db import transaction
from app.stock.services import items
from tests import factories
from tests.factories import GPM, GUILDFORD, MAIN


@pytest.fixture
def heart(stock):
    return stock("Red heart", 10, category="Heart")


def page_of(item, site="main"):
    return f"/inventory/{site}/items/{item}"


def move(item, change, days_ago=0):
    factories.move(item, change, on=dates.today() - timedelta(days=days_ago))


def test_an_items_name_opens_its_page_from_the_list_and_the_history(keeper, heart):
    for listed in ("/inventory/main?q=red", "/history?q=red"):
        link = keeper.open(listed).link("Red heart")
        assert link == page_of(heart)
        page = keeper.open(link, headers={"Referer": f"http://localhost{listed}"})
        assert page.link("Back") == listed
    assert keeper.open(page_of(heart)).link("Back") == "/inventory/main"


@pytest.mark.differs_by_engine
def test_the_page_shows_the_amount_here_and_elsewhere_and_the_latest_movements(app, keeper, heart):
    with app.app_context():
        factories.item("RED HEART", 4, store=GUILDFORD)
        move(heart, 5, days_ago=3)
        move(heart, -2, days_ago=1)
        move(heart, -1, days_ago=2)
    page = keeper.open(page_of(heart))
    assert page.all("h1, .figure") == ["Red heart", "12"]
    assert page.all(".places-list li") == ["Guildford 4 Move here"]
    assert page.all(".item-facts dd")[-3:] == ["Heart", "£2.50", "£30.00"]
    rows = [row.select("td, th") for row in page.html.select("#rows tr")]
    amounts = [tuple(cells[n].get_text() for n in (2, 3)) for cells in rows]
    assert amounts == [("+10", "12"), ("−2", "2"), ("−1", "4"), ("+5", "5")]


def test_what_the_page_offers_leads_back_to_it(keeper, heart):
    page = keeper.open(page_of(heart))
    for name, action in (
        ("Withdraw", "withdrawal"),
        ("Deliver", "delivery"),
        ("Transfer", "transfer"),
    ):
        dialog = keeper.open(page.link(name), headers={"Referer": f"http://localhost{page.path}"})
        assert dialog.fields()["action"] == action
        assert dialog.link("Cancel") == page.path
    done = keeper.submit(dialog, quantity="3", destination="northern")
    assert done.path == page.path
    assert done.all(".notice.ok p") == ["Red heart: transferred 3 to Northern, 7 left."]
    assert done.all(".figure") == ["7"]
    headers = {"Referer": f"http://localhost{page.path}"}
    assert keeper.open(page.link("All movements"), headers=headers).link("Back") == page.path
    undone = keeper.submit(done, "#rows tr:first-child form", headers=headers)
    assert undone.path == page.path
    assert undone.all(".figure") == ["10"]


def test_an_item_is_moved_here_from_another_site(in_app, keeper, heart):
    in_app(factories.item, "Red heart", 4, store=GUILDFORD)
    page = keeper.open(page_of(heart))
    dialog = keeper.open(page.link("Move here from Guildford"))
    assert dialog.fields()["destination"] == "main"
    keeper.submit(dialog, quantity="4")
    assert keeper.open(page_of(heart)).all(".figure, .places-list b") == ["14", "0"]


def test_htmx_gets_what_changes_with_the_stock_and_a_message_that_reloads_it(keeper, heart):
    referer = {"Referer": f"http://localhost{page_of(heart)}"}
    headers = {"HX-Request": "true", "HX-Target": "dialog", **referer}
    dialog = keeper.open(keeper.open(page_of(heart)).link("Withdraw"), headers=referer)
    reply = keeper.submit(dialog, quantity="3", team="Shop", headers=headers)
    assert reply.headers["HX-Trigger"] == "stock-changed"
    assert reply.html.select("tr") == []
    fragment = keeper.fragment(page_of(heart), "item")
    assert fragment.all(".figure") == ["7"]
    assert fragment.html.title is None


def test_the_picture_has_an_axis_of_amounts_and_one_of_days(in_app, keeper, heart):
    in_app(move, heart, 15, days_ago=20)
    page = keeper.open(page_of(heart))
    assert page.all(".pic .y") == ["0", "10", "20", "30"]
    labels = page.all(".pic > text:not(.y)")
    assert labels[0] == dates.short_day(dates.today() - timedelta(days=89))
    assert labels[-1] == "Today"
    picture = page.html.select_one(".pic[role=img]")
    assert picture["aria-label"].endswith(": 0 at the start, lowest 0, highest 25, 25 now.")
    assert page.all(".legend li") == ["Delivery"]


def test_an_item_that_was_removed_keeps_its_page_without_what_needs_stock(app, keeper, heart):
    with app.app_context(), transaction():
        items.remove_item(MAIN, heart, based_on=10, by=1)
    page = keeper.open(page_of(heart))
    assert page.all(".head .badge") == ["No longer in stock"]
    assert keeper.fragment(page_of(heart), "item").all("#item-more *") == []
    assert page.all(".go, #item-menu, .places-list .btn") == []
    assert keeper.open(page.link("All movements")).link("Back") == "/history"


def test_an_unchanged_item_is_not_sent_again(keeper, heart):
    for path in (page_of(heart), f"{page_of(heart)}/history"):
        tag = keeper.open(path).headers["ETag"]
        assert keeper.open(path, headers={"If-None-Match": tag}).status == 304
        keeper.submit(keeper.open(f"{page_of(heart)}/action"), team="Shop")
        keeper.open("/dashboard")
        assert keeper.open(path, headers={"If-None-Match": tag}).status == 200


def test_an_item_belongs_to_its_site_and_division(keeper, heart):
    for end in ("", "/history"):
        for path in (page_of(heart, "guildford"), page_of(999), page_of(heart, "mars")):
            assert keeper.open(path + end).status == 404
        assert keeper.open(f"/gpm{page_of(heart)}{end}").status == 403


def test_a_page_of_gpm_orders_instead_of_transferring(trader, stock):
    page = trader.open(f"/gpm{page_of(stock('Tea', 5, store=GPM))}")
    assert page.all(".go a") == ["Withdraw", "New Delivery"]
    assert trader.open(page.link("New Delivery")).fields()["item"] == "Tea"


def test_the_page_costs_the_same_however_long_the_history_is(
    app, in_app, keeper, heart, statements
):
    def count():
        keeper.open("/dashboard")
        return statements(lambda: keeper.open(page_of(heart)))

    in_app(move, heart, 1)
    before = count()
    with app.app_context():
        for n in range(30):
            move(heart, 1, days_ago=n)
    assert count() == before
    assert len(keeper.open(page_of(heart)).html.select("#rows tr")) == 10
