"""What a part of a history costs: its statements read by an index, however far back it is."""

from functools import partial

import pytest

from app.db import db
from app.divisions import Division
from tests.bench import data
from tests.bench.recording import record
from tests.databases import filled_once
from tests.opened_pages import fill
from tests.test_query_plans import scanned

pytestmark = pytest.mark.differs_by_engine


@pytest.mark.slow
def test_a_later_part_of_a_history_is_read_by_an_index_alone(app, request):
    filled_once(request, app, "much", partial(fill, app))
    client, headers = app.test_client(use_cookies=False), data.sign_in(app).headers(Division.GFM)
    for query in ("", "from=2001-01-01&to=2101-01-01&", "search=heart&"):
        with client.get(f"/api/gfm/history?{query}limit=5", headers=headers) as reply:
            following = reply.headers["Link"].partition(">")[0].removeprefix("<")
        statements = record(app, ("GET", following, b"", headers)).statements()
        with app.app_context(), db.engine.connect() as connection:
            for statement in statements:
                assert scanned(connection, statement) == set(), (query, statement.sql)
