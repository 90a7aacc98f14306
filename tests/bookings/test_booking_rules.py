"""London's times, the night on which an hour comes twice, and the sums of units."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bookings.rules import ComesTwice, TimeSpan, most_units, parse_time
from app.errors import Invalid

MIDNIGHT = datetime(2026, 10, 25, tzinfo=UTC)


def test_a_time_is_that_of_london():
    assert parse_time("2026-07-01T09:00") == datetime(2026, 7, 1, 8, tzinfo=UTC)
    assert parse_time("2026-12-01T09:00") == datetime(2026, 12, 1, 9, tzinfo=UTC)
    assert parse_time("2026-07-01T09:00+02:00") == datetime(2026, 7, 1, 7, tzinfo=UTC)


def test_an_hour_that_does_not_exist_is_refused():
    with pytest.raises(Invalid, match=r"The clocks go from 1:00 to 2:00 then\."):
        parse_time("2027-03-28T01:30")


def test_a_time_that_comes_twice_needs_a_turn_or_an_offset():
    with pytest.raises(ComesTwice):
        parse_time("2026-10-25T01:30")
    half_past = MIDNIGHT + timedelta(minutes=30)
    assert parse_time("2026-10-25T01:30", "first") == half_past
    assert parse_time("2026-10-25T01:30", "second") == half_past + timedelta(hours=1)
    assert parse_time("2026-10-25T01:30+00:00") == half_past + timedelta(hours=1)


@pytest.mark.parametrize(
    "text", ["", "tomorrow", "2026-10-25", "2026-10-25T09:00:30", "9999-01-01T09:00"]
)
def test_what_is_no_time_is_refused(text):
    with pytest.raises(Invalid):
        parse_time(text)


def minutes(start, length):
    at = MIDNIGHT + timedelta(minutes=start)
    return TimeSpan(at, at + timedelta(minutes=length))


PERIODS = st.builds(minutes, st.integers(0, 1500), st.integers(1, 120))


@given(st.lists(st.tuples(PERIODS, st.integers(1, 3)), max_size=8), PERIODS)
def test_the_most_units_are_those_of_a_calendar_by_minutes(occupied, period):
    """The 25 hours of the night on which the clocks go back are minutes like any others."""
    steps = int((period.end - period.start) / timedelta(minutes=1))
    moments = [period.start + timedelta(minutes=each) for each in range(steps)]
    by_minute = max(
        sum(units for span, units in occupied if span.start <= at < span.end) for at in moments
    )
    assert most_units(occupied, period) == by_minute
