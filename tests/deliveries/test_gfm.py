"""GFM's deliveries: three sites, orders of several lines, and the setting that begins them."""

from dataclasses import replace

import pytest
from flask import current_app
from sqlalchemy import func, text, update

from app.db import db, transaction
from app.deliveries import queries, services
from app.deliveries.models import Delivery
from app.divisions import Division, Site, Store
from app.errors import Conflict, Invalid, NotFound
from app.stock.models import LedgerEntry
from app.versions import versions_of
from tests import factories
from tests.migration_steps import fill_again
from tests.person import Caller, rows
from tests.test_day_counts import problems

pytestmark = pytest.mark.differs_by_engine

GFM = Division.GFM
NORTHERN = Store(GFM, Site.NORTHERN)
LIST, API = "/gfm/deliveries", "/api/gfm/deliveries"
LISTS = ("deliveries", "gfm-deliveries")


@pytest.fixture
def keeper(signed_in):
    return signed_in("keeper", GFM)


@pytest.fixture
def call(keeper):
    return Caller(keeper)


def lines(*names, office=Site.NORTHERN):
    return [factories.order(name, 5, office=office) for name in names]


def order(store, names, proposals=()):
    with transaction():
        ordered = lines(*names, office=store.site)
        return services.add_lines(store, ordered, proposals=proposals, by=None)[0].reference


def pending(division=GFM):
    db.session.rollback()
    return queries.late_deliveries(division, factories.dates.last_day(365), 50)


def test_the_lines_of_an_order_share_its_number(context):
    before = versions_of(LISTS)
    assert order(NORTHERN, ["Tea", "Cup"], [{"here": 2}, {"here": 3}]) == "O-0001"
    assert order(NORTHERN, ["Mug"]) == "O-0002"
    assert [(row.item, row.reference, row.proposal) for row in pending()] == [
        ("Tea", "O-0001", {"here": 2}),
        ("Cup", "O-0001", {"here": 3}),
        ("Mug", "O-0002", None),
    ]
    assert [a - b for a, b in zip(versions_of(LISTS), before, strict=True)] == [0, 2]
    assert (queries.outlook(GFM, factories.dates.today()).pending, problems()) == (3, [])
    assert pending(Division.GPM) == []


def test_the_dialog_of_a_delivery_says_why_it_was_proposed(keeper, in_app):
    in_app(order, NORTHERN, ["Tea", "Mug"], [{"here": 2, "onOrder": 1200}])
    proposed, other = (keeper.open(f"/gfm/deliveries/{number}/edit") for number in (1, 2))
    reasons = [[text for text in each.all("p") if "Proposed" in text] for each in (proposed, other)]
    assert reasons == [["Proposed when 2 were here and 1,200 on order."], []]


def test_an_order_of_many_lines_takes_few_statements(context, statements):
    few = statements(lambda: order(NORTHERN, ["Tea", "Cup"]))
    many = statements(lambda: order(NORTHERN, [f"Tea {number}" for number in range(100)]))
    assert many <= few <= 8


def test_a_received_one_is_in_the_stock_of_its_office_with_the_number_as_reason(call, keeper):
    body = {"item": "Tea", "amount": 5, "office": "northern"}
    number = call("POST", API, body).json["_id"]
    assert call("PUT", f"{API}/{number}", {"deliveredDate": "2026-01-20"}).status_code == 200
    reason = "Delivery O-0001 (2026-01-20)"
    assert [entry["event"] for entry in call("GET", "/api/gfm/history").json] == ["Delivery"]
    with keeper.client.application.app_context():
        assert db.session.scalars(db.select(LedgerEntry.reason)).all() == [reason]
    page = keeper.open(f"{LIST}?status=delivered")
    assert page.link("Tea").startswith("/inventory/northern/items/")
    assert keeper.submit(page, "#rows form").all(".notice.ok")
    assert keeper.open(LIST).all("#statuses a") == ["Pending (1)", "Delivered (0)"]


