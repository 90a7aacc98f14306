"""What stands under the filters of a history: chips, sums and weeks."""

import pytest

from app import dates
from app.stock.rules.history import HistoryEvent
from tests.stock.test_history_pages import moved

pytestmark = pytest.mark.differs_by_engine


def days(page):
    return page.all("#rows .day")


def week_labels(page):
    return [a["aria-label"] for a in page.html.select("#weeks a")]


def test_the_units_and_values_of_all_rows_are_added_up(keeper, add_history):
    add_history(
        moved(amount=3, price=200),
        moved(amount=5, event=HistoryEvent.DELIVERY, price=100, total_price=999),
        moved(amount=-2, event=HistoryEvent.OTHER, price=50, team="Bar"),
    )
    metrics = ["Rows 3", "Units 0", "Value +£2.99", "+5 delivered, −3 withdrawn, −2 other"]
    assert keeper.open("/history").all("#total span") == metrics
    assert keeper.open("/history?q=tea").all("#total span") == metrics
    bar = ["Rows 1", "Units −2", "Value −£1.00"]
    assert keeper.open("/history?team=Bar").all("#total span") == bar
    add_history(moved(amount=1, team="Bar"))
    metrics = ["Rows 4", "Units −1", "Value +£0.49"]
    assert keeper.open("/history").all("#total span")[:3] == metrics
    assert keeper.open("/history?team=Bar").all("#total span")[2] == "Value −£3.50"


def test_the_filters_that_are_set_come_off_one_by_one(keeper, add_history):
    add_history(moved("Tea", site="northern"), moved("Mug"))
    page = keeper.open(
        "/history?q=tea&event=withdrawal&team=Shop&site=northern&from=2011-12-01&to=2011-12-09"
    )
    chips = ["“tea”", "Withdrawal", "Team Shop", "Northern", "1 Dec 2011 to 9 Dec 2011"]
    assert page.all("#chips li") == chips
    rest = "event=withdrawal&team=Shop&site=northern&from=2011-12-01&to=2011-12-09"
    assert page.link("Take off: “tea”") == f"/history?{rest}"
    for number, chip in enumerate(chips, start=1):
        page = keeper.open(page.link(f"Take off: {chip}"))
        assert page.all("#chips li") == chips[number:]
    assert len(days(page)) == 2
    assert page.html.find(id="chips").has_attr("hidden")


def test_a_chip_names_its_filter_in_words(keeper):
    for query, chip in (
        ("from=2011-12-09", "From 9 Dec 2011"),
        ("to=2011-12-09", "To 9 Dec 2011"),
        ("from=2011-12-09&to=2011-12-09", "9 Dec 2011"),
        (f"from={dates.today()}&to={dates.today()}", "Today"),
        ("site=mars", "mars"),
    ):
        page = keeper.open(f"/history?{query}")
        assert page.all("#chips li") == [chip]
        assert page.link(f"Take off: {chip}") == "/history"


def test_a_bar_for_each_week_leads_to_its_rows(keeper, add_history):
    add_history(
        moved(on="2026-03-02 10:00", amount=3),
        moved(on="2026-03-08 23:30", amount=4, team="Bar"),
        moved(on="2026-03-16 00:00", amount=5),
        moved(on="2026-03-17 10:00", amount=70, event=HistoryEvent.DELIVERY),
    )
    page = keeper.open("/history?from=2026-03-04&to=2026-03-20")
    assert week_labels(page) == [
        "4 Mar 2026 to 8 Mar 2026: 4 units withdrawn",
        "9 Mar 2026 to 15 Mar 2026: 0 units withdrawn",
        "16 Mar 2026 to 20 Mar 2026: 5 units withdrawn",
    ]
    assert [text.get_text() for text in page.html.select("#weeks text")] == ["0", "2", "4", "6"]
    week = keeper.open(page.link("4 Mar 2026 to 8 Mar 2026: 4 units withdrawn"))
    assert days(week) == ["8 Mar 2026"]
    assert week_labels(week) == []
    delivered = keeper.open("/history?event=Delivery&to=2026-03-20")
    assert len(week_labels(delivered)) == 12
    assert week_labels(delivered)[-1] == "16 Mar 2026 to 20 Mar 2026: 70 units delivered"
    bar = week_labels(keeper.open("/history?team=Bar&to=2026-03-08"))
    assert bar[-1] == "2 Mar 2026 to 8 Mar 2026: 4 units withdrawn"


def test_there_are_no_weeks_without_units_that_the_summaries_know(keeper, add_history):
    add_history(moved(on="2026-03-02 10:00", amount=3))
    for query in ("event=Other&to=2026-03-08", "q=tea&to=2026-03-08", "to=2026-02-20"):
        assert week_labels(keeper.open(f"/history?{query}")) == [], query
    assert week_labels(keeper.open("/history?to=0001-01-01")) == []
