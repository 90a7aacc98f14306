"""What the pages of upkeep take of the database: the same with little data and with much."""

import pytest

from app import day_counts
from app.db import db, transaction
from app.divisions import Division
from app.fleet.queries.checks import COUNTED
from app.versions import forget_values
from tests import factories
from tests.bench.recording import recording
from tests.databases import settle
from tests.person import Person
from tests.upkeep import generated

VEHICLE = "vehicle=BE00001+N"
PAGES = (
    *("/fleet/due", "/fleet/due/month", "/fleet/plans", "/fleet/plans/1/items", "/dashboard"),
    *("/vehicles/1", "/vehicles", "/fleet/defects", "/fleet/defects?tab=closed", "/fleet/repairs"),
    *("/fleet/off-road", "/fleet/costs", f"/fleet/costs?{VEHICLE}", "/fleet/costs/rows"),
    *("/fleet/readings", f"/fleet/readings?{VEHICLE}", f"/fleet/record?{VEHICLE}&months=12"),
    *("/fleet/record/fleet.csv?months=1", "/fleetChecks", "/fleetChecks/briefings"),
    *(f"/fleetChecks?plain=1&{VEHICLE}&form=mixed", "/api/fleet/due", "/api/fleet/plans"),
    *("/api/fleet/defects?limit=25", "/api/fleet/repairs?limit=25", "/api/fleet/costs"),
    *("/api/fleet/readings?limit=25", "/api/fleet/vehicles?limit=25"),
    "/api/fleet/vehicles/BE00001N/off-road",
)

STATEMENTS = {
    "/fleet/due": 5,
    "/fleet/due/month": 5,
    "/fleet/plans/1/items": 5,
    "/dashboard": 18,
    "/vehicles/1": 15,
    "/vehicles": 7,
    "/fleet/defects": 5,
    "/fleet/repairs": 5,
    "/fleet/off-road": 7,
    "/fleet/costs": 5,
    f"/fleet/costs?{VEHICLE}": 6,
    f"/fleet/readings?{VEHICLE}": 7,
    f"/fleet/record?{VEHICLE}&months=12": 12,
    "/fleetChecks/briefings": 10,
}
"""How many statements pages take when nothing of them is remembered, that of the session too."""

GROWING = {
    "/dashboard": "it adds up the numbers of checks of all days",
    "/fleet/defects": "it counts closed defects, up to a limit",
    "/fleet/defects?tab=closed": "it counts closed defects, up to a limit",
    "/api/fleet/vehicles/BE00001N/off-road": "it lists each time the vehicle was off the road",
    "/vehicles/1": "its chart of the odometer has a point for each check",
    f"/fleet/readings?{VEHICLE}": "the pager counts the readings of the vehicle",
}
"""Pages whose statements do more work with more years, and why they do."""

pytestmark = [
    pytest.mark.writes_directly,
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
]


@pytest.fixture
def emptied(app, sqlite, database_url):
    """Return a function that empties the database, and returns the application."""

    def emptied():
        sqlite.renew(database_url, None)
        settle(app, app.config["QUARTERMASTER"])
        return app

    return emptied


def test_no_page_of_upkeep_takes_more_statements_with_more_data(app, emptied):
    few = statements_of_pages(app, vehicles=8, years=0.5)
    many = statements_of_pages(emptied(), vehicles=40, years=1.5)
    assert {p: (len(few[p]), len(many[p])) for p in PAGES if len(many[p]) > len(few[p])} == {}
    assert {path: len(many[path]) for path in STATEMENTS} == STATEMENTS


def test_no_page_of_upkeep_makes_the_database_work_more_after_more_years(app, emptied):
    before = work_of_pages(app, vehicles=10, years=1.5)
    after = work_of_pages(emptied(), vehicles=10, years=4)
    more = {path: (before[path], after[path]) for path in PAGES if after[path] > 1.3 * before[path]}
    assert {path: pair for path, pair in more.items() if path not in GROWING} == {}
    assert GROWING.keys() - more.keys() == set(), "no longer growing"


def work_of_pages(app, **size):
    """Return how many steps SQLite takes for the queries of each page."""
    steps = {}
    statements = statements_of_pages(app, **size)
    with app.app_context(), db.engine.connect() as connection:
        raw = connection.connection.driver_connection
        for path, found in statements.items():
            counted = []
            raw.set_progress_handler(lambda counted=counted: counted.append(1), 10)
            for statement in found:
                if statement.sql.startswith(("SELECT", "WITH")):
                    connection.exec_driver_sql(statement.sql, statement.parameters).fetchall()
            raw.set_progress_handler(None, 0)
            steps[path] = 10 * len(counted)
    return steps


def statements_of_pages(app, **size):
    """Return the statements of each page, its session's included, with a fleet of a size."""
    with app.app_context():
        factories.user("k.lee", Division.FLEET)
        generated.fill(**size)
        with transaction():
            for counted in COUNTED:
                day_counts.rebuild(counted)
        engine = db.engine
    person = Person(app)
    person.sign_in("k.lee", follow=False)
    found = {}
    for path in PAGES:
        # What a worker remembers hides the statements by which it was read.
        forget_values()
        app.extensions["rendered"].clear()
        with recording(engine) as recorded:
            reply = person.client.get(path)
            assert reply.status_code == 200, path
            reply.get_data()
        found[path] = recorded.statements()
    return found
