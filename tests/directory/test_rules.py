"""Imported keys and searches."""

import pytest

from app.directory.rules import KeyState, matches_search, merge_imported


def test_an_import_keeps_the_spelling_of_code_and_name():
    current = KeyState("K1", "Boiler room", "Kitchen", "old")
    assert merge_imported(current, KeyState("k1", "BOILER  room", "", "new")) == KeyState(
        "K1", "Boiler room", "", "new"
    )
    assert merge_imported(current, KeyState("K1", "Cellar", "Kitchen", "")).name == "Cellar"


@pytest.mark.parametrize(
    ("search", "matches"),
    [
        ("", True),
        ("boiler", True),
        ("KITCH boil", True),
        ("boiler garden", False),
        ("%", False),
        ("ｋ1", True),
    ],
)
def test_every_word_of_a_search_must_occur_in_some_text(search, matches):
    assert matches_search(search, ("K1", "Boiler room", "Kitchen", "")) is matches
