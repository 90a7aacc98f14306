"""Whole lists, and the orders that a list has."""

import pytest

from app.errors import Invalid
from app.lists import ListChange, batches, check_unique
from app.paging import COUNT_LIMIT, AtLeast
from app.sorting import SortColumn, SortColumns, SortKind, SortOrder, describe_unsortable


def test_an_entry_named_twice_is_refused_at_its_index():
    entries = [("a", "A"), ("b", "B"), ("a", "Ａ")]
    with pytest.raises(Invalid) as refused:
        check_unique(entries, "id")
    assert refused.value.fields == {"2.id": '"Ａ" is in the list twice'}


def test_entries_without_a_key_are_no_duplicates_of_each_other():
    check_unique([("", ""), ("", ""), ("a", "A")], "id")


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (1, [1]), (3, [3]), (4, [3, 1]), (7, [3, 3, 1])]
)
def test_batches_contain_every_entry_once_and_in_order(count, sizes):
    entries = list(range(count))
    found = list(batches(entries, 3))
    assert [len(batch) for batch in found] == sizes
    assert [entry for batch in found for entry in batch] == entries


def test_a_list_equal_to_the_stored_one_is_no_change():
    assert not ListChange(unchanged=7)
    assert ListChange(removed=1)


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


def test_an_order_that_no_index_has_is_refused_by_what_can_be_done_instead():
    for indexed, is_few, text in (
        (["item", "amount"], False, "So many rows can be sorted by item or amount only. Narrow"),
        (["a", "b", "c"], False, "So many rows can be sorted by a, b or c only. Narrow the list."),
        ([], False, "So many rows can't be sorted. Narrow the list."),
        (["date"], True, "In parts the list can be sorted by date only. Ask for it without a"),
    ):
        assert describe_unsortable(indexed, is_few=is_few).startswith(text)
