"""What the pages of upkeep take of the database: the same with little data and with much."""

import pytest

from app import create_app, day_counts
from app.db import db, transaction
from app.divisions import Division
from app.fleet.queries.counts import COUNTED
from tests import factories
from tests.databases import settings_for
from tests.person import Person
from tests.upkeep import generated

PAGES = (
    "/fleet/due",
    "/fleet/due/month",
    "/vehicles/1",
    "/vehicles",
    "/fleet/defects",
    "/fleet/repairs",
    "/fleet/off-road",
    "/fleet/costs",
    "/fleet/costs/rows",
    "/fleet/record?vehicle=BE00001+N",
)


def counts(app, statements_of, **size):
    """Return how many statements each page takes with a fleet of a size."""
    with app.app_context():
        factories.user("k.lee", Division.FLEET)
        generated.fill(**size)
        with transaction():
            for counted in COUNTED:
                day_counts.rebuild(counted)
    person = Person(app)
    person.sign_in("k.lee", follow=False)
    return {path: statements_of(app, person, path) for path in PAGES}


@pytest.mark.unmeasured
@pytest.mark.writes_directly
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_page_of_upkeep_takes_more_statements_with_more_data(app, sqlite, tmp_path):
    few = counts(app, statements_of, vehicles=3, years=0.2)
    much = create_app(settings_for(sqlite.fresh(), tmp_path))
    many = counts(much, statements_of, vehicles=40, years=1.5)
    assert {path: (few[path], many[path]) for path in PAGES if many[path] > few[path]} == {}


def statements_of(app, person, path):
    """Return how many statements a page takes, its session's included."""
    from sqlalchemy import event

    with app.app_context():
        engine = db.engine
    found = []

    def note(_connection, _cursor, statement, *_):
        found.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    page = person.open(path)
    event.remove(engine, "before_cursor_execute", note)
    assert page.status == 200, path
    return len(found)
