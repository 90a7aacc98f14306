"""The history of moves, as a person without scripts sees it, and its export."""

from datetime import date, timedelta

import pytest
from sqlalchemy import text

from app import dates
from app.assets.rules import AssetState
from app.assets.services import moves as services
from app.assets.services import register
from app.db import db, transaction
from app.versions import version_of
from tests import factories
from tests.person import rows

TODAY = dates.today()
DAY = date(2026, 7, 9)


@pytest.fixture
def by(in_app):
    """Another user, who moves assets."""
    return in_app(factories.user, "porter")


@pytest.fixture
def moved(app, by):
    """Add an asset and record its moves, at noon of the days from `DAY` on."""

    def moved(item, *locations, day=DAY, at=None, by=by, **values):
        with app.app_context():
            number = factories.asset(item, id=item.upper(), location=locations[0], **values)
            for location in locations[1:]:
                past = services.PastMove(item.upper(), location, at=at or dates.noon_in_london(day))
                with transaction():
                    services.record_moves([past], by=by)
                day += timedelta(days=1)
            return number

    return moved


def items(page):
    return [row[1].split()[0] for row in rows(page)]


def test_the_page_shows_what_moved_newest_first(app, steward, moved):
    desk = moved("Desk", "Main", "Attic", "Van 2")
    with app.app_context():
        lamp = factories.asset("Lamp", id="L1")
        with transaction():
            services.move_assets([lamp], "Hall", by=None)
        with transaction():
            versions = [version_of("assets")]
            kept = [AssetState("Desk", "DESK", location="Van 2")]
            register.replace_assets(kept, versions=versions, by=None)
    page = steward.open("/assets/history")
    assert page.title == "History · Quartermaster"
    assert page.all("thead th") == ["Date", "Asset", "From", "To", "Who", "Undo"]
    assert rows(page) == [
        [dates.format_day(TODAY), "Lamp L1", "–", "Hall", "Terminal", ""],
        ["10 Jul 2026", "Desk DESK", "Attic", "Van 2", "porter", "Undo"],
        ["9 Jul 2026", "Desk DESK", "Main", "Attic", "porter", ""],
    ]
    assert page.all("#rows th a") == ["Desk", "Desk"]
    assert page.link("Desk") == f"/assets/{desk}"
    assert page.all("#total") == ["3 rows"]
    assert page.link("Back") == "/dashboard"


def test_25_rows_are_on_a_page_and_a_page_beyond_the_last_is_the_last(steward, moved):
    moved("Desk", *(f"Room {n}" for n in range(31)), day=date(2026, 1, 1))
    first = steward.open("/assets/history")
    assert (len(rows(first)), rows(first)[0][3]) == (25, "Room 30")
    assert first.all(".pager p") == ["Page 1 / 2 · Showing 25 of 30"]
    last = steward.open("/assets/history?page=999999")
    assert (len(rows(last)), rows(last)[-1][2]) == (5, "Room 0")
    assert "/assets/history?page=1" in last.link("Prev")


FOUND_BY_FILTERS = [
    ("q=desk", ["Desk"]),
    ("q=ATTIC+desk", ["Desk"]),
    ("q=attic", ["Desk", "Chair"]),
    ("q=100%25", []),
    ("location=attic", ["Desk", "Chair"]),
    ("location=Hall", ["Lamp"]),
    ("location=–", ["Lamp"]),
    ("location=Cellar", []),
    ("who=Porter", ["Desk", "Chair"]),
    ("who=–", ["Lamp"]),
    ("who=nobody", []),
    ("who=nobody&q=chair", []),
    ("from=2026-07-08", ["Lamp", "Desk"]),
    ("to=2026-07-08", ["Chair"]),
    ("from=2026-07-07&to=2026-07-07&location=attic&who=porter&q=chair", ["Chair"]),
]


def test_the_filters_narrow_the_list_and_the_file_together(app, steward, moved):
    moved("Chair", "Attic", "Cellar room", day=date(2026, 7, 7))
    moved("Desk", "Main", "Attic", day=date(2026, 7, 9))
    with app.app_context():
        lamp = factories.asset("Lamp", id="LAMP")
        with transaction():
            services.move_assets([lamp], "Hall", by=None)
    for query, found in FOUND_BY_FILTERS:
        page = steward.open(f"/assets/history?{query}")
        assert items(page) == found, query
        if not found:
            assert page.all(".empty p") == ["No matching history."], query
            assert page.all(".empty a") == ["Reset"], query
        file = steward.client.get(page.link("Export CSV")).get_data(as_text=True)
        assert [line.split(",")[2] for line in file.splitlines()[1:]] == found, query
        typed = {**page.fields("#filters"), **chosen(page)}.items()
        assert {name: value for name, value in typed if value} == dict(arguments(query)), query


def arguments(query):
    parts = (part.replace("+", " ").replace("%25", "%") for part in query.split("&"))
    return [part.split("=", 1) for part in parts]


def chosen(page):
    return {
        select["name"]: option.get("value", option.get_text())
        for select in page.html.select("select")
        if (option := select.select_one("[selected]"))
    }


