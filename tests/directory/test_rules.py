"""What an import changes of a key, and what a search finds."""

import pytest

from app.directory.rules import KeyState, holds_words, updated_key


def test_an_import_keeps_the_spelling_of_a_code_and_takes_the_rest():
    present = KeyState("K1", "Boiler room", "Kitchen", "old")
    assert updated_key(present, KeyState("k1", "BOILER  room", "", "new")) == KeyState(
        "K1", "Boiler room", "", "new"
    )
    assert updated_key(present, KeyState("K1", "Cellar", "Kitchen", "")).name == "Cellar"


@pytest.mark.parametrize(
    ("search", "is_found"),
    [
        ("", True),
        ("boiler", True),
        ("KITCH boil", True),
        ("boiler garden", False),
        ("%", False),
        ("ｋ1", True),
    ],
)
def test_every_word_of_a_search_must_stand_somewhere(search, is_found):
    assert holds_words(search, ("K1", "Boiler room", "Kitchen", "")) is is_found
