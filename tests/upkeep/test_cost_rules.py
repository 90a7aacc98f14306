from datetime import date

from app.periods import first_day, periods
from app.vehicle_file import rules
from app.vehicle_file.rules import CostKind, MonthCost

JANUARY, FEBRUARY, MARCH = date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1)


def test_miles_count_from_two_readings_and_a_hundred_miles():
    for oldest, newest, miles in (
        (41_000, 48_210, 7_210),
        (41_000, 41_100, 100),
        (41_000, 41_099, None),
        (48_000, 41_000, None),
    ):
        assert rules.miles_driven(oldest, newest) == miles, newest
    assert rules.format_per_mile(rules.pence_per_mile(41_250, 3_320)) == "12.4p"
    assert rules.format_per_mile(rules.pence_per_mile(41_250, None)) == "–"


def test_twelve_months_end_on_a_day():
    assert first_day(date(2026, 11, 22)) == date(2025, 12, 1)
    assert first_day(date(2026, 12, 31)) == JANUARY


def test_a_range_of_days_has_a_bar_for_each_month_cut_at_its_ends():
    found = periods(date(2026, 1, 15), date(2026, 3, 4))
    assert found == [
        ("Jan", date(2026, 1, 15), date(2026, 1, 31), "Jan 2026"),
        ("Feb", FEBRUARY, date(2026, 2, 28), "Feb 2026"),
        ("Mar", MARCH, date(2026, 3, 4), "Mar 2026"),
    ]


def test_a_long_range_has_bars_for_quarters_or_years_cut_at_its_ends():
    end = date(2026, 11, 22)
    for start, number, labels in (
        (date(2025, 9, 1), 15, ["Sep", "Oct"]),
        (date(2025, 8, 1), 6, ["Q3 25", "Q4 25", "Q1 26", "Q2 26", "Q3 26", "Q4 26"]),
        (date(2022, 12, 31), 5, ["2022", "2023", "2024", "2025", "2026"]),
        (date(2000, 1, 1), 27, ["2000"]),
    ):
        found = periods(start, end)
        assert len(found) == number, start
        assert [period.label for period in found][: len(labels)] == labels
        assert (found[0].first, found[-1].last) == (start, end)
    assert [each.name for each in periods(date(2025, 8, 1), end)][:2] == ["Q3 2025", "Q4 2025"]
    assert periods(date(2000, 1, 1), end)[-1].name == "2026"


def test_the_highest_kinds_are_shown_apart_and_the_others_put_together():
    found = [
        MonthCost(JANUARY, CostKind.REPAIR, 90_000),
        MonthCost(FEBRUARY, CostKind.REPAIR, 1_000),
        MonthCost(JANUARY, CostKind.TAX, 32_000),
        MonthCost(MARCH, CostKind.SERVICE, 40_000),
        MonthCost(MARCH, CostKind.MOT, 5_485),
        MonthCost(MARCH, CostKind.TYRES, 300),
    ]
    series = rules.series(found, periods(JANUARY, MARCH))
    assert [(each.label, each.amounts) for each in series] == [
        ("Repairs", [90_000, 1_000, 0]),
        ("Service", [0, 0, 40_000]),
        ("Tax", [32_000, 0, 0]),
        ("Other kinds", [0, 0, 5_785]),
    ]
    assert series[-1].keys == [CostKind.MOT, CostKind.TYRES]
    four = rules.series(found[:-1], periods(JANUARY, MARCH))
    assert [each.label for each in four] == ["Repairs", "Service", "Tax", "MOT"]


def test_months_belong_to_the_quarter_that_they_are_in():
    each = periods(date(2025, 2, 10), date(2026, 11, 22))
    series = rules.series([MonthCost(date(2025, 2, 1), CostKind.TAX, 7)], each)
    assert series[0].amounts == [7, 0, 0, 0, 0, 0, 0, 0]