def test_a_further_line_is_ordered_with_the_terms_of_its_order(keeper):
    page = keeper.open(f"{LIST}/new")
    assert page.all("#office option") == ["Main", "Guildford", "Northern"]
    typed = {"item": "Tea", "supplier": "Leaf & Co", "ordered_by": "Ann"}
    page = keeper.submit(page, more="1", office="northern", **typed)
    assert (page.path, page.all("h1")) == (f"{LIST}/orders/O-0001/add", ["Add a line to O-0001"])
    assert {name: page.fields("main form")[name] for name in typed} == typed | {"item": ""}
    assert page.all("#office option[selected]") == ["Northern"]
    page = keeper.submit(page, item="Cup", office="northern")
    assert page.path == LIST
    assert [row[6].split()[-1] for row in rows(page)] == ["O-0001", "O-0001"]
    assert keeper.open(f"{LIST}?q=o-0001").all(".deliveries tbody th a") == ["Tea", "Cup"]
    assert keeper.open(f"{LIST}/orders/O-0009/add").status == 404


def test_calls_order_further_lines(call):
    first = call("POST", API, {"item": "Tea", "amount": 5}).json
    second = {"item": "Cup", "amount": 5, "orderNumber": first["orderNumber"]}
    assert call("POST", API, second).json["orderNumber"] == "O-0001"
    for number, status in (("O-0009", 404), ("R-0001", 422)):
        assert call("POST", API, second | {"orderNumber": number}).status_code == status
    assert [row["item"] for row in call("GET", API).json] == ["Tea", "Cup"]


def test_each_division_has_its_own_deliveries(context):
    ours, theirs = factories.delivery("Tea", 5, GFM), factories.delivery("Cup", 5)
    for run in (
        lambda: queries.delivery(GFM, theirs),
        lambda: services.cancel(Division.GPM, ours, cancel_reason="", by=None),
        lambda: services.schedule(GFM, factories.order(), number=2, by=None),
    ):
        with transaction(), pytest.raises(NotFound):
            run()
    with transaction(), pytest.raises(Invalid, match="Must be one of: main"):
        services.schedule(Division.GPM, *lines("Tea"), by=None)
    assert [row.item for row in pending(Division.GPM)] == ["Cup"]


def test_no_delivery_of_gfm_is_made_beside_an_earlier_release(context, monkeypatch):
    with transaction():
        db.session.execute(text("UPDATE stock_site SET takes_deliveries = false"))
    with transaction(), pytest.raises(Conflict, match="aren't switched on yet"):
        order_of = lines("Tea")
        services.add_lines(NORTHERN, order_of, by=None)
    assert pending() == []
    factories.delivery("Tea", 5)
    switched_on = replace(current_app.config["QUARTERMASTER"], gfm_deliveries=True)
    with monkeypatch.context() as patch:
        patch.setitem(current_app.config, "QUARTERMASTER", switched_on)
        assert order(NORTHERN, ["Tea"]) == "O-0002"


def test_a_search_counts_the_deliveries_of_its_division_alone(keeper, in_app):
    for division, number in ((GFM, 1), (Division.GPM, 3)):
        for _ in range(number):
            in_app(factories.delivery, "Tea", 5, division)
    page = keeper.open(f"{LIST}?q=tea")
    assert page.all("#statuses a") == ["Pending (1)", "Delivered (0)"]


@pytest.mark.writes_directly
def test_the_migration_numbers_what_is_there_and_waits_where_there_are_accounts(context):
    for _ in range(2):
        factories.delivery("Tea", 5)
    with transaction():
        db.session.execute(text("UPDATE delivery SET order_number = NULL"))
        db.session.execute(text("UPDATE number_counter SET last = 0 WHERE series = 'O'"))
    assert queries.takes_deliveries(NORTHERN)
    db.session.rollback()
    fill_again(db.engine, "e84b7cad1001")
    assert queries.takes_deliveries(NORTHERN)
    assert [row.reference for row in pending(Division.GPM)] == ["O-0001", "O-0002"]
    keys = [row.search_key for row in pending(Division.GPM)]
    with transaction():
        removed = func.replace(Delivery.search_key, keys[0].split("\n")[0] + "\n", "")
        db.session.execute(update(Delivery).values(search_key=removed))
    fill_again(db.engine, "f60b1d28c9e7")
    assert [row.search_key for row in pending(Division.GPM)] == keys
    db.session.rollback()
    factories.user()
    fill_again(db.engine, "e84b7cad1001")
    assert (queries.takes_deliveries(NORTHERN), queries.takes_deliveries(factories.GPM)) == (
        False,
        True,
    )
    db.session.rollback()
    factories.delivery("Cup", 5)
    assert pending(Division.GPM)[-1].reference == "O-0003"
