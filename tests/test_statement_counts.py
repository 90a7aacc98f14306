"""How many statements calls and pages take: few, and as many with little data as with much."""

from functools import partial

import pytest

from tests.bench import data
from tests.bench.calls import BY_NAME
from tests.bench.data import Size
from tests.bench.figures import STATEMENTS, TARGETS
from tests.bench.recording import record
from tests.databases import filled_once, settle
from tests.opened_pages import fill, stored_ids
from tests.pages_walk import pages

WITHOUT_MUCH = Size(
    **dict.fromkeys(("movements", "gpm_movements"), 10),
    **dict.fromkeys(("deliveries", "keys", "vehicles", "checks", "upkeep", "assets"), 5),
    delivered=2,
)
FEW = Size(
    **dict.fromkeys(("movements", "deliveries"), 40),
    **dict.fromkeys(("listed", "vehicles", "checks", "assets"), 20),
    **dict.fromkeys(("delivered", "keys"), 5),
    gpm_movements=30,
    upkeep=25,
)
"""Something of everything, and less than a page shows."""

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.slow]

ABOVE_TARGET = {
    "withdraw (JSON)": 10,
    "transfer (JSON)": 12,
    "fleet: vehicle": 16,
    "fleet: readings": 8,
}
"""Calls that take more statements than they should.

A change takes one to add its event, a vehicle's page one for its bookings. This vehicle has a
repaired stop defect that may have been seen since.
"""


def test_calls_take_few_statements(app):
    data.fill(app, WITHOUT_MUCH)
    session = data.sign_in(app)
    limits = {t.subject: int(t.limit) for t in TARGETS if t.figure == STATEMENTS}
    counts = {
        name: len(record(app, BY_NAME[name].request(session)).statements()) for name in limits
    }
    above = {name: count for name, count in counts.items() if count > limits[name]}
    assert above == ABOVE_TARGET


def test_the_list_of_deliveries_takes_few_statements(app):
    data.fill(app, FEW)
    session = data.sign_in(app)
    for name, number in (("deliveries", 4), ("delivered", 7)):
        assert len(record(app, BY_NAME[name].request(session)).statements()) == number, name


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_page_takes_more_statements_with_more_data(app, request, sqlite, database_url):
    fill(app, FEW)
    few = counts_of_pages(app)
    sqlite.renew(database_url, None)
    settle(app, app.config["QUARTERMASTER"])
    filled_once(request, app, "much", partial(fill, app))
    many = counts_of_pages(app)
    assert not {path: (few[path], n) for path, n in many.items() if n > few[path]}


def counts_of_pages(app):
    """Return the number of statements of each page by its view, division and query."""
    session = data.sign_in(app)
    counts = {}
    for page in list(pages(app, session, stored_ids(app))):
        query = page.path.partition("?")[2]
        statements = record(app, page.request).statements()
        counts[page.view, page.division, query] = len(statements)
    return counts
