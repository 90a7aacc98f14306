"""The orders of the history, which is newest first of itself."""

from datetime import UTC, datetime

import pytest

from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry

pytestmark = pytest.mark.differs_by_engine


def moved(item, day, amount, team, price, event=HistoryEvent.WITHDRAWAL):
    return PastEntry(
        datetime(2011, 12, day, 9, tzinfo=UTC), event, item, amount, team, unit_price=price
    )


ORDERS = [
    ("", ["mug", "Tea", "Cup"]),
    ("date", ["Cup", "Tea", "mug"]),
    ("item", ["Cup", "mug", "Tea"]),
    ("-amount", ["mug", "Cup", "Tea"]),
    ("-team", ["Tea", "mug", "Cup"]),
    ("event", ["mug", "Tea", "Cup"]),
    ("price", ["Cup", "mug", "Tea"]),
    ("-total", ["mug", "Cup", "Tea"]),
]


def test_every_heading_sorts_and_equal_rows_stay_newest_first(keeper, add_history):
    add_history(
        moved("Cup", 1, 2, "Bar", 100),
        moved("Tea", 2, 9, "Shop", 300),
        moved("mug", 3, 4, "Bar", 200, HistoryEvent.DELIVERY),
    )
    for sort, found in ORDERS:
        for query in ("", "site=main&", "q=2011&"):
            page = keeper.open(f"/history?{query}sort={sort}")
            assert [row.th.get_text(strip=True) for row in page.html.select("#rows tr")] == found, (
                sort
            )
