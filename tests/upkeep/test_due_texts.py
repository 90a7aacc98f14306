"""What the list of what is due says of an item."""

from datetime import date

from app.due.rules.due import Terms, describe_reason, judge
from app.due.rules.fields import Blocks, DueKind
from app.mileage.rules import Forecast, Mileage

TODAY = date(2026, 11, 20)


def test_the_line_under_an_item_says_what_is_left_by_miles_and_what_that_rests_on():
    by_miles = Terms(DueKind.TYRES, "Tyres", None, 50_000, 30, 1000, Blocks.WARN)
    last = Mileage(TODAY, 49_000)
    forecast = Forecast(last, 900, 90, 8)
    lines = [
        describe_reason(by_miles, judge(by_miles, TODAY, mileage=mileage, forecast=found), TODAY)
        for mileage, found in [
            (last, forecast),
            (last, None),
            (Mileage(TODAY, 50_001), None),
            (None, None),
        ]
    ]
    assert lines == [
        "Due at 50,000 miles, in about 1,000 miles, about 28 Feb, from 8 readings.",
        "Due at 50,000 miles, in 1,000 miles. No forecast: it takes two readings 14 days apart.",
        "Due at 50,000 miles, 1 mile ago.",
        "Due at 50,000 miles. No mileage yet: no forecast.",
    ]
