"""When something is due again."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.due.rules.fields import Anchor, Applies, DueKind
from app.due.rules.next_due import Interval, Work, add_months, keeps_mot_day, next_due
from app.due.rules.plans import PlanDraft, PlanVehicle, first_items

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


def test_what_follows_counts_from_the_work_or_from_the_day_it_was_due():
    service, inspection = DueKind.SERVICE, DueKind.INSPECTION
    late = Work(date(2026, 5, 1), 60_500, date(2026, 1, 1), 36_000)
    for case, kind, interval, work, on, miles in (
        (
            *("from the work", service, Interval(months=6, miles=12_000)),
            Work(date(2026, 8, 31), 48_210, date(2026, 8, 1), 48_000),
            *(date(2027, 2, 28), 60_210),
        ),
        (
            *("missed times are skipped", inspection),
            Interval(days=56, miles=12_000, anchor=Anchor.DUE),
            *(late, date(2026, 1, 1) + timedelta(days=3 * 56), 72_000),
        ),
        (
            *("the first of months and days", service, Interval(months=2, days=56)),
            *(Work(date(2026, 7, 1)), date(2026, 8, 26), None),
        ),
        ("no interval", DueKind.WARRANTY, None, late, None, None),
        ("no mileage", service, Interval(miles=12_000), Work(date(2026, 11, 20)), None, None),
    ):
        found = next_due(kind, interval, work)
        assert (found.on, found.miles) == (on, miles), case


def test_what_is_done_in_its_early_window_keeps_its_day():
    interval, due_on = Interval(days=56, early_window_days=7), date(2026, 6, 30)
    for done_on, counted_from in ((date(2026, 6, 23), due_on), (date(2026, 6, 22),) * 2):
        found = next_due(DueKind.INSPECTION, interval, Work(done_on, due_on=due_on))
        assert found.on == counted_from + timedelta(days=56), done_on


def test_a_day_that_moves_has_an_anchor_of_its_own_and_one_that_stays_keeps_it():
    monthly = Interval(months=1, early_window_days=7)
    both = Interval(months=2, days=56, anchor=Anchor.DUE)
    for case, kind, interval, done_on, due_on, anchor, following in (
        ("late", DueKind.MOT, YEARLY, (2025, 2, 10), (2025, 1, 31), 31, (2026, 2, 9)),
        ("kept", DueKind.MOT, YEARLY, (2026, 2, 2), (2026, 2, 9), 9, (2027, 2, 9)),
        ("early", DueKind.TACHO, monthly, (2026, 11, 10), (2026, 10, 31), 31, (2026, 12, 10)),
        ("days", DueKind.SERVICE, both, (2026, 7, 1), (2026, 7, 31), 31, (2026, 9, 25)),
    ):
        work = Work(date(*done_on), due_on=date(*due_on), anchor_day=anchor)
        found = next_due(kind, interval, work)
        assert (found.on, found.anchor_day) == (date(*following), following[2]), case
    short = Work(date(2026, 1, 30), due_on=date(2026, 1, 31), anchor_day=31)
    found = next_due(DueKind.INSPECTION, monthly, short)
    assert (found.on, found.anchor_day) == (date(2026, 2, 28), 31)


def first_of_plan(*done, **values):
    """Return when the first items are due by a monthly plan that is saved on 31 January.

    They are of vans that had this as their last work, or none.
    """
    plan = PlanDraft(
        *("Service", DueKind.SERVICE, Applies.ALL), every_months=1, every_miles=1000, **values
    )
    vans = [PlanVehicle(f"van{n}", f"VAN {n}", 10_000, last) for n, last in enumerate(done)]
    items = first_items(plan, vans, date(2026, 1, 31))
    return [(item.due.on, item.due.miles, item.due.anchor_day) for item in items]


@pytest.mark.parametrize("kind", [DueKind.MOT, DueKind.TAX, DueKind.INSURANCE])
def test_first_days_of_what_the_law_asks_for_are_never_made_up_to_be_earlier(kind):
    plan = PlanDraft(kind.value, kind, Applies.ALL, every_months=12)
    vans = [PlanVehicle(f"van{n}", f"VAN {n}", None, None) for n in range(3)]
    items = first_items(plan, vans, date(2026, 1, 31))
    assert {item.due.on for item in items} == {date(2027, 1, 31)}


def test_a_first_item_keeps_the_day_on_which_its_plan_was_made_unless_a_day_was_typed():
    assert first_of_plan(None) == [(date(2026, 2, 28), 11_000, 31)]
    typed = date(2026, 3, 9)
    assert first_of_plan(None, None, first_due_on=typed) == 2 * [(typed, 11_000, None)]


def test_first_days_follow_the_last_work_and_the_others_are_spread_over_the_first_interval():
    done = Work(date(2026, 1, 20), 9_500)
    found = first_of_plan(None, done, None, None, None)
    assert found[1] == (date(2026, 2, 20), 10_500, 20)
    spread = [on.isoformat() for on, *_ in (found[0], *found[2:])]
    assert spread == ["2026-02-07", "2026-02-14", "2026-02-21", "2026-02-28"]
    assert {miles for _, miles, _ in (found[0], *found[2:])} == {11_000}
    many = [on for on, *_ in first_of_plan(*[None] * 200)]
    assert (min(many), max(many)) == (date(2026, 2, 1), date(2026, 2, 28))
    assert max(map(many.count, many)) == 8
