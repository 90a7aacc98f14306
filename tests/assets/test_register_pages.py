"""The pages of the register, without scripts."""

import csv
import io
from datetime import date

import pytest

from app import dates
from app.assets.rules import AssetState
from tests import person

COLUMNS = [
    *("Item", "ID", "Location", "Status", "Category", "Quantity", "Purchase Price", "Value"),
    *("Make", "Model", "Serial", "Supplier", "Purchase Date"),
]


def rows(page):
    """Return the cells of each row, without the tick and the actions."""
    return [row[1:-1] for row in person.rows(page)]


def items(page):
    return [row[0] for row in rows(page)]


@pytest.fixture
def register(assets):
    """Four assets with different texts in all fields."""
    assets(
        [
            AssetState(
                "Desk", "D-1", "Ikea", "Bekant", "S1", "Glass & Co", "Main Store",
                date(2024, 3, 9), 12_345, "Furniture", "In use", 4,
            ),
            AssetState(
                "Drill", "D-2", "Bosch", "GSB", "S2", "Tools Ltd", "Van 7",
                date(2025, 1, 2), 9_900, "Tools", "In repair", 1,
            ),
            AssetState("Desk lamp", "L-1", make="IKEA", location="main store", status="Missing"),
            AssetState("Éclair mould", "E-1", category="Tools", quantity=1200),
        ]
    )  # fmt: skip


def test_the_register_shows_every_field_and_the_totals(steward, register):
    page = steward.open("/assets")
    assert page.title == "Assets · Quartermaster"
    assert page.all("thead th") == ["Tick", *COLUMNS, "Actions"]
    assert rows(page) == [
        [
            *("Desk", "D-1", "Main Store", "In use", "Furniture", "4", "£123.45", "£493.80"),
            *("Ikea", "Bekant", "S1", "Glass & Co", "9 Mar 2024"),
        ],
        [
            *("Desk lamp", "L-1", "main store", "Missing", "", "1", "£0.00", "£0.00"),
            *("IKEA", "", "", "", ""),
        ],
        [
            *("Drill", "D-2", "Van 7", "In repair", "Tools", "1", "£99.00", "£99.00"),
            *("Bosch", "GSB", "S2", "Tools Ltd", "2 Jan 2025"),
        ],
        ["Éclair mould", "E-1", "–", "–", "Tools", "1,200", "£0.00", "£0.00", *[""] * 5],
    ]
    assert page.all("#total") == ["4 assets · 1,206 pieces · £592.80"]
    assert page.all("#rows .badge.bad, #rows .badge.warn") == ["Missing", "In repair"]
    assert page.all("#screens a[aria-current]") == ["Assets"]


FOUND = [
    ("q=desk", ["Desk", "Desk lamp"]),
    ("q=IKEA+main", ["Desk", "Desk lamp"]),
    ("q=l-1", ["Desk lamp"]),
    ("q=s2", ["Drill"]),
    ("q=%C3%89CLAIR", ["Éclair mould"]),
    ("q=repair", ["Drill"]),
    ("q=100%25", []),
    ("location=MAIN++STORE", ["Desk", "Desk lamp"]),
    ("location=–", ["Éclair mould"]),
    ("location=-", ["Éclair mould"]),
    ("status=–", ["Éclair mould"]),
    ("category=tools", ["Drill", "Éclair mould"]),
    ("supplier=Glass+%26+Co", ["Desk"]),
    ("make=ikea&item=desk", ["Desk"]),
    ("model=–&q=desk", ["Desk lamp"]),
    ("q=drill&category=Tools&status=Missing", []),
]


def test_search_and_filters_find_assets_with_every_word(steward, register):
    for query, found in FOUND:
        assert items(steward.open(f"/assets?{query}")) == found, query


