"""Write calendars of whole days and of moments in UTC, as RFC 5545 has them; pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

MAX_LINE_BYTES = 75

_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


@dataclass(frozen=True)
class CalendarEvent:
    """An event until another day or moment, not included; `sequence` grows with each change."""

    uid: str
    start: date
    end: date
    summary: str
    description: str
    sequence: int
    changed_at: datetime


def write_calendar(name: str, events: Iterable[CalendarEvent], now: datetime) -> str:
    """Return a calendar, its lines folded and ended as the format demands."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//Quartermaster//{_text(name)}//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT4H",
        "X-PUBLISHED-TTL:PT4H",
    ]
    for event in events:
        lines += _event(event, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(event: CalendarEvent, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{event.uid}"
    yield f"DTSTAMP:{_moment(now)}"
    yield f"DTSTART{_date(event.start)}"
    yield f"DTEND{_date(event.end)}"
    yield f"SUMMARY:{_text(event.summary)}"
    if event.description:
        yield f"DESCRIPTION:{_text(event.description)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"LAST-MODIFIED:{_moment(event.changed_at)}"
    if not isinstance(event.start, datetime):
        yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _date(at: date) -> str:
    return f":{_moment(at)}" if isinstance(at, datetime) else f";VALUE=DATE:{at:%Y%m%d}"


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
