"""Imported keys, and how long keys are out."""

from datetime import date

import pytest

from app.directory.rules import KeyState, describe_time_out, merge_imported


@pytest.mark.parametrize(
    ("since", "text"),
    [
        (date(2026, 11, 22), "since today"),
        (date(2026, 11, 21), "since 21 Nov, 1 day"),
        (date(2026, 11, 3), "since 3 Nov, 19 days"),
        (date(2023, 11, 22), "since 22 Nov 2023, 1,096 days"),
    ],
)
def test_how_long_a_key_is_out_is_given_in_days(since, text):
    assert describe_time_out(since, date(2026, 11, 22)) == text


def test_an_import_keeps_the_spelling_of_code_and_name():
    current = KeyState("K1", "Boiler room", "Kitchen", "old")
    assert merge_imported(current, KeyState("k1", "BOILER  room", "", "new")) == KeyState(
        "K1", "Boiler room", "", "new"
    )
    assert merge_imported(current, KeyState("K1", "Cellar", "Kitchen", "")).name == "Cellar"
