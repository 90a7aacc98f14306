"""The statements of the dashboard, and what it shows when some of them fail."""

import pytest

from app import dates
from app.divisions import Division
from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry
from tests import factories
from tests.factories import GPM, MAIN

pytestmark = pytest.mark.differs_by_engine

FAILED = ["Failed to load dashboard. Try again in a moment."]
NOON = dates.noon_in_london(dates.today())


def past(count, division=Division.GFM):
    lines = [PastEntry(NOON, HistoryEvent.DELIVERY, f"Mug {n}", 1) for n in range(count)]
    factories.add_history(*lines, division=division)


def test_the_stock_appears_when_the_history_cannot_be_read(in_app, gfm, break_table):
    in_app(factories.item, "Mug", 5)
    break_table("ledger_entry")
    break_table("ledger_summary")
    page = gfm.open("/dashboard")
    assert (page.status, page.alerts) == (200, FAILED)
    assert page.all("a.tile")[0] == "Main 1 item · 5 units £12.50 value"
    assert page.all("a.tile")[-1] == "History –"
    assert page.all(".empty") == ["No recent activity."]
    again = gfm.open("/dashboard", headers={"If-None-Match": '"another"'})
    for incomplete in (page, again):
        assert "ETag" not in incomplete.headers
        assert incomplete.headers["Cache-Control"] == "no-store"


def test_recent_activity_appears_when_the_history_cannot_be_counted(in_app, gfm, break_table):
    in_app(past, 3)
    break_table("ledger_summary")
    page = gfm.open("/dashboard")
    assert (page.status, page.alerts) == (200, FAILED)
    assert page.all("a.tile")[-1] == "History –"
    assert len(page.all("table.log tbody tr")) == 3


def test_the_history_appears_when_the_stock_cannot_be_counted(in_app, gfm, break_table):
    in_app(past, 3)
    break_table("stock_site", "units")
    page = gfm.open("/dashboard")
    assert (page.status, page.alerts) == (200, FAILED)
    assert page.all("a.tile") == [
        "Main –",
        "Guildford –",
        "Northern –",
        "Deliveries 0 pending",
        "History 3 entries",
    ]
    assert len(page.all("table.log tbody tr")) == 3


def test_the_rest_appears_when_deliveries_cannot_be_read(in_app, gpm, break_table):
    in_app(factories.item, "Mop", 7, store=GPM)
    break_table("day_count")
    page = gpm.open("/dashboard")
    assert (page.status, page.alerts) == (200, FAILED)
    assert page.all("a.tile")[0] == "Inventory 1 item · 7 units £17.50 value"
    assert len(page.all("table.log tbody tr")) == 1


def status(person, tag):
    return person.client.get("/dashboard", headers={"If-None-Match": tag}).status_code


def test_an_unchanged_dashboard_is_a_304_until_an_amount_changes(in_app, gfm):
    item = in_app(factories.item, "Mug", 5)
    tag = gfm.open("/dashboard").headers["ETag"]
    assert status(gfm, tag) == 304
    in_app(factories.move, item, -1)
    assert status(gfm, tag) == 200


def test_another_pending_delivery_changes_the_etag(gpm, order):
    tag = gpm.open("/dashboard").headers["ETag"]
    assert status(gpm, tag) == 304
    order(dates.today())
    assert status(gpm, tag) == 200


@pytest.mark.parametrize(("division", "limit"), [("gfm", 10), ("gpm", 11)])
def test_ten_times_the_data_takes_no_more_statements(app, request, statements, division, limit):
    person, store = request.getfixturevalue(division), GPM if division == "gpm" else MAIN
    with app.app_context():
        factories.items([(f"Mug {n}", 5) for n in range(5)], store=store)
        past(30, store.division)
    few = statements(lambda: person.open("/dashboard"))
    with app.app_context():
        factories.items([(f"Mug {n}", 6) for n in range(50)], store=store)
        past(300, store.division)
    assert statements(lambda: person.open("/dashboard")) == few
    assert few <= limit


def test_an_unchanged_dashboard_only_reads_versions(in_app, gfm, statements):
    in_app(past, 30)
    tag = gfm.open("/dashboard").headers["ETag"]
    assert statements(lambda: status(gfm, tag)) == 4
