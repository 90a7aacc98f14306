"""Days are London's, times are UTC."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app import dates
from app.errors import Invalid


@pytest.mark.parametrize(
    ("day", "noon"),
    [
        (date(2026, 1, 15), datetime(2026, 1, 15, 12, tzinfo=UTC)),
        (date(2026, 7, 15), datetime(2026, 7, 15, 11, tzinfo=UTC)),
        (date(2026, 3, 29), datetime(2026, 3, 29, 11, tzinfo=UTC)),
        (date(2026, 10, 25), datetime(2026, 10, 25, 12, tzinfo=UTC)),
    ],
)
def test_an_operation_is_at_noon_in_london_in_winter_and_summer(day, noon):
    assert dates.noon_in_london(day) == noon
    assert dates.london_day(noon) == day


def test_a_summer_night_belongs_to_the_day_that_london_sees():
    assert dates.london_day(datetime(2026, 6, 30, 23, 30, tzinfo=UTC)) == date(2026, 7, 1)


def test_days_are_formatted_in_words():
    assert dates.format_day(date(2011, 12, 9)) == "9 Dec 2011"


def test_days_in_a_text_are_formatted_in_words_but_for_those_in_names_of_files():
    text = "From 2011-12-09 (2012-01-02) to 2011-13-40, list-2011-12-09.csv, 2011-12-09.csv."
    assert dates.format_days_in(text) == (
        "From 9 Dec 2011 (2 Jan 2012) to 2011-13-40, list-2011-12-09.csv, 2011-12-09.csv."
    )


def test_a_time_for_machines_has_no_fraction_of_a_second():
    moment = datetime(2026, 7, 15, 11, 2, 3, 456789, tzinfo=UTC)
    assert dates.format_machine_time(moment) == "2026-07-15T11:02:03+00:00"


@pytest.mark.parametrize("text", ["", "9/12/2011", "2011-2-30", "x" * 100])
def test_a_text_that_is_no_day_is_refused(text):
    with pytest.raises(Invalid, match="is not a date like 2011-12-09"):
        dates.parse_day(text)


@pytest.mark.parametrize("text", ["2011-13-01", "2011-02-30", "2027-02-29"])
def test_a_day_that_the_calendar_lacks_is_refused(text):
    with pytest.raises(Invalid, match=f'"{text}" is not in the calendar'):
        dates.parse_day(text)


@pytest.mark.parametrize(
    ("day", "begins", "hours"),
    [
        (date(2026, 1, 15), datetime(2026, 1, 15, tzinfo=UTC), 24),
        (date(2026, 7, 15), datetime(2026, 7, 14, 23, tzinfo=UTC), 24),
        (date(2026, 3, 29), datetime(2026, 3, 29, tzinfo=UTC), 23),
        (date(2026, 10, 25), datetime(2026, 10, 24, 23, tzinfo=UTC), 25),
    ],
)
def test_a_day_in_london_has_23_24_or_25_hours(day, begins, hours):
    assert dates.start_of_day(day) == begins
    assert (dates.end_of_day(day) - begins).total_seconds() == hours * 3600


def test_the_last_representable_day_has_an_end():
    assert dates.end_of_day(date.max) > dates.start_of_day(date.max)


def test_a_time_is_written_with_seconds_only_where_it_has_some():
    assert dates.format_local_time(datetime(2011, 7, 9, 11, 50, tzinfo=UTC)) == "2011-07-09 12:50"
    assert (
        dates.format_local_time(datetime(2011, 7, 9, 11, 50, 7, tzinfo=UTC))
        == "2011-07-09 12:50:07"
    )


SENT_AT = datetime(2026, 7, 15, 13, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("made_at", "text"),
    [
        (None, ""),
        (SENT_AT, ""),
        (datetime(2026, 7, 15, 13, 1, tzinfo=UTC), ""),
        (datetime(2026, 7, 15, 13, 3, tzinfo=UTC), ""),
        (datetime(2026, 7, 15, 13, 0, 59, tzinfo=UTC), "Sent 14:02, made 14:00"),
        (datetime(2026, 7, 15, 8, 40, tzinfo=UTC), "Sent 14:02, made 9:40"),
        (datetime(2026, 7, 14, 22, 59, tzinfo=UTC), "Sent 15 Jul 14:02, made 14 Jul 23:59"),
        (datetime(2025, 12, 31, 9, 5, tzinfo=UTC), "Sent 15 Jul 2026 14:02, made 31 Dec 2025 9:05"),
    ],
)
def test_a_change_that_waited_has_two_times_and_their_days_where_they_differ(made_at, text):
    assert dates.describe_sending(made_at, SENT_AT) == text


def test_a_sentence_has_the_time_in_london_without_a_leading_zero():
    assert dates.short_time(datetime(2026, 7, 15, 8, 5, tzinfo=UTC)) == "9:05"
    assert dates.short_time(SENT_AT) == "14:02"


def test_a_moment_in_a_sentence_has_its_day_unless_that_is_today():
    assert dates.moment_in_sentence(SENT_AT, dates.london_day(SENT_AT)) == "at 14:02"
    day = dates.format_day(dates.london_day(SENT_AT))
    assert dates.moment_in_sentence(SENT_AT, date(2030, 1, 1)) == f"on {day} at 14:02"


def test_the_time_stands_still_at_a_past_moment_and_goes_on_after_it():
    then = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
    with dates.as_of(then):
        assert dates.utc_now() == then
        with dates.as_of(then + timedelta(days=1)):
            assert dates.today() == date(2026, 3, 30)
        assert dates.today() == date(2026, 3, 29)
    assert dates.utc_now() > then


def test_the_quick_ranges_end_today_or_with_the_last_month():
    ranges = dates.quick_ranges(date(2026, 3, 5))
    assert [(r.label, r.start, r.end) for r in ranges] == [
        ("Today", date(2026, 3, 5), date(2026, 3, 5)),
        ("Last 7 days", date(2026, 2, 27), date(2026, 3, 5)),
        ("Last 30 days", date(2026, 2, 4), date(2026, 3, 5)),
        ("This month", date(2026, 3, 1), date(2026, 3, 5)),
        ("Last month", date(2026, 2, 1), date(2026, 2, 28)),
        ("Year to date", date(2026, 1, 1), date(2026, 3, 5)),
    ]


def test_the_last_month_of_january_is_december():
    last_month = dates.quick_ranges(date(2026, 1, 31))[4]
    assert (last_month.start, last_month.end) == (date(2025, 12, 1), date(2025, 12, 31))
