"""The orders that a list has."""

import pytest

from app.paging import COUNT_LIMIT, AtLeast
from app.sorting import SortColumn, SortColumns, SortKind, SortOrder

COLUMNS = SortColumns(
    {
        "date": SortColumn("Date", SortKind.DAY, indexed=True),
        "amount": SortColumn("Amount", SortKind.NUMBER),
        "team": SortColumn("Team"),
    },
    SortOrder("date", descending=True),
)
LATEST = COLUMNS.default


def test_few_rows_are_sorted_by_any_column():
    assert COLUMNS.usable(SortOrder("team"), COUNT_LIMIT) == SortOrder("team")


@pytest.mark.parametrize("total", [COUNT_LIMIT + 1, AtLeast(COUNT_LIMIT)])
def test_many_rows_are_sorted_by_what_an_index_has(total):
    assert COLUMNS.usable(SortOrder("team"), total) == LATEST
    assert COLUMNS.usable(SortOrder("date"), total) == SortOrder("date")
    assert [text for _, text in COLUMNS.orders(total)] == [
        "Date, newest first",
        "Date, oldest first",
    ]


def test_a_choice_names_every_order_with_the_likely_direction_first():
    assert [(str(order), text) for order, text in COLUMNS.orders(3)] == [
        ("-date", "Date, newest first"),
        ("date", "Date, oldest first"),
        ("-amount", "Amount, highest first"),
        ("amount", "Amount, lowest first"),
        ("team", "Team, A to Z"),
        ("-team", "Team, Z to A"),
    ]


@pytest.mark.parametrize("text", ["", "-", "--date", "colour", "DATE", " date"])
def test_an_unknown_order_of_an_address_is_the_list_s_own(text):
    assert COLUMNS.parse(text) == LATEST
