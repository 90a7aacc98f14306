"""The history of a division, as a person without scripts sees it."""

from datetime import UTC, date, datetime

from app import dates
from app.db import transaction
from app.divisions import Division
from app.stock.rules.history import HistoryEvent
from app.stock.rules.items import EntryKind
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Increase
from app.stock.services import items as services
from app.stock.services import movements
from app.stock.services.history import PastEntry
from tests import factories
from tests.factories import GUILDFORD, MAIN
from tests.person import rows


def moved(item="Tea", on="2011-12-09 12:50", amount=4, team="Shop", **more):
    at = datetime.fromisoformat(on)
    at = at.replace(tzinfo=at.tzinfo or dates.LONDON).astimezone(UTC)
    event_ = more.pop("event", HistoryEvent.WITHDRAWAL)
    return PastEntry(at, event_, item, amount, team, unit_price=more.pop("price", 250), **more)


def move_twice(item, *, team="Kitchen"):
    """Withdraw 2 of an item on 1 July 2026, and transfer 3 to Guildford on the day after."""
    factories.move(item, -2, team=team, on=date(2026, 7, 1))
    lines, on = [StockLine(item, 3)], date(2026, 7, 2)
    with transaction():
        movements.transfer(MAIN, lines, destination=GUILDFORD.site, team="", on=on, by=1)


def items(page):
    return [row[3] for row in rows(page)]


def test_the_page_shows_what_happened_newest_first(app, keeper, add_history):
    with app.app_context():
        move_twice(factories.item("Red heart", 10))
    add_history(moved(amount=1234, detail="Withdrawal to northern", site="northern"))
    page = keeper.open("/history?to=2026-07-02")
    assert page.title == "History · Quartermaster"
    columns = ["Date", "Event", "Team", "Item", "Amount", "Unit Price", "Total", "Site"]
    assert page.all("thead th") == columns
    arrived, left, *rest = rows(page)
    assert left == [
        *("2 Jul 2026", "Transfer to Guildford Other", "", "Red heart"),
        *("−3", "£2.50", "−£7.50", "Main"),
    ]
    assert arrived[1:] == [
        *("Transfer from Main Other", "", "Red heart", "+3", "£2.50", "+£7.50", "Guildford")
    ]
    assert rest == [
        ["1 Jul 2026", "Withdrawal", "Kitchen", "Red heart", "−2", "£2.50", "−£5.00", "Main"],
        [
            *("9 Dec 2011", "Withdrawal to Northern", "Shop", "Tea"),
            *("−1,234", "£2.50", "−£3,085.00", "Northern"),
        ],
    ]
    assert page.all(".up") == ["+3"]
    assert page.all("#total span") == [*("Rows 4", "Units −1,236", "Value −£3,090.00")]


def test_the_file_keeps_the_specification_s_words_and_numbers(app, keeper, add_history):
    add_history(moved(amount=1234, detail="Withdrawal to northern", site="northern"))
    (_, line) = keeper.client.get("/history/export").get_data(as_text=True).splitlines()
    assert line == "2011-12-09 12:50,Withdrawal,Shop,Tea,1234,2.50,3085.00,northern"


def test_each_division_sees_its_own_history(keeper, add_history):
    add_history(moved("Ours"))
    add_history(moved("Theirs"), division=Division.GPM)
    assert items(keeper.open("/history")) == ["Ours"]
    assert keeper.open("/gpm/history").status == 403
    assert keeper.client.get("/gpm/history/export").status_code == 403
    assert "History" in keeper.open("/history").all(".screens a")


def test_gpm_has_metrics_and_columns_of_its_own(trader, add_history):
    add_history(
        *(
            moved("Tea", amount=1000),
            moved("Mug", amount=-234, event=HistoryEvent.OTHER, site="other"),
        ),
        moved("Pen", site=""),
        division=Division.GPM,
    )
    page = trader.open("/gpm/history")
    assert page.all("#total span") == [*("Rows 3", "Units −1,238", "−1,004 withdrawn, −234 other")]
    assert page.all("thead th") == ["Date", "Event", "Team", "Item", "Amount", "Site"]
    assert [row[5] for row in rows(page)] == ["–", "Other", "Main"]
    assert page.all("[name=site] option") == [
        *("All Sites", "Main", "Guildford", "Northern", "Other", "No site")
    ]
    assert items(trader.open("/gpm/history?site=–")) == ["Pen"]
    assert items(trader.open("/gpm/history?site=other")) == ["Mug"]
    assert items(trader.open("/gpm/history?site=main")) == ["Tea"]
    assert trader.open("/history").status == 403


def test_25_rows_are_on_a_page_and_a_page_beyond_the_last_is_the_last(keeper, add_history):
    add_history(*(moved(f"Item {n:02d}", f"2011-12-09 10:{n:02d}") for n in range(60)))
    first = keeper.open("/history")
    assert items(first) == [f"Item {n:02d}" for n in range(59, 34, -1)]
    assert first.all(".pager p") == ["Page 1 / 3 · Showing 25 of 60"]
    second = keeper.open(first.link("Next"))
    assert second.all(".pager p") == ["Page 2 / 3 · Showing 25 of 60"]
    last = keeper.open("/history?page=999999")
    assert last.all(".pager p") == ["Page 3 / 3 · Showing 10 of 60"]
    assert "/history?page=2" in last.link("Prev")
    for wrong in ("0", "-1", "x", "1" * 30):
        assert keeper.open(f"/history?page={wrong}").all(".pager p")[0].startswith("Page 1 ")


