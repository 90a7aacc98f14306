"""What events, sites and teams mean, and which days a range has."""

import csv
from pathlib import Path

import pytest

from app.divisions import Division
from app.stock.rules import history as rules
from app.stock.rules.history import HistoryEvent
from app.stock.rules.items import EntryKind

SAMPLE = Path(__file__).parent / "data" / "gfm-history-sample.csv"


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("Delivery", "Delivery"),
        ("Delivery from guildford", "Delivery"),
        ("delivery FROM Northern", "Delivery"),
        ("  DELIVERED ", "Delivery"),
        ("Late delivery", "Delivery"),
        ("deliver", "Delivery"),
        ("received", "Delivery"),
        ("in", "Delivery"),
        ("IN", "Delivery"),
        ("inc", "Delivery"),
        ("goods_in", "Delivery"),
        ("stock-in", "Delivery"),
        ("+5", "Delivery"),
        ("+", "Delivery"),
        ("Delivery from GPM (2026-01-05)", "Delivery"),
        ("Withdrawal", "Withdrawal"),
        ("Withdrawal to main", "Withdrawal"),
        ("withdrew", "Withdrawal"),
        ("Withdrawn", "Withdrawal"),
        ("withdraw", "Withdrawal"),
        ("out", "Withdrawal"),
        ("dec", "Withdrawal"),
        ("issued", "Withdrawal"),
        ("goods out", "Withdrawal"),
        ("-3", "Withdrawal"),
        ("−3", "Withdrawal"),
        ("", "Other"),
        ("Other", "Other"),
        ("Transfer to guildford", "Other"),
        ("Transfer out: withdrawal", "Other"),
        ("Stock Check 2026-11-21", "Other"),
        ("New item from GPM delivery", "Other"),
        ("Undo: Delivery", "Other"),
        ("Delivery cancelled", "Other"),
        ("Delivery and withdrawal", "Other"),
        ("set", "Other"),
        ("Inventory", "Other"),
        ("outing", "Other"),
        ("Import of list.csv", "Other"),
    ],
)
def test_an_event_is_read_from_the_texts_of_old_histories(text, event):
    assert rules.parse_event(text).value == event


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
    assert {kind.value: rules.event_of(kind).value for kind in EntryKind} == {
        "delivery": "Delivery",
        "withdrawal": "Withdrawal",
        "transfer": "Other",
        "count": "Other",
        "addition": "Other",
        "correction": "Other",
        "removal": "Other",
    }
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


@pytest.mark.parametrize(
    ("team", "because"),
    [
        ("x" * 33, "it is too long"),
        ("", "it is empty"),
        ("  ", "it is empty"),
        ("12", "it has no letter"),
        ("--", "it has no letter"),
        ("£20 team", "it has a currency sign"),
        ("€5 team", "it has a currency sign"),
        ("Team $", "it has a currency sign"),
        ("10 pcs", "it is a quantity"),
        ("5kg", "it is a quantity"),
        ("x10 blue", "it is a quantity"),
        ("2 x red", "it is a quantity"),
        ("12 boxes", "it is a quantity"),
        ("3 Pairs", "it is a quantity"),
        ("pack of 6", "it is a quantity"),
        ("qty three", "it is a quantity"),
        ("1.5 day", "it is a quantity"),
        ("per week", "it is a unit"),
        ("Uniform", "it is a uniform"),
        ("uniforms", "it is a uniform"),
        ("Polo M", "it is a uniform"),
        ("Hi-vis vest", "it is a uniform"),
        ("PPE", "it is a uniform"),
        ("Cleaning", "it is cleaning"),
        ("cleaners", "it is cleaning"),
        ("Toilet roll", "it is cleaning"),
        ("bin bags", "it is cleaning"),
        ("Hand towels", "it is cleaning"),
        ("Supplies", "it is supplies"),
        ("Office supply", "it is supplies"),
        ("Consumables", "it is supplies"),
        ("XL", "it is a size"),
        ("Blue XXL", "it is a size"),
        ("3XL", "it is a size"),
        ("M", "it is a size"),
        ("Blue M", "it is a size"),
        ("S/M", "it is a size"),
        ("Size 10", "it is a size"),
        ("UK 9", "it is a size"),
        ("Large", "it is a size"),
        ("AB-1234", "it is a code"),
        ("SKU123", "it is a code"),
        ("PO 4432", "it is a code"),
        ("INV0042", "it is a code"),
        ("85123A", "it is a code"),
        ("AB12 CDE", "it is a code"),
        ("ABC12", "it is a code"),
        ("a_b", "it is a code"),
        ("#12 north", "it is a code"),
        ("0a1b2c3d4e", "it is a code"),
        ("Ab 123 456", "it is mostly digits"),
        ("A12", "it is mostly digits"),
    ],
)
def test_these_are_not_teams(team, because):
    assert not rules.is_plausible_team(team), because


def test_every_country_of_the_real_history_is_a_plausible_team():
    with SAMPLE.open(newline="") as file:
        teams = {row["team"] for row in csv.DictReader(file)}
    assert len(teams) == 38
    assert [team for team in teams if not rules.is_plausible_team(team)] == []
