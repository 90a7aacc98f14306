"""Activity is counted by days in London, in summer and in winter."""

from datetime import UTC, date, datetime

import pytest

from app.divisions import Division
from app.stock.queries import overview
from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry
from tests import factories

pytestmark = pytest.mark.differs_by_engine


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2026, 10, 24, 23, 30, tzinfo=UTC), date(2026, 10, 25)),
        (datetime(2026, 10, 25, 23, 59, 59, tzinfo=UTC), date(2026, 10, 25)),
        (datetime(2026, 10, 26, 0, 0, tzinfo=UTC), date(2026, 10, 26)),
        (datetime(2026, 9, 30, 22, 59, tzinfo=UTC), None),
        (datetime(2026, 9, 30, 23, 0, tzinfo=UTC), date(2026, 10, 1)),
        (datetime(2026, 10, 30, 23, 59, tzinfo=UTC), date(2026, 10, 30)),
        (datetime(2026, 10, 31, 0, 0, tzinfo=UTC), None),
    ],
)
def test_a_movement_belongs_to_its_day_in_london(context, moment, day):
    factories.add_history(PastEntry(moment, HistoryEvent.DELIVERY, "Mug", 1))
    _, found = overview.history_counts(Division.GFM, date(2026, 10, 30))
    assert [bar.day for bar in found.bars if bar.number] == ([day] if day else [])
    assert found.bars[0].day == date(2026, 10, 1)
