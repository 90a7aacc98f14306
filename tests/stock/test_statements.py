"""SQL statements: their number doesn't grow with the data, and searches use an index."""

import pytest
from sqlalchemy import text

from app.db import db, transaction
from app.stock.queries import levels
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from tests import factories
from tests.factories import DAY, MAIN

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
