"""The days of a history: London's, wrong ones, and quick ranges of them."""

from datetime import date, timedelta

import pytest

from app import dates
from tests.person import rows
from tests.stock.test_history_pages import items, moved

pytestmark = pytest.mark.differs_by_engine

RANGES = ["Today", "Last 7 days", "Last 30 days", "This month", "Last month", "Year to date"]

DAYS = [
    ("2011-12-09 00:00", "2011-12-09"),
    ("2011-12-09 23:59:59", "2011-12-09"),
    ("2011-07-09 00:30", "2011-07-09"),
    ("2011-07-09 23:30", "2011-07-09"),
    ("2011-03-27T00:00+00:00", "2011-03-27"),
    ("2011-03-27T22:59+00:00", "2011-03-27"),
    ("2011-03-27T23:00+00:00", "2011-03-28"),
    ("2011-10-29T23:00+00:00", "2011-10-30"),
    ("2011-10-30T23:59+00:00", "2011-10-30"),
    ("2011-10-31T00:00+00:00", "2011-10-31"),
]


def test_a_day_is_londons_and_the_end_date_has_all_of_it(keeper, add_history):
    add_history(*(moved(moment, moment) for moment, _ in DAYS))
    days = {row[3]: row[0] for row in rows(keeper.open("/history"))}
    for moment, text in DAYS:
        day = date.fromisoformat(text)
        before, after = day - timedelta(days=1), day + timedelta(days=1)
        assert moment in items(keeper.open(f"/history?from={day}&to={day}")), moment
        assert moment not in items(keeper.open(f"/history?to={before}")), moment
        assert moment not in items(keeper.open(f"/history?from={after}")), moment
        assert days[moment] == dates.format_day(day), moment


WRONG_DATES = [
    ("from=yesterday", ['"yesterday" is not a date like 2011-12-09']),
    ("to=2011-02-30", ['"2011-02-30" is not in the calendar']),
    ("from=x&to=y", ['"x" is not a date like 2011-12-09', '"y" is not a date like 2011-12-09']),
    ("from=2011-12-10&to=2011-12-09", ["From (10 Dec 2011) is later than to (9 Dec 2011)."]),
]


def test_a_wrong_date_is_reported_and_the_filters_stay(keeper, add_history):
    add_history(moved("Tea"))
    for query, messages in WRONG_DATES:
        page = keeper.open(f"/history?q=tea&event=Withdrawal&{query}")
        assert (page.status, page.alerts, rows(page)) == (422, messages, []), query
        assert page.fields("#filters")["q"] == "tea", query
        assert page.all("select [selected]") == ["Withdrawal"], query
        assert keeper.open(f"/history/export?{query}").status == 422, query


def test_the_first_and_the_last_representable_day_are_valid_filters(keeper, add_history):
    add_history(moved("Tea"))
    for day in ("0001-01-01", "9999-12-31"):
        page = keeper.open(f"/history?from={day}&to={day}")
        assert page.all(".empty p") == ["No matching history."], day
    assert items(keeper.open("/history?from=0001-01-01&to=9999-12-31")) == ["Tea"]
    assert keeper.open("/history?q=9999").status == 200


def test_quick_ranges_keep_the_other_filters_and_mark_the_one_that_is_chosen(keeper, add_history):
    today = dates.today()
    add_history(moved("Now", f"{today} 00:00"), moved("Then", "2011-12-09"))
    page = keeper.open("/history?q=n")
    assert page.all("#ranges a") == RANGES
    for label in RANGES:
        chosen = keeper.open(page.link(label))
        assert label in chosen.all("#ranges [aria-current]")
        assert items(chosen) == ([] if label == "Last month" else ["Now"])
        assert chosen.fields("#filters")["q"] == "n"
    assert page.all("#ranges [aria-current]") == []
    assert chosen.fields("#filters")["to"] == str(today)


def test_a_wrong_date_stays_to_be_corrected_while_other_filters_change(keeper):
    page = keeper.open("/history?from=2026-13-40&to=2026-02-01")
    wrong, right = page.html.select("input[name=from], input[name=to]")
    # A date input is empty to a browser that can't read its value.
    assert (wrong["type"], wrong["value"], wrong["aria-invalid"]) == ("text", "2026-13-40", "true")
    assert (right["type"], right["value"]) == ("date", "2026-02-01")
    assert "aria-invalid" not in right.attrs
    sent = page.fields("#filters") | {"q": "tea"}
    again = keeper.client.get("/history", query_string=sent)
    assert again.status_code == 422
    assert b"2026-13-40&#34; is not in the calendar" in again.data
