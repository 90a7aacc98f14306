"""When something is due again."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.due.rules.fields import Anchor, DueKind
from app.due.rules.next_due import Interval, Work, add_months, keeps_mot_day, next_due

YEARLY = Interval(months=12)
DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))


def test_months_keep_the_day_of_their_anchor():
    february = add_months(date(2026, 1, 31), 1, anchor_day=31)
    assert february == date(2026, 2, 28)
    assert add_months(february, 1, anchor_day=31) == date(2026, 3, 31)


def test_a_leap_day_is_the_28th_in_other_years_and_comes_back():
    assert add_months(date(2028, 2, 29), 12, anchor_day=29) == date(2029, 2, 28)
    assert add_months(date(2031, 2, 28), 12, anchor_day=29) == date(2032, 2, 29)


@given(DAYS, st.integers(1, 60), st.integers(1, 5))
def test_months_step_by_step_are_the_months_at_once(day, months, steps):
    stepped = day
    for _ in range(steps):
        stepped = add_months(stepped, months, anchor_day=day.day)
    assert stepped == add_months(day, months * steps)


@pytest.mark.parametrize(
    ("done_on", "expected", "reason"),
    [
        (date(2026, 12, 4), date(2028, 1, 3), "the day stays"),
        (date(2027, 1, 3), date(2028, 1, 3), "the day stays"),
        (date(2026, 12, 3), date(2027, 12, 2), "more than a month before expiry"),
        (date(2027, 1, 4), date(2028, 1, 3), "after expiry"),
        (date(2027, 1, 20), date(2028, 1, 19), "after expiry"),
    ],
)
def test_an_mot_in_its_last_month_keeps_its_day(done_on, expected, reason):
    found = next_due(DueKind.MOT, YEARLY, Work(done_on, due_on=date(2027, 1, 3)))
    assert found.on == expected
    assert reason in found.reason


def test_the_last_month_of_an_mot_at_a_month_s_end_begins_after_february():
    assert keeps_mot_day(date(2026, 3, 1), date(2026, 3, 31))
    assert not keeps_mot_day(date(2026, 2, 28), date(2026, 3, 31))


def test_a_service_counts_from_when_it_was_done():
    interval = Interval(months=6, miles=12_000)
    found = next_due(
        DueKind.SERVICE,
        interval,
        Work(date(2026, 8, 31), done_miles=48_210, due_on=date(2026, 8, 1), due_miles=48_000),
    )
    assert (found.on, found.miles) == (date(2027, 2, 28), 60_210)


def test_what_counts_from_when_it_was_due_skips_the_times_that_were_missed():
    interval = Interval(days=56, miles=12_000, anchor=Anchor.DUE)
    found = next_due(
        DueKind.INSPECTION,
        interval,
        Work(date(2026, 5, 1), done_miles=60_500, due_on=date(2026, 1, 1), due_miles=36_000),
    )
    assert found.on == date(2026, 1, 1) + timedelta(days=3 * 56)
    assert found.miles == 72_000


def test_what_is_done_in_its_early_window_keeps_its_day():
    interval = Interval(days=56, early_window_days=7)
    due_on = date(2026, 6, 30)

    def proposed(done_on):
        return next_due(DueKind.INSPECTION, interval, Work(done_on, due_on=due_on)).on

    assert proposed(date(2026, 6, 23)) == due_on + timedelta(days=56)
    assert proposed(date(2026, 6, 22)) == date(2026, 6, 22) + timedelta(days=56)


def test_of_months_and_days_the_first_counts():
    interval = Interval(months=2, days=56)
    assert next_due(DueKind.SERVICE, interval, Work(date(2026, 7, 1))).on == date(2026, 8, 26)


def test_nothing_follows_without_an_interval():
    assert next_due(DueKind.WARRANTY, None, Work(date(2026, 11, 20))).on is None


def test_miles_without_a_mileage_propose_none():
    assert next_due(DueKind.SERVICE, Interval(miles=12_000), Work(date(2026, 11, 20))).miles is None


def test_an_mot_that_was_late_starts_a_day_of_its_own():
    late = next_due(
        DueKind.MOT, YEARLY, Work(date(2025, 2, 10), due_on=date(2025, 1, 31), anchor_day=31)
    )
    assert (late.on, late.anchor_day) == (date(2026, 2, 9), 9)
    kept = next_due(
        DueKind.MOT, YEARLY, Work(date(2026, 2, 2), due_on=late.on, anchor_day=late.anchor_day)
    )
    assert (kept.on, kept.anchor_day) == (date(2027, 2, 9), 9)


def test_what_keeps_its_day_keeps_its_anchor_in_short_months():
    monthly = Interval(months=1, early_window_days=7)
    short = next_due(
        DueKind.INSPECTION,
        monthly,
        Work(date(2026, 1, 30), due_on=date(2026, 1, 31), anchor_day=31),
    )
    assert (short.on, short.anchor_day) == (date(2026, 2, 28), 31)
    late = next_due(
        DueKind.INSPECTION,
        monthly,
        Work(date(2026, 11, 10), due_on=date(2026, 10, 31), anchor_day=31),
    )
    assert (late.on, late.anchor_day) == (date(2026, 12, 10), 10)


def test_days_that_come_before_months_begin_a_new_anchor():
    both = Interval(months=2, days=56, anchor=Anchor.DUE)
    found = next_due(
        DueKind.SERVICE, both, Work(date(2026, 7, 1), due_on=date(2026, 7, 31), anchor_day=31)
    )
    assert (found.on, found.anchor_day) == (date(2026, 9, 25), 25)
