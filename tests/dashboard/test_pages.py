"""The dashboards of GFM and GPM."""

from datetime import timedelta

import pytest

from app import dates
from app.divisions import Division
from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry
from app.web.navigation import Screen
from tests import factories, person
from tests.factories import GPM, GUILDFORD
from tests.person import Caller

NOON = dates.noon_in_london(dates.today())


def moved(days_ago=0, item="Mug", **options):
    return PastEntry(NOON - timedelta(days=days_ago), HistoryEvent.WITHDRAWAL, item, 2, **options)


def test_gfm_sees_items_units_and_value_of_each_site(app, gfm):
    with app.app_context():
        factories.items([("Red heart", 1000), ("Mug", 5)], unit_price=250)
        factories.item("Mug", 1, store=GUILDFORD, unit_price=1)
        factories.item("Mop", 7, store=GPM)
    page = gfm.open("/dashboard")
    assert page.title == "Dashboard · Quartermaster"
    assert page.all("a.tile") == [
        "Main 2 items · 1,005 units £2,512.50 value",
        "Guildford 1 item · 1 unit £0.01 value",
        "Northern 0 items · 0 units £0.00 value",
        "Deliveries 0 pending",
        "History 3 entries",
    ]
    sites = ["/inventory/main", "/inventory/guildford", "/inventory/northern"]
    links = [*sites, "/gfm/deliveries", "/history"]
    assert [page.link(text) for text in page.all("a.tile")] == links


def test_gpm_sees_its_stock_and_its_pending_and_late_deliveries(in_app, gpm, order):
    today = dates.today()
    order(today)
    punctual = gpm.open("/dashboard")
    assert "Deliveries 1 pending" in punctual.all("a.tile")
    assert punctual.all(".badge") == []
    order(today - timedelta(days=14), *[today - timedelta(days=15)] * 2)
    in_app(factories.item, "Mop", 7, store=GPM, unit_price=300)
    in_app(factories.item, "Red heart", 1)
    page = gpm.open("/dashboard")
    assert page.all("a.tile") == [
        "Inventory 1 item · 7 units £21.00 value",
        "Deliveries 4 pending 2 late",
        "History 1 entry",
    ]
    assert page.all("a.tile .badge.warn") == ["2 late"]
    links = ["/gpm/inventory/main", "/gpm/deliveries", "/gpm/history"]
    assert [page.link(text) for text in page.all("a.tile")] == links


@pytest.mark.own_app
def test_a_screen_without_figures_is_a_plain_link_below_the_tiles(app, gpm):
    screens = app.extensions["screens"]
    teams = Screen(Division.GPM, "Depots", "accounts.choose")
    app.extensions["screens"] = [*screens, teams]
    page = gpm.open("/dashboard")
    assert "Depots" in page.all("nav[aria-label='More screens'] a")
    assert all("Depots" not in tile for tile in page.all(".tile"))


def test_the_highest_possible_values_are_added_up_to_the_penny(app, gfm):
    with app.app_context():
        items = [(f"Diamond {n}", 999_999_999) for n in range(40)]
        factories.items(items, unit_price=999_999_999)
    assert gfm.open("/dashboard").all("a.tile")[0] == (
        "Main 40 items · 39,999,999,960 units £399,999,999,200,000,000.40 value"
    )


def test_items_that_are_only_in_history_are_not_counted(app, gfm):
    with app.app_context():
        factories.add_history(moved())
    assert gfm.open("/dashboard").all("a.tile")[0] == "Main 0 items · 0 units £0.00 value"


def test_activity_counts_30_days_and_names_the_busiest(app, gfm):
    with app.app_context():
        factories.add_history(moved(), moved(), moved(1), moved(29), moved(30), moved(400))
    page = gfm.open("/dashboard")
    today = dates.today()
    assert page.all(".activity :is(h2, .note)") == [
        "Activity (30d) 4",
        f"Movements per day, 30 days to {dates.format_day(today)}: "
        f"4 in all, most 2 on {dates.short_day(today)}",
    ]
    assert page.all("a.tile")[-1] == "History 6 entries"


