"""The list of vehicles, without scripts."""

from datetime import UTC, datetime

import pytest

from app.divisions import Division
from tests.person import rows

AT = datetime(2026, 7, 1, 9, 30, tzinfo=UTC)
COLUMNS = ["Reg", "Make / Model", "Classification", "Status", "Location", "Last Update"]


def regs(page):
    return [row[0] for row in rows(page)]


@pytest.fixture
def fleet(vehicle):
    """Add four vehicles that differ in every searched value."""
    vehicle(
        "LK19 VTE", make="Ford", model="Transit", classification="Van", status="In use",
        location="Guildford depot", last_event_at=AT,
    )  # fmt: skip
    vehicle("AB12 CDE", make="Citroën", model="Berlingo", classification="Van", status="In repair")
    vehicle("ZZ9 ZZZ", make="Ford", model="Focus", classification="Car", status="Off the road")
    vehicle("BD51 SMR")


def test_the_list_shows_vehicles_by_registration(driver, fleet):
    page = driver.open("/vehicles")
    assert page.title == "Vehicles · Quartermaster"
    assert page.all("thead th") == COLUMNS
    assert rows(page) == [
        ["AB12 CDE", "Citroën Berlingo", "Van", "In repair", "–", "–"],
        ["BD51 SMR", "", "", "Unknown", "–", "–"],
        ["LK19 VTE", "Ford Transit", "Van", "In use", "Guildford depot", "1 Jul 2026 10:30"],
        ["ZZ9 ZZZ", "Ford Focus", "Car", "Off the road", "–", "–"],
    ]
    assert page.all("#total") == ["4 vehicles"]
    assert page.all("#rows .badge.bad") == ["Off the road"]
    assert page.all("#rows .badge.warn") == ["In repair"]
    messages = {tag["data-failure"] for tag in page.html.select("#filters, .pager")}
    assert messages == {"Failed to load vehicles"}


FOUND = [
    ("q=lk19vte", ["LK19 VTE"]),
    ("q=LK19+VTE", ["LK19 VTE"]),
    ("q=9v", ["LK19 VTE"]),
    ("q=ford", ["LK19 VTE", "ZZ9 ZZZ"]),
    ("q=FORD+focus", ["ZZ9 ZZZ"]),
    ("q=CITRO%C3%8BN", ["AB12 CDE"]),
    ("q=depot+van", ["LK19 VTE"]),
    ("q=car", ["ZZ9 ZZZ"]),
    ("q=ford+berlingo", []),
    ("q=100%25", []),
    ("status=In+use", ["LK19 VTE"]),
    ("status=Unknown", ["BD51 SMR"]),
    ("classification=Van", ["AB12 CDE", "LK19 VTE"]),
    ("q=ford&classification=Car&status=Off+the+road", ["ZZ9 ZZZ"]),
    ("status=Sold", []),
]


def test_search_and_filters_find_vehicles_with_every_word(driver, fleet):
    for query, found in FOUND:
        assert regs(driver.open(f"/vehicles?{query}")) == found, query


def test_the_filters_list_values_in_use_and_keep_the_choice(driver, fleet):
    page = driver.open("/vehicles?q=ford&status=Sold&classification=Car")
    assert page.all("#in-status option") == [
        *("All Statuses", "Sold", "In repair", "In use", "Off the road", "Unknown")
    ]
    assert page.all("#in-classification option") == ["All Classifications", "Car", "Van"]
    assert page.all("option[selected]") == ["Sold", "Car"]
    assert page.html.select_one("#q")["value"] == "ford"


def test_an_empty_result_offers_a_reset_and_an_empty_fleet_to_add_a_vehicle(driver, vehicle):
    page = driver.open("/vehicles")
    assert page.all(".empty p") == ["No vehicles found."]
    assert page.all(".empty a") == ["Add the first one", "Bring a list"]
    assert page.html.select_one("#reset").has_attr("hidden")
    vehicle()
    page = driver.open("/vehicles?q=nothing")
    assert page.all(".empty p") == ["No vehicles found."]
    assert page.link("Reset") == "/vehicles"
    assert page.all("#total") == ["0 matches"]


def test_the_vans_are_listed_if_no_vehicles_exist(driver, vehicle):
    vehicle("VAN 1", vans=True)
    assert regs(driver.open("/vehicles")) == ["VAN 1"]
    vehicle("CAR 1")
    assert regs(driver.open("/vehicles")) == ["CAR 1"]
    assert regs(driver.open("/vehicles?q=van")) == []


def test_25_vehicles_are_on_a_page(driver, vehicle):
    for n in range(30):
        vehicle(f"AA{n:02d} AAA", make="Ford")
    first = driver.open("/vehicles?q=ford")
    assert len(rows(first)) == 25
    assert first.all(".pager p") == ["Page 1 / 2 · Showing 25 of 30"]
    second = driver.open(first.link("Next"))
    assert regs(second) == [f"AA{n:02d} AAA" for n in range(25, 30)]
    assert regs(driver.open("/vehicles?page=99&q=ford")) == regs(second)
    assert "Prev" in second.all(".pager a")


def test_htmx_gets_the_list_alone_with_its_total(driver, fleet):
    part = driver.fragment("/vehicles?q=ford", "list")
    assert regs(part) == ["LK19 VTE", "ZZ9 ZZZ"]
    assert part.all("[data-hx-swap-oob='innerHTML:#total']") == ["2 matches"]
    assert part.html.select("h1, form") == []


def test_an_unchanged_list_is_not_sent_again_until_something_changes(driver, fleet, vehicle):
    tag = driver.open("/vehicles").headers["ETag"]
    assert driver.open("/vehicles", headers={"If-None-Match": tag}).status == 304
    vehicle("NEW 1")
    assert driver.open("/vehicles", headers={"If-None-Match": tag}).status == 200


def test_gpm_shares_the_vehicles_and_both_find_them_in_the_menu(signed_in, fleet):
    page = signed_in("trader", Division.GPM).open("/vehicles")
    assert len(rows(page)) == 4
    assert page.all("#screens a[aria-current]") == ["Vehicles"]
