"""Parsing of search texts."""

from datetime import date

import pytest

from app.stock.rules.filters import MAX_TERMS, Term, search_terms


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
def test_text_that_is_no_day_is_a_plain_word(typed):
    assert [term.days for term in search_terms(typed)] == [None]


def test_the_words_of_a_search_are_apart_and_their_case_does_not_count():
    assert search_terms(" RED  1,234 9 dec 2011 -4") == [
        Term("red"),
        Term("1,234", amounts=frozenset({1234, -1234})),
        Term("9 dec 2011", (date(2011, 12, 9), date(2011, 12, 9))),
        Term("-4", amounts=frozenset({-4})),
    ]


@pytest.mark.parametrize(
    ("typed", "amounts"),
    [("4", {4, -4}), ("+4", {4}), ("-4", {-4}), ("−1,234", {-1234}), ("0", {0}), ("+", set())],
)
def test_an_amount_without_a_sign_means_what_came_in_and_what_went_out(typed, amounts):
    (term,) = search_terms(typed)
    assert term.amounts == amounts


def test_a_search_of_a_thousand_words_has_an_end():
    assert len(search_terms(" ".join(f"w{n}" for n in range(1000)))) == MAX_TERMS
