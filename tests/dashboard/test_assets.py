"""The dashboard of Assets, and its statements."""

from datetime import timedelta
from urllib.parse import unquote_plus

import pytest

from app import dates
from app.assets.queries import register
from app.assets.rules import AssetState
from app.assets.services import moves as services
from app.db import transaction
from tests import factories
from tests.dashboard.test_pages import rows
from tests.dashboard.test_reads import FAILED, status

TODAY = dates.today()


@pytest.fixture
def moved(app, in_app):
    """Return a function that records moves of an asset some days ago, at noon."""
    by = in_app(factories.user, "porter")

    def moved(item, *locations, days_ago=0):
        with app.app_context(), transaction():
            at = dates.noon_in_london(TODAY) - timedelta(days=days_ago)
            services.record_moves(
                [services.PastMove(item, location, at=at) for location in locations], by=by
            )

    return moved


def add(app, *states):
    with app.app_context():
        factories.assets([AssetState(item, id=item, **values) for item, values in states])


def shares(page):
    found = page.html.select(".shares li")
    places = [(row.a.get_text(), unquote_plus(row.a["href"])) for row in found]
    bars = [(row.select_one(".num").get_text(), row.path["d"]) for row in found]
    return [(*place, *bar) for place, bar in zip(places, bars, strict=True)]


def test_assets_sees_the_totals_of_the_register_and_of_its_history(app, assets, moved):
    add(app, ("Desk", {"quantity": 1200, "purchase_price": 250}), ("Lamp", {"purchase_price": 1}))
    moved("Desk", "Attic", "Hall")
    page = assets.open("/dashboard")
    assert page.all("a.tile") == [
        "Assets 2 assets · 1,201 pieces £3,000.01 value",
        "History 2 entries",
    ]
    assert [page.link(text) for text in page.all("a.tile")] == ["/assets", "/assets/history"]
    assert page.all("nav[aria-label='More screens'] a") == ["Groups", "Bookings"]


def test_an_empty_register_has_no_recent_activity(assets):
    page = assets.open("/dashboard")
    assert page.all("a.tile") == ["Assets 0 assets · 0 pieces £0.00 value", "History 0 entries"]
    assert (shares(page), page.all("#places")) == ([], [])
    assert page.all(".empty") == [
        "No recent activity.",
        "Nothing is here yet. Add the first one Bring a list",
    ]
    end = dates.format_day(TODAY)
    assert page.all(".activity .note") == [f"Moves per day, 30 days to {end}: 0 in all"]


def test_the_locations_with_the_highest_value_have_a_bar(app, assets):
    add(
        app,
        ("Van", {"location": "Depot", "purchase_price": 2_000_000}),
        ("Desk", {"location": "Main office", "purchase_price": 25_000, "quantity": 40}),
        ("Lamp", {"location": "main  OFFICE", "purchase_price": 1}),
        ("Saw", {"purchase_price": 30_000}),
        ("Mug", {"location": "Kitchen", "purchase_price": 100}),
        ("Gift", {"location": "Attic"}),
        ("Old gift", {"location": "Cellar"}),
        ("Older gift", {"location": "Shed"}),
    )
    page = assets.open("/dashboard")
    assert shares(page) == [
        ("Depot", "/assets?location=Depot", "£20,000.00", "M0 0h100.0v1H0z"),
        ("Main office", "/assets?location=Main office", "£10,000.01", "M0 0h50.0v1H0z"),
        ("No location", "/assets?location=–", "£300.00", "M0 0h1.5v1H0z"),
        ("Kitchen", "/assets?location=Kitchen", "£1.00", "M0 0h0.5v1H0z"),
        ("Attic", "/assets?location=Attic", "£0.00", "M0 0h0v1H0z"),
    ]
    assert page.link("+ 2 more") == "/assets/groups"
    assert page.html.select_one(".shares")["aria-labelledby"] == "places"
    assert {svg["aria-hidden"] for svg in page.html.select(".shares svg")} == {"true"}


def test_activity_counts_the_moves_of_30_days(app, assets, moved):
    add(app, ("Desk", {}))
    for days_ago in (30, 29, 1, 1, 0):
        moved("Desk", f"Room {days_ago}", "Hall", days_ago=days_ago)
    page = assets.open("/dashboard")
    end, yesterday = dates.format_day(TODAY), TODAY - timedelta(days=1)
    assert page.all(".activity :is(h2, .note)") == [
        "Activity (30d) 8",
        f"Moves per day, 30 days to {end}: 8 in all, most 4 on {dates.short_day(yesterday)}",
    ]
    assert len(page.all(".activity li")) == 30
    assert page.link(f"{dates.short_day(yesterday)}: 4") == (
        f"/assets/history?from={yesterday}&to={yesterday}"
    )


def test_the_last_12_moves_are_listed_newest_first_with_links_to_their_assets(app, assets, moved):
    add(app, ("Desk", {}), ("Lamp", {"location": "Hall"}))
    moved("Desk", *(f"Room {n}" for n in range(12)), days_ago=3)
    with app.app_context():
        lamp = register.get_asset_by_id("Lamp").id
        with transaction():
            services.move_assets([lamp], "Attic", by=None)
    page = assets.open("/dashboard")
    assert page.all("table.log thead th") == ["Date", "Asset", "From", "To", "Who"]
    then = dates.format_day(TODAY - timedelta(days=3))
    found = rows(page)
    assert found[0] == [dates.format_day(TODAY), "Lamp Lamp", "Hall", "Attic", "Terminal"]
    assert found[1] == [then, "Desk Desk", "Room 10", "Room 11", "porter"]
    assert len(found) == 12
    assert page.link("Lamp") == f"/assets/{lamp}"


@pytest.mark.parametrize(
    ("table", "tiles", "locations", "recent"),
    [
        ("asset", ["Assets –", "History 1 entry"], [], 0),
        ("asset_move", ["Assets 1 asset · 1 piece £5.00 value", "History 1 entry"], ["Hall"], 0),
        ("day_count", ["Assets 1 asset · 1 piece £5.00 value", "History –"], ["Hall"], 1),
    ],
)
def test_the_rest_appears_when_a_table_cannot_be_read(
    app, assets, moved, break_table, table, tiles, locations, recent
):
    add(app, ("Desk", {"purchase_price": 500}))
    moved("Desk", "Hall")
    break_table(table)
    page = assets.open("/dashboard")
    assert (page.status, page.alerts) == (200, FAILED)
    assert page.all("a.tile") == tiles
    assert [name for name, *_ in shares(page)] == locations
    assert len(rows(page)) == recent
    assert page.headers["Cache-Control"] == "no-store"


def test_an_unchanged_register_is_a_304_until_it_changes(app, assets, moved, statements):
    add(app, ("Desk", {}))
    for change in (lambda: add(app, ("Lamp", {})), lambda: moved("Desk", "Hall")):
        tag = assets.open("/dashboard").headers["ETag"]
        assert status(assets, tag) == 304
        assert statements(lambda tag=tag: status(assets, tag)) == 2
        change()
        assert status(assets, tag) == 200


def test_ten_times_the_register_takes_no_more_statements(app, assets, moved, statements):
    def grow(start, end):
        add(app, *((f"Desk {n}", {"location": f"Room {n}"}) for n in range(start, end)))
        for n in range(start, end):
            moved(f"Desk {n}", "Hall", days_ago=n)

    grow(0, 3)
    few = statements(lambda: assets.open("/dashboard"))
    grow(3, 30)
    assert statements(lambda: assets.open("/dashboard")) == few
    assert few <= 12
