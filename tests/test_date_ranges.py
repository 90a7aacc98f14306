"""The ranges of days that a history offers."""

from datetime import date

from app.dates import quick_ranges


def test_the_quick_ranges_end_today_or_with_the_last_month():
    ranges = quick_ranges(date(2026, 3, 5))
    assert [(r.label, r.start, r.end) for r in ranges] == [
        ("Today", date(2026, 3, 5), date(2026, 3, 5)),
        ("Last 7 days", date(2026, 2, 27), date(2026, 3, 5)),
        ("Last 30 days", date(2026, 2, 4), date(2026, 3, 5)),
        ("This month", date(2026, 3, 1), date(2026, 3, 5)),
        ("Last month", date(2026, 2, 1), date(2026, 2, 28)),
        ("Year to date", date(2026, 1, 1), date(2026, 3, 5)),
    ]


def test_the_last_month_of_january_is_december():
    last_month = quick_ranges(date(2026, 1, 31))[4]
    assert (last_month.start, last_month.end) == (date(2025, 12, 1), date(2025, 12, 31))
