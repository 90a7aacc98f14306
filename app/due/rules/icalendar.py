"""Write calendars of whole days, which need no time zone, as RFC 5545 has them; pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

MAX_LINE_BYTES = 75

_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


@dataclass(frozen=True)
class CalendarDay:
    """An event of a whole day; `sequence` grows with every change of it."""

    uid: str
    day: date
    summary: str
    description: str
    sequence: int
    changed_at: datetime


def write_calendar(name: str, days: Iterable[CalendarDay], now: datetime) -> str:
    """Return a calendar, its lines folded and ended as the format demands."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Quartermaster//What is due//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT4H",
        "X-PUBLISHED-TTL:PT4H",
    ]
    for day in days:
        lines += _event(day, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(event: CalendarDay, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{event.uid}"
    yield f"DTSTAMP:{_moment(now)}"
    yield f"DTSTART;VALUE=DATE:{event.day:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{event.day + timedelta(days=1):%Y%m%d}"
    yield f"SUMMARY:{_text(event.summary)}"
    if event.description:
        yield f"DESCRIPTION:{_text(event.description)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"LAST-MODIFIED:{_moment(event.changed_at)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _text(text: str) -> str:
    return text.translate(_ESCAPED)


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: str) -> Iterator[str]:
    """Yield a line in parts of 75 bytes at most, without splitting a character."""
    part, size = "", 0
    for character in line:
        width = len(character.encode())
        if size + width > MAX_LINE_BYTES:
            yield part
            part, size = " ", 1
        part += character
        size += width
    yield part
