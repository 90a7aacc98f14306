"""Calendars of whole days."""

from datetime import UTC, date, datetime

from app.due.rules.icalendar import CalendarDay, write_calendar

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def written(**values):
    """Return the lines of a calendar with one day, unfolded, and the lines as they are sent."""
    day = {"uid": "due-1@q", "day": date(2026, 12, 31), "summary": "MOT", "description": ""}
    day |= {"sequence": 2, "changed_at": NOW, **values}
    text = write_calendar("Due", [CalendarDay(**day)], NOW)
    return text.replace("\r\n ", "").split("\r\n"), text.split("\r\n")


def test_a_day_ends_on_the_next_one():
    lines, _ = written()
    assert "DTSTART;VALUE=DATE:20261231" in lines
    assert "DTEND;VALUE=DATE:20270101" in lines
    assert {"UID:due-1@q", "SEQUENCE:2", "LAST-MODIFIED:20261120T120000Z"} <= set(lines)


def test_texts_are_escaped():
    lines, _ = written(summary="Oil; filter, \\ and\nmore")
    assert "SUMMARY:Oil\\; filter\\, \\\\ and\\nmore" in lines


def test_long_lines_are_folded_between_characters():
    lines, sent = written(summary="é" * 100)
    assert f"SUMMARY:{'é' * 100}" in lines
    assert max(len(line.encode()) for line in sent) == 75
