"""Charts: an amount over time, and a bar per day."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.charts import MAX_POINTS, bar_chart, scale, shares, step_chart

DAYS = [date(2026, 11, day) for day in range(18, 22)]
START = datetime(2026, 1, 1, tzinfo=UTC)


def test_bars_are_as_high_as_their_day_is_busy_and_a_day_without_any_has_none():
    chart = bar_chart(list(zip(DAYS, (8, 0, 4, 2), strict=True)))
    assert [bar.height for bar in chart.bars] == [100, 0, 50, 25]
    assert list(chart.ticks) == [0, 2, 4, 6, 8]
    assert chart.total == 14


def test_a_small_amount_is_visibly_different_from_zero():
    chart = bar_chart([(DAYS[0], 100_000), (DAYS[1], 1)])
    assert chart.bars[1].height == 1


def test_of_two_equal_days_the_later_is_the_busiest():
    chart = bar_chart([(DAYS[0], 7), (DAYS[1], 7), (DAYS[2], 1)])
    assert (chart.busiest.day, chart.busiest.number) == (DAYS[1], 7)


def test_days_without_anything_have_no_bars():
    chart = bar_chart([(day, 0) for day in DAYS])
    assert ({bar.height for bar in chart.bars}, chart.total) == ({0}, 0)


def test_a_chart_describes_its_lowest_highest_and_latest_amount():
    points = [(START + timedelta(days=n), amount) for n, amount in enumerate([5, 40, 0, 12])]
    chart = step_chart(points, START + timedelta(days=8))
    assert (chart.lowest, chart.highest, chart.latest, chart.since) == (0, 40, 12, START)
    assert chart.line == "M0 49.5H72V4H148V56H223V40.4H600"


def test_a_chart_has_room_for_an_amount_that_an_earlier_date_leaves_below_zero():
    points = [(START + timedelta(days=n), amount) for n, amount in enumerate([-10, 40])]
    chart = step_chart(points, START + timedelta(days=2))
    assert (chart.lowest, chart.line) == (-10, "M0 56H298V4H600")


def test_a_chart_of_very_many_movements_has_at_most_200_points():
    points = [(START + timedelta(minutes=n), n % 90) for n in range(20_000)]
    chart = step_chart(points, START + timedelta(minutes=20_000))
    assert chart.line.count("V") < MAX_POINTS
    assert (chart.lowest, chart.highest) == (0, 89)


def test_an_item_that_never_moved_has_no_chart_and_one_that_was_always_empty_has():
    assert step_chart([], START) is None
    assert step_chart([(START, 0)], START).highest == 0


def test_bars_are_shares_of_the_highest_amount_and_zero_has_none():
    assert shares([10**20, 10**20 // 3, 1, 0]) == [100, 33.3, 0.5, 0]
    assert shares([0, 0]) == [0, 0]
    assert shares([]) == []


@pytest.mark.parametrize(
    ("largest", "ticks"),
    [
        (0, [0, 1]),
        (1, [0, 1]),
        (4, [0, 1, 2, 3, 4]),
        (5, [0, 2, 4, 6]),
        (268, [0, 100, 200, 300]),
        (1200, [0, 500, 1000, 1500]),
        (999_999_999, [0, 500_000_000, 1_000_000_000]),
    ],
)
def test_a_scale_has_few_round_numbers_up_to_the_largest(largest, ticks):
    assert list(scale(largest)) == ticks
