"""Searches and pages read what they show: no query of a page scans a table that grows."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import event, select, text

from app import dates, paging, sorting, sums
from app.assets.queries import moves, register
from app.assets.rules import SORT_COLUMNS, AssetState
from app.assets.schemas.register import MOVE_LIST
from app.assets.services import moves as asset_moves
from app.db import db, transaction
from app.deliveries import queries as deliveries
from app.deliveries.rules import DeliveryStatus
from app.deliveries.schemas import status_list
from app.directory import queries as directory
from app.directory.schemas import HANDOVER_LIST, KEY_LIST, SERVICE_LIST
from app.divisions import Division
from app.fleet.models import Check, Vehicle
from app.fleet.queries import checks, overview
from app.fleet.queries import vehicles as vehicle_history
from app.fleet.rules.vehicles import FleetList
from app.fleet.schemas.lists import CHECK_LIST, VEHICLE_LIST
from app.records.record import Query
from app.search import contains_words
from app.sorting import SortOrder
from app.versions import forget_values
from tests import factories
from tests.listing import listed

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("context")]

GROWING = (
    *("asset", "asset_move", "delivery", "key_change", "place_key", "service"),
    *("vehicle", "vehicle_check", "vehicle_event"),
)
TODAY = dates.today()


@pytest.fixture
def some_of_each(context):
    by = factories.user("driver")
    factories.assets([AssetState(f"Desk {n}", f"D{n}", location=f"Room {n}") for n in range(9)])
    with transaction():
        numbers = [row.id for row in register.stream_register()][:9]
        asset_moves.move_assets(numbers, "Attic", by=by)
    for n in range(5):
        factories.vehicle(f"LK1{n} VTE", make="Ford", status="In use", classification="Van")
        factories.check(f"LK1{n} VTE", by=by, day=TODAY - timedelta(days=n), cost=n)
        factories.delivery(ordered_on=TODAY - timedelta(days=n))
    factories.directory(9)
    factories.delivered()
    factories.cancelled()


READS = {
    "checks": lambda: listed(CHECK_LIST, 2),
    "flagged checks": lambda: listed(CHECK_LIST, flags="flagged"),
    **{
        f"checks by {order}": lambda order=order: listed(CHECK_LIST, 2, sort=str(order))
        for order, _ in CHECK_LIST.sorting.orders(0)
    },
    **{
        f"vehicles by {order}": lambda order=order: listed(VEHICLE_LIST, sort=str(order))
        for order, _ in VEHICLE_LIST.sorting.orders(0)
    },
    "reviewed checks": lambda: listed(CHECK_LIST, review="reviewed"),
    "checks of a vehicle": lambda: listed(CHECK_LIST, vehicle="LK11 VTE"),
    "search of checks": lambda: listed(CHECK_LIST, q="damage"),
    "plates": lambda: checks.plates_checked(5),
    "check totals": lambda: overview.check_totals(TODAY),
    "recent events": lambda: overview.recent_events(FleetList.VEHICLES),
    "vehicles": lambda: listed(VEHICLE_LIST),
    "vehicles of a status": lambda: listed(VEHICLE_LIST, status="In use"),
    "search of vehicles": lambda: listed(VEHICLE_LIST, q="ford"),
    "statuses": lambda: vehicle_history.values_in_use(FleetList.VEHICLES, "status"),
    "van history": lambda: vehicle_history.van_history(5),
    "search of assets": lambda: register.asset_page(Query({"q": "desk"})),
    "moves": lambda: listed(MOVE_LIST, 2),
    **{
        f"moves by {order}": lambda order=order: listed(MOVE_LIST, 2, sort=str(order))
        for order, _ in MOVE_LIST.sorting.orders(0)
    },
    "search of moves, oldest first": lambda: listed(MOVE_LIST, q="attic", sort="date"),
    **{
        f"keys by {order}": lambda order=order: listed(KEY_LIST, sort=str(order))
        for order, _ in KEY_LIST.sorting.orders(0)
    },
    "moves of a location": lambda: listed(MOVE_LIST, location="attic"),
    "moves of a user": lambda: listed(MOVE_LIST, who="driver"),
    "search of moves": lambda: listed(MOVE_LIST, q="attic"),
    "locations of moves": moves.locations,
    "movers": moves.movers,
    "deliveries": lambda: listed(status_list(Division.GPM, DeliveryStatus.PENDING)),
    **{
        f"{status} deliveries by {order}": lambda order=order, status=status: listed(
            status_list(Division.GPM, status), 2, sort=str(order)
        )
        for status in DeliveryStatus
        for order, _ in status_list(Division.GPM, status).sorting.orders(0)
    },
    "last order": lambda: deliveries.last_order(Division.GPM, "Red heart"),
    "search of deliveries": lambda: listed(
        status_list(Division.GPM, DeliveryStatus.PENDING), q="heart"
    ),
    "outlook": lambda: deliveries.outlook(Division.GPM, TODAY),
    "late deliveries": lambda: deliveries.late_deliveries(Division.GPM, TODAY, 5),
    "search of keys": lambda: listed(KEY_LIST, q="k00"),
    "search of services": lambda: listed(SERVICE_LIST, q="service"),
    "last holders": lambda: directory.recent_holders(4, except_for=""),
    "handovers": lambda: listed(HANDOVER_LIST),
    **{
        f"assets by {order}": lambda order=order: register.asset_page(Query(order=order))
        for column in SORT_COLUMNS
        for order in (SortOrder(column), SortOrder(column, descending=True))
    },
}
"""The reads of pages; whole sums of the register are read once for each version."""

SUMS = re.compile(r"(?i)^SELECT count\(|(?i:GROUP BY)|sum\(")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("limit", [1000, 1])
def test_no_page_scans_or_sorts_a_table_that_grows(some_of_each, monkeypatch, limit):
    for module in (sums, paging, register, sorting):
        monkeypatch.setattr(module, "COUNT_LIMIT", limit)
    plans = {name: plans_of(read) for name, read in READS.items()}
    assert [name for name, found in plans.items() if not found] == []
    assert {name: bad for name, found in plans.items() if (bad := scans(found))} == {}


def plans_of(read):
    """Run a read; return each of its statements with each line of its plan."""
    plans = []

    def explain(_connection, cursor, statement, parameters, *_):
        if statement.startswith(("SELECT", "WITH")):
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plans.extend((statement, line[3]) for line in cursor.fetchall())

    forget_values()
    event.listen(db.engine, "before_cursor_execute", explain)
    try:
        read()
    finally:
        event.remove(db.engine, "before_cursor_execute", explain)
    return plans


def scans(plans):
    """Return the lines, with their statements, that read a growing table without limit."""
    return [
        (line, statement)
        for statement, line in plans
        if line.startswith("SCAN")
        and line.split()[1] in GROWING
        and ("LIMIT" not in statement or "USING" not in line)
        and not SUMS.search(statement)
    ]


SEARCHES = [
    ("lk11vte", ["LK11 VTE"]),
    ("LK11 VTE", ["LK11 VTE"]),
    ("k11v", ["LK11 VTE"]),
    ("11", ["LK11 VTE"]),
    ("FORD 13", ["LK13 VTE"]),
    ('"', []),
    ("ford*", []),
    ("%", []),
]


def test_a_search_finds_the_same_by_the_index_and_row_by_row(some_of_each):
    for search, found in SEARCHES:
        page = listed(VEHICLE_LIST, q=search)
        assert [vehicle.reg for vehicle, _ in page.rows] == found, search
        by_row = contains_words(Vehicle.search_key, search, by_row=True)
        statement = select(Vehicle.reg).where(*by_row).order_by(Vehicle.reg_key)
        assert db.session.execute(statement).scalars().all() == found, search


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_words_of_long_texts_are_found_by_an_index_of_postgresql(some_of_each):
    statement = Check.__table__.select().where(*contains_words(Check.search_key, "damage"))
    compiled = statement.compile(db.engine, compile_kwargs={"literal_binds": True})
    with db.engine.connect() as connection:
        connection.execute(text("SET enable_seqscan = off"))
        plan = connection.exec_driver_sql(f"EXPLAIN {str(compiled).replace('%', '%%')}")
        assert "ix_vehicle_check_search_key_trigram" in str(plan.all())


def test_a_changed_text_is_found_and_its_former_one_is_not(some_of_each):
    factories.key("K004", holder="Gardeners")
    assert [key.code for key in listed(KEY_LIST, q="gardeners").rows] == ["K004"]
    assert listed(KEY_LIST, q="k004 team").total == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_values_in_use_are_found_without_reading_the_rows_that_have_them():
    def steps_with(rows):
        factories.assets([AssetState(f"Desk {n}", location=f"Room {n % 30}") for n in range(rows)])
        counted = []
        raw = db.session.connection().connection.driver_connection
        raw.set_progress_handler(lambda: counted.append(1), 10)
        assert len(register.values_in_use()["location"]) == 30
        raw.set_progress_handler(None, 0)
        return len(counted)

    few = steps_with(60)
    assert steps_with(600) < 2 * few
