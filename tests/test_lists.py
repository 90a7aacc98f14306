import pytest

from app.errors import Invalid
from app.lists import ListChange, batches, check_unique


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
