"""Readings of tests that have only rules."""

from app.mileage.rules import ReadingSpan, find_doubt


def span_of(readings):
    """Return the span of readings, None without any."""
    return ReadingSpan(min(readings), max(readings), len(readings)) if readings else None


def never_fall(readings):
    """Return whether readings rise or stay from day to day; their order doesn't matter."""
    miles = [reading.miles for reading in sorted(readings)]
    return miles == sorted(miles)


def doubts_in_order(readings):
    """Return why each reading isn't used, judged by the one before it that is."""
    doubts, before = [], None
    for reading in readings:
        doubts.append(find_doubt(reading.miles, reading.day, before=before, after=None))
        before = before if doubts[-1] else reading
    return doubts
