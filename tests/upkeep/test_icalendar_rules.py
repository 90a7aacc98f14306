"""Calendars of whole days, and of moments."""

from datetime import UTC, date, datetime, timedelta

from app.dates import LONDON
from app.due.rules.icalendar import CalendarEvent, write_calendar

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def written(**values):
    """Return the lines of a calendar with one day, unfolded, and the lines as they are sent."""
    days = {"start": date(2026, 12, 31), "end": date(2027, 1, 1)}
    event = {"uid": "due-1@q", **days, "summary": "MOT", "description": "", "sequence": 2}
    text = write_calendar("Due", [CalendarEvent(**{**event, "changed_at": NOW, **values})], NOW)
    return text.replace("\r\n ", "").split("\r\n"), text.split("\r\n")


def test_a_day_ends_on_the_next_one():
    lines, _ = written()
    assert "DTSTART;VALUE=DATE:20261231" in lines
    assert "DTEND;VALUE=DATE:20270101" in lines
    assert {"UID:due-1@q", "SEQUENCE:2", "LAST-MODIFIED:20261120T120000Z"} <= set(lines)


def test_a_moment_of_summer_is_written_in_utc():
    start = datetime(2026, 7, 1, 9, tzinfo=LONDON)
    lines, _ = written(start=start, end=start + timedelta(hours=3))
    assert {"DTSTART:20260701T080000Z", "DTEND:20260701T110000Z"} <= set(lines)


def test_texts_are_escaped():
    lines, _ = written(summary="Oil; filter, \\ and\nmore")
    assert "SUMMARY:Oil\\; filter\\, \\\\ and\\nmore" in lines


def test_long_lines_are_folded_between_characters():
    lines, sent = written(summary="é" * 100)
    assert f"SUMMARY:{'é' * 100}" in lines
    assert max(len(line.encode()) for line in sent) == 75
