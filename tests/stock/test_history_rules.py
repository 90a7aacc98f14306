"""What events, sites and teams mean, and which days a range has."""

import csv
from pathlib import Path

import pytest

from app.divisions import Division
from app.stock.rules import history as rules
from app.stock.rules.history import HistoryEvent
from app.stock.rules.items import EntryKind

SAMPLE = Path(__file__).parent / "data" / "gfm-history-sample.csv"


EVENTS = {
    "Delivery": [
        *("Delivery", "Delivery from guildford", "delivery FROM Northern", "  DELIVERED "),
        *("Late delivery", "deliver", "received", "in", "IN", "inc", "goods_in", "stock-in"),
        *("+5", "+", "Delivery from GPM (2026-01-05)"),
    ],
    "Withdrawal": [
        *("Withdrawal", "Withdrawal to main", "withdrew", "Withdrawn", "withdraw", "out", "dec"),
        *("issued", "goods out", "-3", "−3"),
    ],
    "Other": [
        *("", "Other", "Transfer to guildford", "Transfer out: withdrawal"),
        *("Stock Check 2026-11-21", "New item from GPM delivery", "Undo: Delivery"),
        *("Delivery cancelled", "Delivery and withdrawal", "set", "Inventory", "outing"),
        *("Import of list.csv",),
    ],
}


def test_an_event_is_read_from_the_texts_of_old_histories():
    for event, texts in EVENTS.items():
        for text in texts:
            assert rules.parse_event(text) == event, text


def test_the_sign_decides_if_the_text_names_no_event():
    assert rules.parse_event("", 4) is HistoryEvent.DELIVERY
    assert rules.parse_event(" ", -4) is HistoryEvent.WITHDRAWAL
    assert rules.parse_event("", 0) is HistoryEvent.OTHER
    assert rules.parse_event("Transfer to main", -4) is HistoryEvent.OTHER


@pytest.mark.parametrize(
    ("text", "gfm", "gpm"),
    [
        ("Delivery", "main", ""),
        ("Delivery from guildford", "guildford", "guildford"),
        ("Withdrawal to NORTHERN", "northern", "northern"),
        ("Withdrawal to main", "main", "main"),
        ("Withdrawal to London", "main", "other"),
        ("Delivery from GPM (2026-01-05)", "main", ""),
        ("Delivery from 3 vans", "main", ""),
        ("mainly out", "main", ""),
        ("", "main", ""),
    ],
)
def test_a_site_is_inferred_from_the_event(text, gfm, gpm):
    assert rules.infer_site(text, Division.GFM) == gfm
    assert rules.infer_site(text, Division.GPM) == gpm


def test_only_deliveries_and_withdrawals_are_labelled_as_such():
    other = {kind for kind in EntryKind if rules.event_of(kind) is HistoryEvent.OTHER}
    assert other == {*EntryKind} - {EntryKind.DELIVERY, EntryKind.WITHDRAWAL}
    for event in HistoryEvent:
        assert rules.event_of(rules.IMPORTED_AS[event]) is event
        assert rules.IMPORTED_AS[event] in rules.kinds_of(event)


def test_a_withdrawal_takes_its_amount_and_other_events_have_their_own_sign():
    amounts = [(event.value, rules.signed_amount(event, 3)) for event in HistoryEvent]
    assert amounts == [("Delivery", 3), ("Withdrawal", -3), ("Other", 3)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("withdraw", ["withdrawal"]),
        ("stock", ["count"]),
        ("addition", ["addition"]),
        ("correction", []),
        ("other", ["transfer", "count", "addition", "correction", "removal"]),
    ],
)
def test_entries_are_found_by_what_all_of_their_kind_are_called(text, kinds):
    assert [kind.value for kind in EntryKind if rules.is_called(kind, text)] == kinds


@pytest.mark.parametrize(
    "team",
    [
        *("Kitchen", "Team 5", "Team A", "Team M", "Stock Check", "Deliveries", "Night shift"),
        *("RSA", "EIRE", "USA", "Channel Islands", "United Arab Emirates", "Hong Kong"),
        *("J. Smith", "S Jones", "O'Brien", "St. Mary's", "Müller & Söhne", "École", "東京"),
        *("Facilities (North)", "Guildford 2nd floor", "24th Regiment", "Ward 12", "House 10"),
        *("Unit 4", "Hub No. 4", "Team1", "Front of House", "X-Ray", "x" * 32),
    ],
)
def test_these_are_plausible_teams(team):
    assert rules.is_plausible_team(team)


NO_TEAMS = {
    "it is too long": ["x" * 33],
    "it is empty": ["", "  "],
    "it has no letter": ["12", "--"],
    "it has a currency sign": ["£20 team", "€5 team", "Team $"],
    "it is a quantity": [
        *("10 pcs", "5kg", "x10 blue", "2 x red", "12 boxes", "3 Pairs", "pack of 6"),
        *("qty three", "1.5 day"),
    ],
    "it is a unit": ["per week"],
    "it is a uniform": ["Uniform", "uniforms", "Polo M", "Hi-vis vest", "PPE"],
    "it is cleaning": ["Cleaning", "cleaners", "Toilet roll", "bin bags", "Hand towels"],
    "it is supplies": ["Supplies", "Office supply", "Consumables"],
    "it is a size": ["XL", "Blue XXL", "3XL", "M", "Blue M", "S/M", "Size 10", "UK 9", "Large"],
    "it is a code": [
        *("AB-1234", "SKU123", "PO 4432", "INV0042", "85123A", "AB12 CDE", "ABC12", "a_b"),
        *("#12 north", "0a1b2c3d4e"),
    ],
    "it is mostly digits": ["Ab 123 456", "A12"],
}


def test_these_are_not_teams():
    for because, teams in NO_TEAMS.items():
        assert [team for team in teams if rules.is_plausible_team(team)] == [], because


def test_every_country_of_the_real_history_is_a_plausible_team():
    with SAMPLE.open(newline="") as file:
        teams = {row["team"] for row in csv.DictReader(file)}
    assert len(teams) == 38
    assert [team for team in teams if not rules.is_plausible_team(team)] == []
