"""SQL statements: their number doesn't grow with the data, and searches use an index."""

import pytest
from sqlalchemy import text

from app.db import db, transaction
from app.stock.queries import levels
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from tests import factories
from tests.factories import DAY, GUILDFORD, MAIN

NAMES = [f"RED HEART {n:03d}" for n in range(200)]


@pytest.mark.parametrize("path", ["/inventory/main", "/inventory/main?q=heart", "/history"])
def test_a_page_of_200_items_takes_as_many_statements_as_one_of_5(app, keeper, statements, path):
    with app.app_context():
        factories.items([(name, 5) for name in NAMES[:5]])
    few = statements(lambda: keeper.open(path))
    with app.app_context():
        factories.items([(name, 6) for name in NAMES])
    assert statements(lambda: keeper.open(path)) == few


def test_a_bulk_of_200_lines_takes_as_many_statements_as_one_of_20(app, statements):
    with app.app_context():
        by = factories.user()
        factories.items([(name, 5) for name in NAMES])

    def deliver(number):
        with app.app_context(), transaction():
            lines = [StockLine(name, 1) for name in NAMES[:number]]
            movements.deliver(MAIN, lines, team="", on=DAY, by=by)

    assert statements(lambda: deliver(200)) == statements(lambda: deliver(20))


PATH = "/api/gfm/inventory/main"
ON = {"date": str(DAY)}


def one(kind):
    return {"ops": [{"type": kind, "id": NAMES[0], "delta": 1}], **ON}


def lines(count):
    return {"lines": [{"name": name, "qty": 1} for name in NAMES[:count]], **ON}


def moved_to(site):
    return {"source": "main", "destination": site, **lines(1)}


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("PATCH", PATH, one("dec"), 8),
        ("PATCH", PATH, one("inc"), 8),
        ("POST", f"{PATH}/bulk", {"action": "delivery", **lines(1)}, 8),
        ("POST", f"{PATH}/bulk", {"action": "delivery", **lines(200)}, 8),
        ("POST", f"{PATH}/bulk", {"action": "withdrawal", **lines(200)}, 8),
        ("POST", "/api/gfm/inventory/northern/bulk", {"action": "delivery", **lines(200)}, 9),
        ("POST", "/api/gfm/transfers", moved_to("guildford"), 10),
        ("POST", "/api/gfm/transfers", moved_to("northern"), 10),
    ],
    ids=[
        "withdraw 1",
        "deliver 1",
        "bulk of 1",
        "bulk of 200",
        "bulk withdrawal of 200",
        "bulk of 200 new items",
        "transfer",
        "transfer of a new item",
    ],
)
def test_a_change_with_its_session_and_key_takes_so_many_statements(
    app, call, statements, method, path, body, expected
):
    with app.app_context():
        for store in (MAIN, GUILDFORD):
            factories.items([(name, 5) for name in NAMES], store=store)
    replies = []
    taken = statements(lambda: replies.append(call(method, path, body, Idempotency_Key="once")))
    assert replies[0].status_code == 200, replies[0].text
    assert taken == expected
    assert statements(lambda: call(method, path, body, Idempotency_Key="once")) == 3


def test_words_within_names_are_found_by_an_index(context):
    factories.items([(name, 5) for name in NAMES])
    statement = levels._row_columns().where(*levels.name_contains("eart 19"))
    compiled = statement.compile(db.engine, compile_kwargs={"literal_binds": True})
    with db.engine.connect() as connection:
        if db.engine.dialect.name == "sqlite":
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}")
            assert "item_search VIRTUAL TABLE INDEX" in str(plan.all())
        else:
            connection.execute(text("SET enable_seqscan = off"))
            plan = connection.exec_driver_sql(f"EXPLAIN {str(compiled).replace('%', '%%')}")
            assert "ix_item_name_key_trigram" in str(plan.all())


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("eart 199", 1),
        ("RED HEART 19", 12),
        ("ed 19", 12),
        ("99", 2),
        ('"', 0),
        ('"heart" OR x', 0),
        ("heart*", 0),
        ("%", 0),
        ("__", 0),
        ("straße", 0),
    ],
)
def test_a_search_matches_special_characters_literally(context, search, found):
    factories.items([(name, 5) for name in NAMES])
    assert levels.count_items(MAIN, levels.StockFilters(search)) == found