FOUND_BY_SEARCH = {
    ("Green TEA", "Tea"): ["tea", "2011-12-09", "9 Dec 2011"],
    ("Green TEA",): ["TEA green", "northern"],
    ("Mug",): ["deliv", "1,234", "1234", "+1234"],
    ("Mug", "Tea"): ["shop", "dec 2011 shop"],
    ("Crème",): ["guildford", "CRÈME", "2010"],
    ("Crème", "Green TEA", "Tea"): ["-4", "4"],
    ("Green TEA", "Mug", "Tea"): ["2011-12"],
    (): ["uniform", "−1,234", "12", "100%", "_", "zzz"],
}


def test_every_word_of_a_search_must_be_in_some_column(keeper, add_history):
    add_history(
        moved("Tea"),
        moved("Green TEA", team="Uniform", site="northern"),
        moved("Mug", "2011-12-10 09:00", amount=1234, event=HistoryEvent.DELIVERY),
        moved("Crème", "2010-01-05 09:00", team="Bar", detail="Withdrawal to guildford"),
    )
    for found, searches in FOUND_BY_SEARCH.items():
        for search in searches:
            page = keeper.open("/history", query_string={"q": search})
            assert sorted(items(page)) == [*found], search
            if not found:
                assert page.all(".empty p") == ["No matching history."], search


def test_an_item_is_found_by_the_name_it_had_then(app, keeper):
    with app.app_context():
        item = factories.item("Old name", 3)
        with transaction():
            services.edit_item(MAIN, item, name="New name", revision=0, by=1)
    assert items(keeper.open("/history?q=old")) == ["New name", "Old name"]


def test_event_team_and_site_narrow_the_list_together(keeper, add_history):
    add_history(
        *(moved("A", event=HistoryEvent.DELIVERY), moved("B", team="SHOP"), moved("C", team="Bar")),
        *(moved("D", event=HistoryEvent.OTHER), moved("E", site="northern"), moved("F", team="£5")),
    )
    assert sorted(items(keeper.open("/history?event=Withdrawal"))) == ["B", "C", "E", "F"]
    assert items(keeper.open("/history?event=Other")) == ["D"]
    assert sorted(items(keeper.open("/history?team=shop"))) == ["A", "B", "D", "E"]
    assert items(keeper.open("/history?team=shop&event=withdrawal&site=main")) == ["B"]
    assert keeper.open("/history?team=%C2%A35").all(".empty p") == ["No matching history."]
    page = keeper.open("/history?team=Bar&event=Withdrawal&site=main&q=c")
    assert page.all("select [selected]") == ["Withdrawal", "Bar", "Main"]
    assert page.link("Reset") == "/history"


def test_only_plausible_teams_appear_and_gfm_offers_those_that_occur_twice(keeper, add_history):
    add_history(
        moved("A", team="Once"), *(moved("B", team=t) for t in ("Shop", "SHOP", "Shop", "Polo M"))
    )
    add_history(moved("C", team="Polo M"))
    page = keeper.open("/history")
    assert page.all("[name=team] option") == ["All Teams", "Shop"]
    assert sorted(row[2] for row in rows(page)) == ["", "", "Once", "SHOP", "Shop", "Shop"]


def test_gpm_offers_every_plausible_team_and_links_to_the_busiest(trader, add_history):
    lines = [moved("A", team=team) for team in ("Shop", "Bar", "Bar", "XL")]
    add_history(*lines, division=Division.GPM)
    page = trader.open("/gpm/history")
    assert page.all("[name=team] option") == ["All Teams", "Bar", "Shop"]
    assert page.all("#teams a") == ["Bar", "Shop"]
    assert trader.open("/gpm/history?team=bar").all("#teams a") == ["Shop"]


def test_a_count_without_a_difference_stays_out_of_the_division_s_history(in_app, keeper):
    item = in_app(factories.item, "Tea", 3)
    in_app(factories.record, MAIN, Increase(item, 0, EntryKind.COUNT), by=1, team="Stock Check")
    assert [row[1] for row in rows(keeper.open("/history"))] == ["Addition Other · Test"]


def test_htmx_gets_the_list_with_what_depends_on_it(keeper, add_history):
    add_history(moved("Tea"))
    fragment = keeper.fragment("/history?q=tea", "list")
    assert items(fragment) == ["Tea"]
    assert fragment.html.title is None
    assert fragment.link("Export CSV") == "/history/export?q=tea"
    assert {e["id"] for e in fragment.html.select("[data-hx-swap-oob]")} == {
        *("export", "ranges", "chips", "teams", "total", "weeks", "in-sort")
    }


def test_an_unchanged_page_is_not_sent_again(keeper, add_history):
    add_history(moved("Tea"))
    tag = keeper.open("/history").headers["ETag"]
    assert keeper.open("/history", headers={"If-None-Match": tag}).status == 304
    add_history(moved("Mug", site="northern"))
    assert keeper.open("/history", headers={"If-None-Match": tag}).status == 200
