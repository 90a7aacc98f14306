"""Which odometer readings are used."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mileage.rules import Doubt, Mileage, describe_doubt, find_doubt
from tests.upkeep.readings import doubts_in_order, never_fall

NOV = [date(2026, 11, day) for day in range(1, 31)]
BEFORE = Mileage(NOV[3], 48_190)
AFTER = Mileage(NOV[20], 49_000)

READINGS = st.builds(Mileage, st.sampled_from(NOV), st.integers(0, 30_000))


@pytest.mark.parametrize(
    ("miles", "day", "doubt"),
    [
        (48_190, NOV[4], None),
        (48_191, NOV[3], None),
        (48_189, NOV[3], Doubt.FELL),
        (48_010, NOV[4], Doubt.FELL),
        (49_190, NOV[3], None),
        (49_191, NOV[3], Doubt.JUMPED),
        (50_190, NOV[5], None),
        (50_191, NOV[5], Doubt.JUMPED),
        (480_210, NOV[9], Doubt.JUMPED),
    ],
)
def test_a_reading_falls_or_rises_by_more_than_a_thousand_miles_a_day(miles, day, doubt):
    assert find_doubt(miles, day, before=BEFORE, after=None) is doubt


@pytest.mark.parametrize(
    ("miles", "after", "doubt"),
    [
        (48_500, AFTER, None),
        (49_000, AFTER, None),
        (49_001, AFTER, Doubt.JUMPED),
        # The next one would jump.
        (48_500, Mileage(NOV[11], 60_000), Doubt.FELL),
    ],
)
def test_a_reading_of_an_earlier_day_fits_between_its_neighbours(miles, after, doubt):
    assert find_doubt(miles, NOV[10], before=BEFORE, after=after) is doubt


def test_the_first_reading_is_used_whatever_it_is():
    assert find_doubt(999_999, NOV[0], before=None, after=None) is None


def test_one_typing_error_makes_only_itself_doubtful():
    miles = (48_190, 480_210, 48_210, 48_300)
    rows = [Mileage(day, each) for day, each in zip(NOV, miles, strict=False)]
    assert doubts_in_order(rows) == [None, Doubt.JUMPED, None, None]


@given(st.lists(READINGS))
def test_what_is_used_never_falls(readings):
    rows = sorted(readings)
    doubts = zip(rows, doubts_in_order(rows), strict=True)
    assert never_fall([row for row, doubt in doubts if doubt is None])


def test_the_question_about_a_doubtful_reading_names_its_neighbour():
    assert describe_doubt(480_210, NOV[9], Mileage(date(2026, 11, 3), 48_190)) == (
        "Is 480,210 right? It was 48,190 on 3 Nov."
    )
    other_year = NOV[0] - timedelta(days=365)
    assert describe_doubt(5, NOV[9], Mileage(other_year, 48_190)).endswith("on 1 Nov 2025.")