def test_the_filters_offer_values_in_use_and_keep_the_chosen_one(steward, register):
    page = steward.open("/assets?q=ik&location=MAIN+store&status=Sold&category=–&sort=-value")
    assert page.all("select[name=location] option") == [
        *("All Locations", "Main Store", "Van 7", "No location")
    ]
    assert page.all("select[name=status] option") == [
        *("All Statuses", "Sold", "In repair", "In use", "Missing", "No status")
    ]
    assert page.all("select[name=category] option")[0] == "All Categories"
    assert page.all("select[name=supplier] option")[0] == "All Suppliers"
    assert page.all("option[selected]") == [
        *("Main Store", "No category", "Sold", "Value, highest first")
    ]
    assert page.html.select_one("#q")["value"] == "ik"


def test_filters_set_by_the_group_view_are_listed_and_removed_one_by_one(steward, register):
    page = steward.open("/assets?item=desk&make=Ikea&q=main&sort=-value")
    assert page.all("#chips a") == ["“main”", "Item: desk", "Make: Ikea"]
    sent = page.fields("#filters")
    assert (sent["item"], sent["make"]) == ("desk", "Ikea")
    assert page.link("Group view") == "/assets/groups?q=main&item=desk&make=Ikea"
    page = steward.open(page.link("Take off: Item: desk"))
    assert page.path == "/assets?q=main&make=Ikea&sort=-value"
    assert items(page) == ["Desk", "Desk lamp"]


ORDERS = [
    ("item", ["Desk", "Desk lamp", "Drill", "Éclair mould"]),
    ("-item", ["Éclair mould", "Drill", "Desk lamp", "Desk"]),
    ("-value", ["Desk", "Drill", "Éclair mould", "Desk lamp"]),
    ("-quantity", ["Éclair mould", "Desk", "Drill", "Desk lamp"]),
    ("purchaseDate", ["Desk", "Drill", "Desk lamp", "Éclair mould"]),
    ("nonsense", ["Desk", "Desk lamp", "Drill", "Éclair mould"]),
]


def test_the_address_sets_the_order_of_the_register(steward, register):
    for sort, found in ORDERS:
        assert items(steward.open(f"/assets?sort={sort}")) == found, sort


def test_every_heading_sorts_and_keeps_the_filters(steward, register):
    page = steward.open("/assets?category=Tools")
    assert page.all("thead a") == COLUMNS
    assert page.all("[aria-sort=ascending]") == ["Item"]
    assert page.link("Item") == "/assets?category=Tools&sort=-item"
    page = steward.open(page.link("Purchase Price"))
    assert page.path == "/assets?category=Tools&sort=-purchasePrice"
    assert items(page) == ["Drill", "Éclair mould"]
    assert page.all("[aria-sort]") == ["Purchase Price"]
    assert items(steward.open(page.link("Purchase Price"))) == ["Éclair mould", "Drill"]
    # A phone chooses the order among the filters.
    options = page.html.select("select[name=sort] option")
    assert len(options) == 2 * len(COLUMNS)
    assert {option["value"]: option.get_text() for option in options}[""] == "Item, A to Z"


def test_an_empty_register_offers_to_add_an_asset_and_an_empty_result_to_reset(steward):
    page = steward.open("/assets")
    offers = ["Add the first one", "Bring a list"]
    assert page.all(".empty p, .empty a") == ["No assets found.", *offers]
    assert page.html.select_one("#reset").has_attr("hidden")
    assert page.html.select_one("#ticked").has_attr("hidden")
    page = steward.open("/assets?q=nothing")
    assert page.all(".empty p, .empty a") == ["No assets found.", "Reset"]
    assert page.all("#total") == ["0 assets · 0 pieces · £0.00"]


def test_25_assets_are_on_a_page(steward, assets):
    assets([AssetState(f"Chair {n:02d}", purchase_price=100) for n in range(30)])
    first = steward.open("/assets?q=chair&sort=-item")
    assert len(rows(first)) == 25
    assert first.all(".pager p") == ["Page 1 / 2 · Showing 25 of 30"]
    assert first.all("#total") == ["30 assets · 30 pieces · £30.00"]
    second = steward.open(first.link("Next"))
    assert items(second) == [f"Chair {n:02d}" for n in (4, 3, 2, 1, 0)]
    assert items(steward.open("/assets?q=chair&sort=-item&page=99")) == items(second)


