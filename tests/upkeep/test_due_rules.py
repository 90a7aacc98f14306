"""What is expected, and how an item stands."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.due.rules.due import DueGroup, DueState, Terms, judge
from app.due.rules.fields import Blocks, DueKind
from app.mileage.rules import (
    Forecast,
    Mileage,
    describe_forecast,
    describe_no_forecast,
    make_forecast,
    window_start,
)
from tests.upkeep.readings import span_of

TODAY = date(2026, 11, 20)


def terms(**values):
    """Return the terms of a service with some values changed."""
    return replace(Terms(DueKind.SERVICE, "Service"), **values)


def mot(due_on):
    """Return the terms of an MOT."""
    return terms(kind=DueKind.MOT, label="MOT", due_on=due_on, blocks=Blocks.BLOCK)


@st.composite
def histories(draw):
    """Return readings that never fall, and today."""
    days = sorted(draw(st.sets(st.integers(0, 400), max_size=12)))
    rises = draw(st.lists(st.integers(0, 900), min_size=len(days), max_size=len(days)))
    start = date(2025, 1, 1)
    miles = 10_000
    readings = []
    for day, rise in zip(days, rises, strict=True):
        miles += rise
        readings.append(Mileage(start + timedelta(days=day), miles))
    return readings, start + timedelta(days=draw(st.integers(max([0, *days]), 460)))


def day_by_day(readings, today, due_miles):
    """Return when a mileage is reached, by walking along the days."""
    if not readings or today - max(readings).day > timedelta(days=60):
        return None
    recent = [each for each in readings if each.day >= today - timedelta(days=90)]
    for used in (recent, readings):
        if used and max(used).day - min(used).day >= timedelta(days=14):
            first, last = min(used), max(used)
            break
    else:
        return None
    day, quarters = last.day, (last.day - first.day).days
    gained = last.miles - first.miles
    run = last.miles * quarters
    for _ in range(2000):
        if run >= due_miles * quarters:
            return day
        day, run = day + timedelta(days=1), run + gained
    return None


@given(histories(), st.integers(0, 3_000))
def test_a_forecast_is_what_walking_along_the_days_finds(history, ahead):
    readings, today = history
    recent = [each for each in readings if each.day >= window_start(today)]
    forecast = make_forecast(span_of(recent), span_of(readings), today)
    due_miles = (max(readings).miles if readings else 10_000) + ahead
    expected = day_by_day(readings, today, due_miles)
    found = forecast.day_of(due_miles) if forecast else None
    if expected is not None or found is None or forecast is None:
        assert found == expected
    else:
        assert (found - forecast.last.day).days > 1999


def test_readings_of_a_fortnight_are_enough_and_of_thirteen_days_are_not():
    first = Mileage(TODAY - timedelta(days=14), 1000)
    last = Mileage(TODAY, 1140)
    assert make_forecast(span_of([first, last]), None, TODAY) == Forecast(last, 140, 14, 2)
    later = Mileage(first.day + timedelta(days=1), 1000)
    assert make_forecast(span_of([later, last]), None, TODAY) is None


def test_a_forecast_names_what_it_rests_on():
    assert describe_forecast(date(2027, 1, 12), 8, TODAY) == "about 12 Jan, from 8 readings"
    old = Mileage(date(2026, 9, 2), 5)
    assert describe_no_forecast(old, TODAY) == "No mileage since 2 Sep: no forecast."
    assert describe_no_forecast(None, TODAY) == "No mileage yet: no forecast."


@pytest.mark.parametrize(
    ("due_on", "state", "group", "badge"),
    [
        (date(2026, 11, 18), DueState.OVERDUE, DueGroup.OVERDUE, "2 days over"),
        (date(2026, 11, 20), DueState.TODAY, DueGroup.WEEK, "Today"),
        (date(2026, 11, 21), DueState.SOON, DueGroup.WEEK, "1 day"),
        (date(2026, 12, 20), DueState.SOON, DueGroup.MONTH, "30 days"),
        (date(2026, 12, 21), DueState.FINE, DueGroup.LATER, "31 days"),
    ],
)
def test_an_item_runs_to_the_end_of_its_day(due_on, state, group, badge):
    found = judge(mot(due_on), TODAY)
    assert (found.state, found.group) == (state, group)
    assert found.badge == badge
    assert found.is_overdue is (state is DueState.OVERDUE)


def test_of_day_and_miles_the_first_counts():
    both = terms(due_on=TODAY + timedelta(days=200), due_miles=50_000)
    forecast = Forecast(Mileage(TODAY, 49_000), 900, 90, 8)
    found = judge(both, TODAY, mileage=forecast.last, forecast=forecast)
    assert found.expected_on == found.first_on == TODAY + timedelta(days=100)
    assert (found.state, found.miles_left) == (DueState.SOON, 1000)


@pytest.mark.parametrize(
    ("run", "state"),
    [(50_001, DueState.OVERDUE), (50_000, DueState.TODAY), (49_999, DueState.SOON)],
)
def test_an_item_is_overdue_beyond_its_miles(run, state):
    assert judge(terms(due_miles=50_000), TODAY, mileage=Mileage(TODAY, run)).state is state


def test_an_old_mileage_is_unknown_unless_it_is_over_already():
    old = TODAY - timedelta(days=61)
    found = judge(terms(due_miles=50_000), TODAY, mileage=Mileage(old, 40_000))
    assert (found.state, found.group) == (DueState.MILEAGE_UNKNOWN, DueGroup.MILEAGE_UNKNOWN)
    over = judge(terms(due_miles=50_000), TODAY, mileage=Mileage(old, 50_001))
    assert over.state is DueState.OVERDUE


def test_a_day_that_is_near_counts_though_the_mileage_is_unknown():
    found = judge(terms(due_on=TODAY, due_miles=50_000), TODAY)
    assert found.state is DueState.TODAY


def test_a_snoozed_item_is_quiet_and_still_overdue():
    snoozed = terms(due_on=TODAY - timedelta(days=1), snoozed_until=TODAY)
    found = judge(snoozed, TODAY)
    assert (found.state, found.is_overdue) == (DueState.SNOOZED, True)
    assert found.group is DueGroup.QUIET
    awake = judge(snoozed, TODAY + timedelta(days=1))
    assert awake.state is DueState.OVERDUE


def test_the_tax_of_a_vehicle_that_is_laid_up_sleeps():
    tax = terms(kind=DueKind.TAX, label="Tax", due_on=TODAY - timedelta(days=1))
    found = judge(tax, TODAY, is_laid_up=True)
    assert (found.state, found.is_overdue) == (DueState.ASLEEP, False)
    assert found.group is DueGroup.QUIET
    assert judge(mot(TODAY - timedelta(days=1)), TODAY, is_laid_up=True).is_overdue


def test_a_calendar_has_items_on_their_day_and_marks_those_that_are_not_certain():
    late, early = TODAY - timedelta(days=2), TODAY + timedelta(days=2)
    tomorrow = TODAY + timedelta(days=1)
    expected = replace(judge(terms(due_miles=50_000), TODAY), first_on=TODAY)
    tax = terms(kind=DueKind.TAX, label="Tax", due_on=TODAY)
    for standing, day in (
        (judge(mot(late), TODAY), (late, "overdue")),
        (judge(mot(early), TODAY), (early, "")),
        (expected, (TODAY, "about")),
        (replace(expected, first_on=None), None),
        (judge(terms(due_on=TODAY, snoozed_until=TODAY), TODAY), (tomorrow, "put off")),
        (judge(terms(due_on=late, snoozed_until=TODAY), TODAY), (tomorrow, "overdue, put off")),
        (judge(tax, TODAY, is_laid_up=True), None),
    ):
        assert standing.calendar_day == day, standing


@pytest.mark.parametrize(
    ("due", "notice"),
    [
        (mot(date(2026, 11, 26)), "MOT runs out in 6 days."),
        (mot(TODAY), "MOT runs out today."),
        (mot(date(2026, 11, 21)), "MOT runs out tomorrow."),
        (mot(date(2026, 11, 19)), "MOT ran out yesterday."),
        (mot(date(2026, 11, 3)), "MOT ran out on 3 Nov."),
        (mot(date(2027, 11, 3)), ""),
        (terms(due_on=date(2026, 11, 25)), "Service is due in 5 days."),
        (terms(due_miles=48_700), "Service is due in about 490 miles."),
        (terms(due_miles=48_210), "Service is due now, at 48,210 miles."),
        (terms(due_miles=48_000), "Service was due at 48,000 miles."),
    ],
)
def test_drivers_are_shown_what_is_due_soon(due, notice):
    standing = judge(due, TODAY, mileage=Mileage(TODAY, 48_210))
    assert standing.notice == notice


def test_an_objection_is_part_of_a_sentence_about_what_blocks():
    late = terms(due_on=date(2025, 11, 18), blocks=Blocks.BLOCK)
    assert judge(mot(date(2026, 11, 18)), TODAY).objection == "Its MOT ran out on 18 Nov"
    assert judge(late, TODAY).objection == "Its service was due on 18 Nov 2025"
    assert judge(replace(late, blocks=Blocks.WARN), TODAY).objection == ""
    assert judge(mot(TODAY), TODAY).objection == ""


def test_the_line_under_an_item_says_what_is_left_by_miles_and_what_that_rests_on():
    by_miles = terms(due_miles=50_000)
    last = Mileage(TODAY, 49_000)
    for mileage, forecast, line in (
        (
            last,
            Forecast(last, 900, 90, 8),
            ", in about 1,000 miles, about 28 Feb, from 8 readings.",
        ),
        (last, None, ", in 1,000 miles. No forecast: it takes two readings 14 days apart."),
        (Mileage(TODAY, 50_001), None, ", 1 mile ago."),
        (None, None, ". No mileage yet: no forecast."),
    ):
        reason = judge(by_miles, TODAY, mileage=mileage, forecast=forecast).reason
        assert reason == f"Due at 50,000 miles{line}"
