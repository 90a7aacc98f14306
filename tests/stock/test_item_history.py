"""An item's own history, as a person sees it."""

from datetime import UTC, date, datetime

import pytest

from app.db import db, transaction
from app.stock.models import LedgerEntry, StockOperation
from app.stock.rules.history import HistoryEvent
from app.stock.rules.items import EntryKind, ItemState
from app.stock.rules.operations import Add, Increase, Reverse
from app.stock.services import items as services
from app.stock.services.history import PastEntry
from tests import factories
from tests.factories import GPM, MAIN
from tests.person import rows


@pytest.fixture
def heart(app, keeper):
    """An item with a delivery, a withdrawal, a count and a line of old history."""
    with app.app_context():
        new = Add(ItemState(None, "Red heart", 10, unit_price=250))
        factories.record(MAIN, new, by=None, on=date(2026, 5, 1), reason="Test")
        item = factories.read_item(MAIN, "Red heart").id
        factories.move(item, 1234, team="Shop", on=date(2026, 6, 1))
        factories.move(item, -4, team="Polo M", on=date(2026, 7, 1))
        counted = Increase(item, 0, EntryKind.COUNT)
        on = date(2026, 7, 2)
        factories.record(MAIN, counted, by=1, on=on, team="Stock Check", reason="Stock Check")
        at = datetime(2011, 12, 9, 12, 50, tzinfo=UTC)
        factories.add_history(
            PastEntry(at, HistoryEvent.WITHDRAWAL, "Red heart", 5, "Bar", "Withdrawal to main")
        )
    return item


def path_of(item, site="main"):
    return f"/inventory/{site}/items/{item}/history"


def test_each_movement_shows_the_change_the_amount_left_and_its_user(keeper, heart):
    page = keeper.open(path_of(heart))
    assert page.all("h1") == ["Red heart"]
    assert "Main · 1,240 in stock · £2.50" in page.text
    columns = ["Date", "Event", "Change", "After", "Team", "Who", "Undo"]
    assert page.all("table:not(:has(#imported)) thead th") == columns
    counted, withdrawn, delivered, added = [row[:6] for row in rows(page)]
    assert counted == ["2 Jul 2026", "Stock check Other", "0", "1,240", "Stock Check", "keeper"]
    assert withdrawn == ["1 Jul 2026", "Withdrawal", "−4", "1,240", "Polo M", "keeper"]
    assert delivered == ["1 Jun 2026", "Delivery", "+1,234", "1,244", "Shop", "keeper"]
    assert added == ["1 May 2026", "Addition Other · Test", "+10", "10", "", "Terminal"]


def test_imported_history_is_set_apart_and_signed_too(keeper, heart):
    page = keeper.open(path_of(heart))
    assert page.all(".section h2") == ["Imported history"]
    assert page.all("#imported th, #imported td") == [
        *("9 Dec 2011", "Withdrawal to Main", "−5", "Bar")
    ]


def test_movements_and_the_chart_are_in_the_order_of_their_days(keeper, heart, move):
    move(heart, -8, on=date(2026, 5, 15))
    page = keeper.open(path_of(heart))
    assert [(row[0], row[2], row[3]) for row in rows(page)] == [
        ("2 Jul 2026", "0", "1,232"),
        ("1 Jul 2026", "−4", "1,232"),
        ("1 Jun 2026", "+1,234", "1,236"),
        ("15 May 2026", "−8", "2"),
        ("1 May 2026", "+10", "10"),
    ]
    assert page.all("figcaption") == ["Since 1 May 2026: lowest 2, highest 1,236, now 1,232"]


def test_the_chart_of_the_amount_has_a_description(keeper, heart):
    page = keeper.open(path_of(heart))
    picture = page.html.select_one("svg.chart[role=img]")
    assert picture["aria-label"].endswith("lowest 10, highest 1,244, now 1,240.")
    assert "lowest 10, highest 1,244, now 1,240" in page.all("figcaption")[0]
    assert all(path["d"].startswith("M0 ") for path in picture.select("path"))
    assert not page.html.select("[style]")


def test_an_items_history_leads_back_to_that_of_the_division_as_it_was(keeper, heart):
    listed = "/history?q=red&event=Delivery"
    link = path_of(heart)
    page = keeper.open(link, headers={"Referer": f"http://localhost{listed}"})
    assert page.link("Back") == listed
    for elsewhere in ("http://elsewhere/history", f"http://localhost{link}", ""):
        assert keeper.open(link, headers={"Referer": elsewhere}).link("Back") == "/history"


def test_a_removed_item_keeps_its_history(app, keeper, heart):
    with app.app_context(), transaction():
        services.remove_item(MAIN, heart, based_on=1240, by=1)
    page = keeper.open(path_of(heart))
    assert page.all(".head .badge") == ["No longer in stock"]
    assert rows(page)[0][1:4] == ["Removal Other", "−1,240", "0"]
    item_page = keeper.open(keeper.open("/history?event=Delivery").link("Red heart"))
    assert item_page.link("All movements") == path_of(heart)


def test_50_movements_are_on_a_page(in_app, keeper, stock):
    item = stock("Red heart", 0)
    for n in range(60):
        in_app(factories.record, MAIN, Increase(item, 1), by=None, team=f"Team {n}")
    first = keeper.open(path_of(item))
    assert len(rows(first)) == 50
    assert first.all(".pager p") == ["Page 1 / 2 · Showing 50 of 61"]
    assert rows(first)[0][2:5] == ["+1", "60", "Team 59"]
    second = keeper.open(first.link("Next"))
    assert rows(second)[-1][2:4] == ["0", "0"]
    assert len(rows(keeper.open(path_of(item) + "?page=99"))) == 11


def test_an_undone_operation_is_marked_as_undone(app, keeper, heart):
    with app.app_context():
        taken = (
            db.session.query(LedgerEntry.operation_id).filter_by(
                kind=EntryKind.WITHDRAWAL, delta=-4
            )
        ).scalar()
        undo = Reverse(heart, -4)
        factories.record(MAIN, undo, by=1, reason="Undo: Withdrawal", undoes=taken)
        assert db.session.query(StockOperation).filter_by(undoes_id=taken).count() == 1
    states = {row[1]: row[6] for row in rows(keeper.open(path_of(heart)))}
    assert states["Withdrawal"] == "Undone"
    assert states["Undo of withdrawal Other"] != "Undone"
    assert states["Delivery"] != "Undone"


def test_an_item_of_gpm_has_a_history_too(trader, stock):
    item = stock("Tea", 1, store=GPM)
    link = trader.open(trader.open("/gpm/history").link("Tea")).link("All movements")
    assert link == f"/gpm{path_of(item)}"
    assert rows(trader.open(link))[0][1:4] == ["Addition Other · Test", "+1", "1"]