def test_the_filters_offer_the_locations_and_users_of_the_history(steward, moved):
    moved("Desk", "Main", "Attic")
    moved("Chair", "Attic", "Van 2")
    page = steward.open("/assets/history")
    locations = ["All Locations", "Attic", "Main", "Van 2", "No location"]
    assert page.all("[name=location] option") == locations
    assert page.all("[name=who] option") == ["Anyone", "porter", "Terminal"]


def test_a_wrong_date_is_refused_and_the_filters_stay(steward, moved):
    moved("Desk", "Main", "Attic")
    for query, message in (
        ("from=yesterday", '"yesterday" is not a date like 2011-12-09'),
        ("from=2026-12-10&to=2026-12-09", "From (10 Dec 2026) is later than to (9 Dec 2026)."),
    ):
        page = steward.open(f"/assets/history?q=desk&who=porter&{query}")
        assert (page.status, page.alerts, rows(page)) == (422, [message], [])
        assert page.title == "Error: History · Quartermaster"
        assert page.fields("#filters")["q"] == "desk", query
        assert page.all("select [selected]") == ["porter"], query
        assert steward.client.get(f"/assets/history/export?{query}").status_code == 422, query


def test_a_day_is_londons_and_the_end_date_has_all_of_it(steward, moved):
    late = dates.parse_moment("2026-07-09 23:30")
    moved("Desk", "Main", "Attic", at=late)
    assert items(steward.open("/assets/history?from=2026-07-09&to=2026-07-09")) == ["Desk"]
    assert items(steward.open("/assets/history?from=2026-07-10")) == []
    assert rows(steward.open("/assets/history"))[0][0] == "9 Jul 2026"


def test_the_filters_that_are_set_come_off_one_by_one(steward, moved):
    moved("Desk", "Main", "Attic")
    page = steward.open("/assets/history?q=desk&location=–&who=porter&from=2026-07-01")
    assert page.all("#chips li") == ["“desk”", "No location", "By porter", "From 1 Jul 2026"]
    rest = "/assets/history?q=desk&location=%E2%80%93&who=porter"
    assert page.link("Take off: From 1 Jul 2026") == rest
    page = steward.open(page.link("Take off: No location"))
    assert items(page) == ["Desk"]


def test_the_export_has_the_columns_of_moves_and_its_day_in_its_name(steward, moved):
    moved("=Desk, oak", "Main", "'Attic")
    response = steward.client.get("/assets/history/export")
    assert response.mimetype == "text/csv"
    assert response.headers["Content-Disposition"] == (
        f"attachment; filename=assets_history_{TODAY}.csv"
    )
    assert response.get_data(as_text=True).split("\r\n") == [
        "date,id,item,startPosition,endPosition,user",
        """2026-07-09,"'=DESK, OAK","'=Desk, oak",Main,''Attic,porter""",
        "",
    ]


def test_htmx_gets_the_list_with_what_depends_on_it(steward, moved):
    moved("Desk", "Main", "Attic")
    fragment = steward.fragment("/assets/history?q=desk", "list")
    assert items(fragment) == ["Desk"]
    assert fragment.html.title is None
    assert fragment.link("Export CSV") == "/assets/history/export?q=desk"
    assert {e["id"] for e in fragment.html.select("[data-hx-swap-oob]")} == {
        *("export", "ranges", "chips", "total", "in-sort")
    }


def test_an_unchanged_page_is_not_sent_again(app, steward, moved):
    moved("Desk", "Main", "Attic")
    tag = steward.open("/assets/history").headers["ETag"]
    assert steward.open("/assets/history", headers={"If-None-Match": tag}).status == 304
    moved("Chair", "Main", "Attic")
    assert steward.open("/assets/history", headers={"If-None-Match": tag}).status == 200


def test_the_statements_of_a_page_do_not_grow_with_the_data(steward, moved, statements):
    def opened():
        return steward.open("/assets/history?q=desk&location=room+1&who=porter")

    moved("Desk", "Room 0", "Room 1")
    few = statements(opened)
    moved("Other desk", *(f"Room {n}" for n in range(30)), day=date(2026, 1, 1))
    assert statements(opened) == few


def test_an_unreadable_history_shows_an_error(app, steward):
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("ALTER TABLE asset_move RENAME TO asset_move_gone"))
    page = steward.open("/assets/history")
    assert (page.status, page.alerts) == (500, ["Failed to load history. Try again in a moment."])


ORDERS = [
    ("", ["Desk", "chair", "Grinder"]),
    ("date", ["Grinder", "chair", "Desk"]),
    ("asset", ["chair", "Desk", "Grinder"]),
    ("-asset", ["Grinder", "Desk", "chair"]),
    ("to", ["Desk", "chair", "Grinder"]),
    ("-to", ["Grinder", "Desk", "chair"]),
    ("nonsense", ["Desk", "chair", "Grinder"]),
]


def test_every_heading_sorts_the_moves_and_equal_ones_stay_newest_first(steward, moved):
    moved("Grinder", "Main", "Van", day=date(2020, 1, 1))
    moved("chair", "Van", "Attic", day=date(2020, 1, 2))
    moved("Desk", "Main", "Attic", day=date(2020, 1, 3))
    for sort, found in ORDERS:
        assert items(steward.open(f"/assets/history?sort={sort}")) == found, sort
        for query in ("q=main+van+attic", "location=main"):
            page = steward.open(f"/assets/history?{query}&sort={sort}")
            assert items(page) == [item for item in found if item in items(page)], sort
