"""Transfers: both sites change, or neither does."""

import pytest
from sqlalchemy import text

from app.db import db
from app.stock.queries import history
from tests.factories import GPM, GUILDFORD, MAIN

pytestmark = pytest.mark.differs_by_engine

FAULTS = {
    "sqlite": (
        "CREATE TRIGGER fault BEFORE INSERT ON ledger_entry WHEN NEW.site_id = 2 "
        "BEGIN SELECT RAISE(ABORT, 'the disk has a fault'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the disk has a fault'; END $$",
        "CREATE TRIGGER fault BEFORE INSERT ON ledger_entry FOR EACH ROW "
        "WHEN (NEW.site_id = 2) EXECUTE FUNCTION fault()",
    ),
}


@pytest.fixture
def fault_at_guildford(app):
    with app.app_context(), db.engine.begin() as connection:
        for statement in FAULTS[db.engine.dialect.name]:
            connection.execute(text(statement))


def transfer(keeper, item, **typed):
    page = keeper.open(f"/inventory/main/items/{item}/action")
    sent = {"action": "transfer", "destination": "guildford", "quantity": "3"} | typed
    return keeper.submit(page, **sent)


def test_a_transfer_without_a_team_is_seen_on_both_sites_and_in_history(app, keeper, stock, amount):
    item = stock("Red heart", 10, category="Heart")
    page = transfer(keeper, item, team="")
    assert page.all(".notice.ok p") == ["Red heart: transferred 3 to Guildford, 7 left."]
    assert keeper.open("/inventory/main").rows() == [["Red heart", "7", "Heart", "£2.50"]]
    assert keeper.open("/inventory/guildford").rows() == [["Red heart", "3", "Heart", "£2.50"]]
    text = keeper.open("/history").text
    assert "Transfer to Guildford" in text
    assert "Transfer from Main" in text


@pytest.mark.usefixtures("fault_at_guildford")
def test_a_failure_at_the_destination_changes_neither_site_and_loads_the_list_again(
    in_app, keeper, stock, amount
):
    page = transfer(keeper, stock("Red heart", 10), headers={"HX-Request": "true"})
    assert (page.status, page.headers["HX-Trigger"]) == (409, "stock-changed")
    assert "Transfer failed on destination site" in page.errors
    assert amount("Red heart") == 10
    assert keeper.open("/inventory/guildford").rows() == []
    rows = in_app(history.newest_rows, MAIN.division, 10)
    assert len(rows) == 1


def test_a_transfer_that_exceeds_the_destinations_limit_is_refused(keeper, stock, amount):
    item = stock("Red heart", 10)
    stock("Red heart", 999_999_998, store=GUILDFORD)
    page = transfer(keeper, item)
    assert page.errors[0].startswith('Transfer failed on destination site: "Red heart" would have')
    assert (amount("Red heart"), amount("Red heart", GUILDFORD)) == (10, 999_999_998)


def test_gpm_offers_no_transfer_and_no_tabs(trader, stock):
    item = stock("Tin", 5, store=GPM)
    page = trader.open("/gpm/inventory")
    assert page.path == "/gpm/inventory/main"
    assert page.html.select(".tabs") == []
    assert page.link("Schedule a delivery of Tin") == "/gpm/deliveries/new?item=Tin"
    dialog = trader.open(page.link("Withdraw Tin"))
    assert dialog.all("legend + .seg label") == ["Delivery", "Withdrawal"]
    refused = trader.post(
        f"/gpm/inventory/main/items/{item}/action",
        dialog.fields() | {"action": "transfer", "destination": "guildford"},
    )
    assert refused.status == 422
    assert trader.open("/gpm/inventory/guildford").path == "/gpm/inventory/main"
    assert trader.open("/inventory/main").status == 403
