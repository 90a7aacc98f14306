"""Which values of a change an event has."""

import re
from dataclasses import dataclass
from datetime import date

from app.divisions import Site
from app.events.rules import EventKind, differences, runs, values_of
from tests.architecture.tree import ROOT


@dataclass(frozen=True)
class Order:
    item: str = "Cup"
    amount: int = 3
    buyer: str = ""
    on: date | None = None
    site: Site = Site.MAIN


def test_only_the_values_that_differ_are_recorded():
    assert differences(Order(), Order(amount=4, on=date(2026, 1, 2), site=Site.GUILDFORD)) == (
        {"amount": 3, "on": None, "site": "main"},
        {"amount": 4, "on": "2026-01-02", "site": "guildford"},
    )


def test_of_a_text_that_may_name_a_person_only_the_field_is_listed():
    before, after = Order(buyer="Ann"), Order("Mug", buyer="Bob")
    assert differences(before, after, texts=["item"]) == (
        {"item": "Cup"},
        {"item": "Mug", "other_fields": ["buyer"]},
    )


def test_a_new_state_has_its_values_without_empty_ones_and_texts_that_may_name_people():
    assert values_of(Order(buyer="Ann"), texts=["item"]) == {
        "item": "Cup",
        "amount": 3,
        "site": "main",
    }


def test_ids_are_listed_as_runs():
    for ids, expected in (
        ([], []),
        ([4], [[4, 4]]),
        ([7, 3, 4, 5, 9], [[3, 5], [7, 7], [9, 9]]),
    ):
        assert runs(ids) == expected


def test_the_document_lists_every_kind_and_no_other():
    text = (ROOT / "docs/events.md").read_text().partition("## Kinds")[2]
    assert re.findall(r"^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$", text, re.MULTILINE) == list(EventKind)
