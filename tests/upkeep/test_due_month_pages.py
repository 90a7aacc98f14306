"""The month view of what is due refuses what is no month."""

import pytest


@pytest.mark.parametrize(
    ("month", "problem"),
    [
        ("nonsense", "Month must be a year and a month, such as 2027-01."),
        ("2026-13", "Month must be a year and a month, such as 2027-01."),
        ("1900-01", "Choose a month within 20 years of today."),
    ],
)
def test_a_month_that_is_none_is_refused_with_the_reason(manager, month, problem):
    page = manager.open(f"/fleet/due/month?month={month}")
    assert page.status == 422
    assert problem in page.text
