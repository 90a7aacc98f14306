"""Activity is counted by days in London, in summer and in winter."""

from collections import Counter
from datetime import date, datetime

import pytest

from app.divisions import Division
from app.stock.queries import overview
from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry
from tests import factories

pytestmark = pytest.mark.differs_by_engine


MOMENTS = {
    "2026-09-30 22:59": None,
    "2026-09-30 23:00": date(2026, 10, 1),
    "2026-10-24 23:30": date(2026, 10, 25),
    "2026-10-25 23:59:59": date(2026, 10, 25),
    "2026-10-26 00:00": date(2026, 10, 26),
    "2026-10-30 23:59": date(2026, 10, 30),
    "2026-10-31 00:00": None,
}


def test_a_movement_belongs_to_its_day_in_london(context):
    factories.add_history(
        *(
            PastEntry(datetime.fromisoformat(f"{moment}Z"), HistoryEvent.DELIVERY, "Mug", 1)
            for moment in MOMENTS
        )
    )
    _, found = overview.history_counts(Division.GFM, date(2026, 10, 30))
    expected = Counter(day for day in MOMENTS.values() if day)
    assert {bar.day: bar.number for bar in found.bars if bar.number} == expected
    assert found.bars[0].day == date(2026, 10, 1)
