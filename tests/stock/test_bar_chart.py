"""A bar per day."""

from datetime import date

from app.stock.rules.chart import bar_chart

DAYS = [date(2026, 11, day) for day in range(18, 22)]


def test_bars_are_as_high_as_their_day_is_busy_and_a_day_without_any_has_none():
    chart = bar_chart(list(zip(DAYS, (8, 0, 4, 2), strict=True)))
    assert chart.bars == "M0 32v-32h3V32zM8 32v-16h3V32zM12 32v-8h3V32z"
    assert chart.width == 15
    assert chart.total == 14


def test_a_little_is_told_from_nothing():
    chart = bar_chart([(DAYS[0], 100_000), (DAYS[1], 1)])
    assert chart.bars.endswith("M4 32v-1h3V32z")


def test_of_two_equal_days_the_later_is_the_busiest():
    assert bar_chart([(DAYS[0], 7), (DAYS[1], 7), (DAYS[2], 1)]).busiest == (DAYS[1], 7)


def test_days_without_anything_have_no_bars():
    chart = bar_chart([(day, 0) for day in DAYS])
    assert (chart.bars, chart.total) == ("", 0)