def test_htmx_gets_the_list_and_what_depends_on_it(steward, register):
    part = steward.fragment("/assets?make=ikea&sort=-item", "list")
    assert items(part) == ["Desk lamp", "Desk"]
    assert part.html.select("h1, #filters") == []
    replaced = {each["id"]: each for each in part.html.select("[data-hx-swap-oob]")}
    assert set(replaced) == {"links", "limits", "total", "chips", "in-sort", "matching"}
    assert part.all("#total") == ["2 assets · 5 pieces · £493.80"]
    assert part.link("Export CSV") == "/assets/export?make=ikea&sort=-item"
    reloads = part.html.select_one("[data-hx-trigger='assets-changed from:body']")
    assert reloads["data-hx-get"] == "/assets?make=ikea&sort=-item"


def test_an_unchanged_register_is_not_sent_again_until_something_changes(steward, asset):
    number = asset()
    for path in ("/assets", f"/assets/{number}", "/assets/groups", "/api/assets/groups"):
        tag = steward.open(path).headers["ETag"]
        assert steward.open(path, headers={"If-None-Match": tag}).status == 304
        asset(f"New for {path}")
        assert steward.open(path, headers={"If-None-Match": tag}).status == 200


def test_the_export_has_the_rows_and_the_order_of_the_list(steward, register):
    page = steward.open("/assets?location=main+store&sort=-item")
    reply = steward.client.get(page.link("Export CSV"))
    assert reply.mimetype == "text/csv"
    name = f"attachment; filename=assets_{dates.today()}.csv"
    assert reply.headers["Content-Disposition"] == name
    head, *lines = csv.reader(io.StringIO(reply.get_data(as_text=True), newline=""))
    assert head == [
        *("id", "item", "make", "model", "serial", "supplier", "location"),
        *("purchaseDate", "purchasePrice", "category", "status", "quantity"),
    ]
    assert lines == [
        ["L-1", "Desk lamp", "IKEA", *[""] * 3, "main store", "", "0.00", "", "Missing", "1"],
        [
            *("D-1", "Desk", "Ikea", "Bekant", "S1", "Glass & Co", "Main Store"),
            *("2024-03-09", "123.45", "Furniture", "In use", "4"),
        ],
    ]


def test_an_assets_page_shows_every_field_its_value_and_its_moves(steward, register):
    page = steward.open(steward.open("/assets?q=bekant").link("Desk"))
    assert page.all("h1") == ["Desk"]
    assert page.all(".facts dt") == [
        *("ID", "Location", "Category", "Status", "Make", "Model", "Serial", "Supplier"),
        *("Purchase date", "Purchase price", "Quantity", "Total value"),
    ]
    assert page.all(".facts dd") == [
        *("D-1", "Main Store", "Furniture", "In use", "Ikea", "Bekant", "S1", "Glass & Co"),
        *("9 Mar 2024", "£123.45", "4", "£493.80"),
    ]
    assert "It hasn't moved yet." in page.text


def test_back_finds_the_list_as_it_was(steward, asset):
    number = asset()
    headers = {"Referer": "http://localhost/assets?q=desk&sort=-value"}
    page = steward.open(f"/assets/{number}", headers=headers)
    assert page.link("Back") == "/assets?q=desk&sort=-value"
    assert steward.open(f"/assets/{number}").link("Back") == "/assets"


def test_a_missing_asset_is_not_found(steward, asset):
    asset("Desk")
    ends = ["99", "99/edit", "99/move", "move?asset=98&asset=99", "move?asset=x"]
    for end in (*ends, "move?asset=99999999999", "move?asset=2147483648"):
        page = steward.open(f"/assets/{end}")
        message = "There is no such asset. Load the list again."
        assert (page.status, page.alerts) == (404, [message]), end
