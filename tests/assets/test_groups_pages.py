"""The group view without scripts, and the props of its widget."""

import json

import pytest

from app.assets.rules import NO_VALUE, AssetState, Dimension, parse_levels
from app.versions import forget_values
from tests import factories, person

ASSETS = [
    AssetState("Desk", location="Main", category="Furniture", purchase_price=12_05, quantity=3),
    AssetState("Laptop", location="main", category="IT", purchase_price=1_899_99),
    AssetState("Laptop", location="Attic", category="IT", purchase_price=1_10),
    AssetState("Rope", location="Attic", purchase_price=33, quantity=7),
    AssetState("Tape", purchase_price=5_00, quantity=2),
]


@pytest.fixture
def holder(steward, assets):
    """A user of Assets, signed in, with some assets in the register."""
    assets(ASSETS)
    return steward


def rows(page):
    return person.rows(page, "tbody tr, tfoot tr")


def names(page):
    return [row[0] for row in rows(page)]


def props(page):
    return json.loads(page.html.select_one("[data-widget=asset-groups]")["data-props"])


def test_locations_are_listed_with_their_totals_the_highest_value_first(holder):
    page = holder.open("/assets/groups")
    assert page.title == "Groups · Quartermaster"
    assert page.all("thead th") == ["Location", "Assets", "Quantity", "Value"]
    assert rows(page) == [
        ["Main", "2", "4", "£1,936.14"],
        ["No location", "1", "2", "£10.00"],
        ["Attic", "2", "8", "£3.41"],
        ["Total", "5", "14", "£1,949.55"],
    ]
    assert page.all(".total") == ["3 locations"]
    assert page.html.select_one("thead [aria-sort]").get_text(strip=True) == "Value"
    bars = [bar["width"] for bar in page.html.select(".share rect")]
    assert bars == ["100.0", "0.5", "0.2"]


def test_a_group_opens_without_a_script_and_closes_again(holder):
    page = holder.open(holder.open("/assets/groups").link("Show Main by category"))
    assert names(page) == ["Main", "IT", "Furniture", "No location", "Attic", "Total"]
    assert rows(page)[2] == ["Furniture", "1", "3", "£36.15"]
    page = holder.open(page.link("Show No location by category"))
    empty = ["No location", "No category"]
    assert names(page) == ["Main", "IT", "Furniture", *empty, "Attic", "Total"]
    page = holder.open(page.link("Hide Main by category"))
    assert names(page) == ["Main", "No location", "No category", "Attic", "Total"]


def test_groups_and_sub_groups_lead_to_the_register_filtered_by_them(holder):
    page = holder.open(f"/assets/groups?supplier={NO_VALUE}&open=Attic&open={NO_VALUE}")
    leads = [a["href"] for a in page.html.select("tbody th a:not(.opener)")]
    dash = "%E2%80%93"
    assert leads == [
        f"/assets?supplier={dash}&location=Main",
        f"/assets?supplier={dash}&location={dash}",
        f"/assets?supplier={dash}&location={dash}&category={dash}",
        f"/assets?supplier={dash}&location=Attic",
        f"/assets?supplier={dash}&location=Attic&category={dash}",
        f"/assets?supplier={dash}&location=Attic&category=IT",
    ]


def test_the_form_groups_by_something_else_and_keeps_order_and_filters(holder):
    page = holder.open("/assets/groups?q=t&sort=name&location=Attic")
    sent = page.fields(".filters")
    assert (sent["q"], sent["location"], sent["sort"]) == ("t", "Attic", "name")
    page = holder.open("/assets/groups", query_string=sent | {"by": "item", "then": "nothing"})
    assert names(page) == ["Laptop", "Rope", "Total"]
    assert not page.html.select(".opener")


def test_the_filters_are_listed_and_can_be_reset(holder):
    page = holder.open(f"/assets/groups?by=item&q=lap&category=IT&supplier={NO_VALUE}")
    assert page.all(".limits .badge") == ["Search: lap", "Category: IT", "No supplier"]
    page = holder.open(page.link("Reset"))
    assert names(page) == ["Laptop", "Desk", "Tape", "Rope", "Total"]


def test_the_heads_sort_and_turn_round(holder):
    page = holder.open("/assets/groups")
    page = holder.open(page.link("Location"))
    assert names(page) == ["No location", "Attic", "Main", "Total"]
    page = holder.open(page.link("Location"))
    assert names(page) == ["Main", "Attic", "No location", "Total"]
    assert names(holder.open(page.link("Quantity")))[0] == "Attic"


def test_an_unknown_argument_is_the_default(holder):
    choice = {"by": "location", "then": "category", "sort": "-value"}
    for query in ("by=foo", "then=location", "sort=foo&page=x", "by=&then=&sort="):
        assert props(holder.open(f"/assets/groups?{query}"))["choice"] == choice, query


@pytest.mark.parametrize(
    ("by", "then", "levels"),
    [
        ("category", "", (Dimension.CATEGORY, Dimension.LOCATION)),
        ("category", "category", (Dimension.CATEGORY, Dimension.LOCATION)),
        ("make", "model", (Dimension.MAKE, Dimension.MODEL)),
        ("make", "nothing", (Dimension.MAKE, None)),
    ],
)
def test_the_second_level_is_never_the_first(by, then, levels):
    assert parse_levels(by, then) == levels


def test_the_widget_starts_with_the_groups_and_the_open_ones(holder):
    widget = props(holder.open("/assets/groups?open=ATTIC&open=Nowhere&q=t"))
    assert widget["filters"] == {"q": "t"}
    assert [group["name"] for group in widget["found"]["groups"]] == ["Main", "", "Attic"]
    ((name, inner),) = widget["opened"]
    assert (name, [group["value"] for group in inner["groups"]]) == ("Attic", [2.31, 1.1])


def test_groups_are_loaded_a_hundred_at_a_time(in_app, holder, statements):
    in_app(factories.assets, [AssetState(f"Lamp {n:03d}", location="Hall") for n in range(250)])
    page = holder.open("/assets/groups?by=item&sort=name")
    assert len(rows(page)) == 101
    assert page.all(".pager p") == ["Page 1 / 3 · Showing 100 of 254"]
    last = holder.open("/assets/groups?by=item&sort=name&page=9")
    assert names(last)[-3:] == ["Rope", "Tape", "Total"]
    assert rows(last)[-1] == ["Total", "255", "264", "£1,949.55"]
    assert last.html.select_one("[data-widget]") is None
    hall = holder.open("/assets/groups?then=item&open=Hall&open=Main")
    assert len(hall.html.select("tr.sub th")) == 102
    rest = holder.open(hall.link("All 250 items of Hall"))
    assert len(rows(rest)) == 101

    def first_view(path):
        forget_values()
        return statements(lambda: holder.open(path))

    assert first_view("/assets/groups?by=item") == first_view("/assets/groups")


def test_an_address_opens_ten_groups_the_last_it_names(in_app, holder):
    in_app(factories.assets, [AssetState("Lamp", location=f"Room {n:02d}") for n in range(12)])
    opened = "&".join(f"open=Room+{n:02d}" for n in range(12))
    widget = props(holder.open(f"/assets/groups?sort=name&{opened}"))
    assert [name for name, _ in widget["opened"]] == [f"Room {n:02d}" for n in range(2, 12)]


def test_an_empty_register_has_a_message(steward):
    page = steward.open("/assets/groups")
    assert page.all(".empty p") == ["No assets found."]
    assert steward.open("/assets/groups?page=3").status == 200
