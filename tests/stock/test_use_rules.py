"""Use of items: how much a day, how long it lasts, and which minimum was enough."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.stock.rules.use import DailyUse, DayUse, ItemPast, daily_use, suggest_minimum

TODAY = date(2026, 11, 27)


def ago(days):
    return TODAY - timedelta(days=days)


def past(amount, *days, first=400, stocked_from=400):
    """Return a past by (days ago, change, units withdrawn)."""
    moved = [DayUse(ago(n), delta, taken) for n, delta, taken in sorted(days, reverse=True)]
    stocked = None if stocked_from is None else ago(stocked_from)
    return ItemPast(TODAY, amount, ago(first), stocked, moved)


def test_four_days_of_withdrawals_in_ninety_count_alone():
    seldom = [(300, -50, 50)]
    assert daily_use(past(9, *seldom, *((n, -3, 3) for n in (40, 30, 20, 10)))) == DailyUse(12, 90)
    assert daily_use(past(9, *seldom, *((n, -3, 3) for n in (30, 20, 10)))) == DailyUse(59, 365)


def test_days_with_an_empty_shelf_count_only_if_something_was_withdrawn_then():
    withdrawn = [(n, -3, 3) for n in (60, 50, 40)]
    sold_out = [*withdrawn, (30, -3, 3), (10, 8, 0)]
    assert daily_use(past(8, *sold_out)) == DailyUse(12, 90 - 19)
    assert daily_use(past(0, *withdrawn, (30, -3, 3))) == DailyUse(12, 90 - 30)


def test_days_before_the_first_known_amount_arent_empty():
    imported = [(n, 0, 3) for n in (80, 70, 60, 50)]
    assert daily_use(past(5, *imported, (20, 5, 0), stocked_from=20)) == DailyUse(12, 90)
    assert daily_use(past(0, *imported, stocked_from=None)) == DailyUse(12, 90)


def test_an_item_has_no_use_before_its_28th_day_and_then_its_own_age():
    withdrawn = [(n, -3, 3) for n in (9, 8, 7, 6)]
    assert daily_use(past(9, *withdrawn, first=26, stocked_from=26)).days_left(9) is None
    assert daily_use(past(9, *withdrawn, first=27, stocked_from=27)) == DailyUse(12, 28)


def test_withdrawals_that_were_undone_are_no_use():
    assert daily_use(past(9, *((n, 0, 0) for n in (40, 30, 20, 10)))).days_left(9) is None


def test_days_left_are_whole_and_the_use_of_some_days_is_rounded_up():
    use = DailyUse(12, 90)
    assert (use.days_left(9), use.days_left(0), use.of(30), use.of(28)) == (67, 0, 4, 4)


def test_a_minimum_is_suggested_that_was_enough_in_eight_of_ten_stretches():
    taken = [
        (360 - 30 * n, -units, units) for n, units in enumerate([1, 2, 3, 4, 5, 6, 7, 8, 9, 40])
    ]
    found = suggest_minimum(past(9, *taken), lead_days=7)
    assert (found.minimum, found.half, found.most) == (8, 5, 40)
    assert found.reason == (
        "Enough in 8 of 10 stretches of 14 days: 8. In half: 5. Most: 40. (10 stretches.)"
    )
    assert found.target(DailyUse(90, 90), pack=12) == 36


def test_a_suggestion_says_in_how_many_stretches_the_shelf_was_empty():
    taken = [(n, -2, 2) for n in (200, 150, 100, 50)]
    found = suggest_minimum(past(2, *taken, (90, 4, 0), (95, -4, 0)), lead_days=7)
    assert found.reason.endswith("(4 stretches, the shelf empty in 1.)")


@pytest.mark.parametrize(("days", "is_enough"), [((100, 80, 60), False), ((100, 80, 60, 13), True)])
def test_four_whole_stretches_are_needed(days, is_enough):
    found = suggest_minimum(past(9, *((n, -1, 1) for n in days)), lead_days=7)
    assert (found is not None) is is_enough
    assert suggest_minimum(past(9, *((n, -1, 1) for n in (100, 80, 60, 12))), lead_days=7) is None


days = st.lists(st.tuples(st.integers(0, 380), st.integers(-5, 5), st.integers(0, 5)), max_size=30)


@given(days, st.integers(0, 9), st.integers(28, 400), st.integers(0, 400))
def test_the_daily_use_is_that_of_a_count_day_by_day(moved, amount, first, stocked_from):
    by_day = {}
    for number, delta, taken in moved:
        by_day[number] = DayUse(ago(number), delta, taken)
    stocked_from = min(stocked_from, first)
    in_year = [by_day[n] for n in sorted(by_day, reverse=True) if n < 365 and n <= first]
    found = daily_use(ItemPast(TODAY, amount, ago(first), ago(stocked_from), in_year))
    left, units, number = amount, 0, 0
    taken = {(TODAY - each.day).days: each.taken for each in in_year}
    window = 90 if sum(taken.get(n, 0) > 0 for n in range(90)) >= 4 else 365
    for n in range(min(window, first + 1)):
        is_empty = left == 0 and n <= stocked_from and not taken.get(n, 0)
        units, number = units + taken.get(n, 0), number + (not is_empty)
        left -= next((each.delta for each in in_year if each.day == ago(n)), 0)
    assert found == (DailyUse(units, number) if units else DailyUse(0, 1))
