"""Imported keys."""

from app.directory.rules import KeyState, merge_imported


def test_an_import_keeps_the_spelling_of_code_and_name():
    current = KeyState("K1", "Boiler room", "Kitchen", "old")
    assert merge_imported(current, KeyState("k1", "BOILER  room", "", "new")) == KeyState(
        "K1", "Boiler room", "", "new"
    )
    assert merge_imported(current, KeyState("K1", "Cellar", "Kitchen", "")).name == "Cellar"
