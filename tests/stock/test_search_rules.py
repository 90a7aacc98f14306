"""What a search means, and how an amount over time is drawn."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.stock.rules.chart import MOST_POINTS, step_chart
from app.stock.rules.search import MOST_TERMS, Term, search_terms


@pytest.mark.parametrize(
    ("typed", "first", "last"),
    [
        ("2011-12-09", date(2011, 12, 9), date(2011, 12, 9)),
        ("9 Dec 2011", date(2011, 12, 9), date(2011, 12, 9)),
        ("09 december 2011", date(2011, 12, 9), date(2011, 12, 9)),
        ("2011-12", date(2011, 12, 1), date(2011, 12, 31)),
        ("DEC  2011", date(2011, 12, 1), date(2011, 12, 31)),
        ("Feb 2012", date(2012, 2, 1), date(2012, 2, 29)),
        ("2011", date(2011, 1, 1), date(2011, 12, 31)),
    ],
)
def test_days_are_understood_as_they_are_written(typed, first, last):
    (term,) = search_terms(typed)
    assert term.days == (first, last)


@pytest.mark.parametrize("typed", ["31 feb 2011", "2011-13", "2011-02-30", "0000", "heart", "dec"])
def test_what_is_no_day_is_only_a_word(typed):
    assert [term.days for term in search_terms(typed)] == [None]


def test_the_words_of_a_search_are_apart_and_their_case_does_not_count():
    assert search_terms(" RED  1,234 9 dec 2011 -4") == [
        Term("red"),
        Term("1,234", amount=1234),
        Term("9 dec 2011", (date(2011, 12, 9), date(2011, 12, 9))),
        Term("-4", amount=-4),
    ]


def test_a_search_of_a_thousand_words_has_an_end():
    assert len(search_terms(" ".join(f"w{n}" for n in range(1000)))) == MOST_TERMS


START = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_chart_says_the_lowest_the_highest_and_the_latest_amount():
    points = [(START + timedelta(days=n), amount) for n, amount in enumerate([5, 40, 0, 12])]
    chart = step_chart(points, START + timedelta(days=8))
    assert (chart.lowest, chart.highest, chart.latest, chart.since) == (0, 40, 12, START)
    assert chart.line == "M0 49.5H72V4H148V56H223V40.4H600"


def test_a_chart_of_very_many_movements_has_at_most_200_points():
    points = [(START + timedelta(minutes=n), n % 90) for n in range(20_000)]
    chart = step_chart(points, START + timedelta(minutes=20_000))
    assert chart.line.count("V") < MOST_POINTS
    assert (chart.lowest, chart.highest) == (0, 89)


def test_an_item_that_never_moved_has_no_chart_and_one_that_was_always_empty_has():
    assert step_chart([], START) is None
    assert step_chart([(START, 0)], START).highest == 0
