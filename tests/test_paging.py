"""Pages of long lists, and counts that end at a limit."""

import pytest
from sqlalchemy import select

from app import sums
from app.money import format_number
from app.paging import AtLeast, clamp_page, load_page
from app.stock.models import Item
from tests import factories

pytestmark = pytest.mark.differs_by_engine


@pytest.mark.parametrize(
    ("page", "total", "expected"),
    [(1, 0, (1, 1)), (0, 25, (1, 1)), (2, 26, (2, 2)), (9, 26, (2, 2)), (9, AtLeast(50), (2, 2))],
)
def test_a_page_beyond_the_last_is_the_last(page, total, expected):
    assert clamp_page(page, total=total, per_page=25) == expected


def test_a_count_that_ended_at_its_limit_says_so_in_rows_and_pages():
    page = load_page(1, total=AtLeast(1000), per_page=25, load=lambda limit, _: range(limit))
    assert (format_number(page.total), format_number(page.pages)) == ("1,000+", "40+")


def test_matches_are_counted_up_to_the_limit(context, monkeypatch):
    factories.items([(f"HEART {n}", n) for n in range(5)])
    monkeypatch.setattr(sums, "COUNT_LIMIT", 5)
    every = select(Item.id).order_by(Item.name)
    assert format_number(sums.count_matches(every)) == "5"
    monkeypatch.setattr(sums, "COUNT_LIMIT", 4)
    assert format_number(sums.count_matches(every)) == "4+"