def test_of_days_that_are_equally_busy_the_last_is_named_as_such(app, gfm):
    with app.app_context():
        factories.add_history(moved(), moved(), moved(1), moved(1))
    note = gfm.open("/dashboard").all(".activity .note")[0]
    assert note.endswith(f"4 in all, most 2, last on {dates.short_day(dates.today())}")


def test_each_bar_leads_to_its_day_and_has_a_scale(app, gfm):
    with app.app_context():
        factories.add_history(*[moved()] * 7, moved(29))
    page = gfm.open("/dashboard")
    today, first = dates.today(), dates.today() - timedelta(days=29)
    assert page.link(f"{dates.short_day(today)}: 7") == f"/history?from={today}&to={today}"
    of_first = rows(gfm.open(page.link(f"{dates.short_day(first)}: 1")))
    assert [row[0] for row in of_first] == [dates.format_day(first)]
    assert page.all(".activity text") == ["0", "2", "4", "6", "8"]
    days, second = page.all(".activity li"), first + timedelta(days=1)
    assert (len(days), days[1]) == (30, f"{second.day} {dates.short_day(second)}: 0")


def rows(page):
    return person.rows(page, "table.log tbody tr")


def test_counts_without_a_difference_are_no_activity(in_app, gfm):
    item = in_app(factories.item, "Mug", 5)
    before = gfm.open("/dashboard").all(".tile b")
    ops = [{"type": "inc", "id": "Mug", "delta": 0, "expected": 5}]
    body = {"ops": ops, "reason": "Stock Check 1 Jan 2026", "team": "Stock Check"}
    reply = Caller(gfm)("PATCH", "/api/gfm/inventory/main", body)
    assert reply.status_code == 200, reply.text
    assert len(gfm.open(f"/inventory/main/items/{item}/history").all("tbody#rows tr")) == 2
    assert gfm.open("/dashboard").all(".tile b") == before


def test_the_last_12_movements_are_listed_newest_first_with_links_to_their_items(app, gfm):
    with app.app_context():
        factories.add_history(
            *(moved(n, f"Mug {n:02d}", team="Kitchen", site="northern") for n in range(14))
        )
        factories.add_history(moved(item="Mop"), division=Division.GPM)
    page = gfm.open("/dashboard")
    headings = ["Needs you", "Your recent items", "Activity (30d) 14", "Recent Activity", "Places"]
    assert page.all("h2") == headings
    assert page.all("table.log thead th") == ["Date", "Event", "Team", "Item", "Amount", "Site"]
    found = rows(page)
    assert [row[3] for row in found] == [f"Mug {n:02d}" for n in range(12)]
    today = dates.format_day(dates.today())
    assert found[0] == [today, "Withdrawal", "Kitchen", "Mug 00", "−2", "Northern"]
    assert gfm.open(page.link("Mug 00")).all("h1") == ["Mug 00"]


def test_an_empty_division_has_no_recent_activity(gpm):
    page = gpm.open("/dashboard")
    assert page.all(".empty") == [
        "No recent activity.",
        "Nothing is here yet. Add the first one Bring a list",
    ]
    today = dates.format_day(dates.today())
    assert page.all(".activity .note") == [f"Movements per day, 30 days to {today}: 0 in all"]


def test_the_buttons_work_without_a_script(gfm):
    page = gfm.open("/dashboard")
    assert page.link("Refresh") == "/dashboard"
    assert page.link("Change Division") == "/choose"
    assert page.all("main form button") == ["Extend Login Time"]
    after = gfm.submit(page)
    assert after.path == "/dashboard"
    until = after.all("#signed-in-until")[0]
    assert after.all("[role=status]")[0] == f"You are signed in until {until}."
    assert after.all(".foot .note") == [f"Signed in until {until}"]


def test_renewing_by_script_returns_the_end_in_london_time(gfm):
    token = gfm.open("/dashboard").fields()["csrf_token"]
    headers = {"Accept": "application/json", "X-CSRFToken": token}
    renewed = gfm.client.post("/session/renew", headers=headers).json
    assert renewed["message"] == f"You are signed in until {renewed['time']}."
    assert gfm.open("/dashboard").all("#signed-in-until") == [renewed["time"]]
