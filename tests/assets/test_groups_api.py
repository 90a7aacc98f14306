"""The JSON call that groups assets: its totals are exactly those of the register."""

import pytest

from app.assets.queries import register
from app.assets.rules import NO_VALUE, AssetState, Dimension
from app.assets.schemas.register import asset_query

pytestmark = pytest.mark.differs_by_engine

ADDRESS = "/api/assets/groups"

ASSETS = [
    AssetState("Desk", location="Main", category="Furniture", make="Ikea", quantity=4),
    AssetState("desk", location="MAIN", category="Furniture", purchase_price=12_05, quantity=3),
    AssetState("Laptop", location="Main", category="IT", make="Dell", purchase_price=899_99),
    AssetState("Laptop", location="Attic", category="IT", supplier="Ben", purchase_price=1_10),
    AssetState("Rope", location="Attic", model="R2", purchase_price=33, quantity=7),
    AssetState("Tape", purchase_price=5_00, quantity=2),
]


@pytest.fixture
def call(call, assets):
    """A client of a user of Assets, with some assets in the register."""
    assets(ASSETS)
    return call


def rows(reply):
    fields = ("name", "assets", "quantity", "value")
    return [tuple(group[name] for name in fields) for group in reply.json["groups"]]


def test_groups_have_totals_and_the_highest_value_is_first(call):
    reply = call("GET", ADDRESS)
    assert reply.json == {
        "groups": [
            {"name": "Main", "assets": 3, "quantity": 8, "value": 936.14},
            {"name": "", "assets": 1, "quantity": 2, "value": 10.0},
            {"name": "Attic", "assets": 2, "quantity": 8, "value": 3.41},
        ],
        "total": 3,
        "most": 936.14,
        "sums": {"assets": 6, "quantity": 18, "value": 949.55},
    }


def test_the_sums_of_every_grouping_are_the_registers(app, call):
    for by in list(Dimension):
        for query in ("", "&q=a&category=IT", f"&location={NO_VALUE}"):
            reply = call("GET", f"{ADDRESS}?by={by}{query}").json
            summed = [sum(g[name] for g in reply["groups"]) for name in ("assets", "quantity")]
            pence = sum(round(group["value"] * 100) for group in reply["groups"])
            values = dict(part.split("=") for part in query.split("&") if part)
            with app.app_context():
                totals = register.totals(asset_query(values))
            assert register.Totals(*summed, pence) == totals, by
            sums = reply["sums"]
            assert [sums["assets"], sums["quantity"]] == summed, by
            assert round(sums["value"] * 100) == pence, by


ORDERS = [
    ("name", ["", "Attic", "Main"]),
    ("-name", ["Main", "Attic", ""]),
    ("quantity", ["", "Attic", "Main"]),
    ("-quantity", ["Attic", "Main", ""]),
    ("value", ["Attic", "", "Main"]),
    ("-value", ["Main", "", "Attic"]),
]


def test_groups_are_sorted_by_name_quantity_or_value_in_both_directions(call):
    for sort, names in ORDERS:
        assert [row[0] for row in rows(call("GET", f"{ADDRESS}?sort={sort}"))] == names, sort


def test_all_pages_have_the_same_totals(call):
    parts = [call("GET", f"{ADDRESS}?limit=2&offset={offset}").json for offset in (0, 2, 4)]
    assert [[g["name"] for g in part["groups"]] for part in parts] == [["Main", ""], ["Attic"], []]
    assert len({(part["total"], part["most"], part["sums"]["value"]) for part in parts}) == 1


def test_filters_limit_what_is_grouped_and_a_dash_is_none(call):
    assert rows(call("GET", f"{ADDRESS}?by=category&location=main")) == [
        ("IT", 1, 1, 899.99),
        ("Furniture", 2, 7, 36.15),
    ]
    assert rows(call("GET", f"{ADDRESS}?by=item&category={NO_VALUE}&q=ta")) == [
        ("Tape", 1, 2, 10.0)
    ]
    nothing = {"groups": [], "total": 0, "most": 0.0}
    sums = {"assets": 0, "quantity": 0, "value": 0.0}
    assert call("GET", f"{ADDRESS}?make=Nokia").json == nothing | {"sums": sums}


WRONG_QUERIES = [
    ("by=foo", "by: Must be one of: location, item, category, supplier, make, model."),
    ("by=", "by: Must be one of: location, item, category, supplier, make, model."),
    ("by=item&then=item", "then: Unknown field."),
    ("sort=status", "sort: Must be one of: name, -name, quantity, -quantity, value, -value."),
    ("limit=201", "limit: Must be greater than or equal to 1 and less than or equal to 200."),
    ("limit=0", "limit: Must be greater than or equal to 1 and less than or equal to 200."),
    ("offset=-1", "offset: Must be greater than or equal to 0"),
    (f"q={'x' * 201}", "q: Longer than maximum length 200."),
]


def test_a_wrong_query_is_refused(call):
    for query, message in WRONG_QUERIES:
        reply = call("GET", f"{ADDRESS}?{query}")
        assert reply.status_code == 422, query
        assert reply.json["error"].startswith(message), query
