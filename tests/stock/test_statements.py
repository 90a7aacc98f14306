"""SQL statements: their number doesn't grow with the data, and searches use an index."""

import re
from contextlib import contextmanager

import pytest
from sqlalchemy import event, select, text

from app import sums
from app.db import db, transaction
from app.stock.models import Item
from app.stock.queries import levels
from app.stock.rules.filters import StockFilters
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from app.versions import forget_values
from tests import factories
from tests.factories import DAY, GUILDFORD, MAIN

pytestmark = pytest.mark.differs_by_engine

NAMES = [f"RED HEART {n:03d}" for n in range(200)]


PAGES = ["/inventory/main", "/inventory/main?q=heart", "/history", "/history?q=heart+main"]


def test_a_page_of_200_items_takes_as_many_statements_as_one_of_5(keeper, statements, stocks):
    def counted():
        return {path: statements(lambda path=path: keeper.open(path)) for path in PAGES}

    stocks([(name, 5) for name in NAMES[:5]])
    few = counted()
    stocks([(name, 6) for name in NAMES])
    assert counted() == few


def test_a_bulk_of_200_lines_takes_as_many_statements_as_one_of_20(app, in_app, statements):
    by = in_app(factories.user)
    in_app(factories.items, [(name, 5) for name in NAMES])

    def deliver(number):
        with app.app_context(), transaction():
            lines = [StockLine(name, 1) for name in NAMES[:number]]
            movements.deliver(MAIN, lines, team="", on=DAY, by=by)

    assert statements(lambda: deliver(200)) == statements(lambda: deliver(20))


PATH = "/api/gfm/inventory/main"
GPM = "/api/gpm/inventory/main"
TRANSFERS = "/api/gfm/transfers"
ON = {"date": str(DAY)}


def one(kind):
    return {"ops": [{"type": kind, "id": NAMES[0], "delta": 1}], **ON}


def lines(count):
    return {"lines": [{"name": name, "qty": 1} for name in NAMES[:count]], **ON}


def moved_to(site):
    return {"source": "main", "destination": site, **lines(1)}


CHANGES = {
    "withdraw 1": ("PATCH", PATH, one("dec"), 10),
    "deliver 1": ("PATCH", PATH, one("inc"), 10),
    "bulk of 1": ("POST", f"{PATH}/bulk", {"action": "delivery", **lines(1)}, 10),
    "bulk of 200": ("POST", f"{PATH}/bulk", {"action": "delivery", **lines(200)}, 10),
    "bulk withdrawal of 200": ("POST", f"{PATH}/bulk", {"action": "withdrawal", **lines(200)}, 10),
    "transfer": ("POST", TRANSFERS, moved_to("guildford"), 12),
    "transfer of a new item": ("POST", TRANSFERS, moved_to("northern"), 12),
    "bulk of 200 new items": ("POST", f"{GPM}/bulk", {"action": "delivery", **lines(200)}, 11),
}


def test_a_change_with_its_session_and_key_takes_so_many_statements(in_app, call, statements):
    for store in (MAIN, GUILDFORD):
        in_app(factories.items, [(name, 5) for name in NAMES], store=store)
    for name, (method, path, body, expected) in CHANGES.items():

        def send(method=method, path=path, body=body, name=name):
            reply = call(method, path, body, Idempotency_Key=name.replace(" ", "-"))
            assert reply.status_code == 200, (name, reply.text)

        assert statements(send) == expected, name
        assert statements(send) == 3, name


LISTS = [
    "/inventory/main",
    "/inventory/main?after=red+heart+050",
    "/inventory/main?category=Toys",
    "/inventory/main?q=heart+19",
    "/inventory/main?q=9",
    "/inventory/main?q=heart&category=Toys",
]


def test_a_list_takes_four_statements_and_none_reads_all_items(app, keeper, statements, stocks):
    stocks([(name, 5) for name in NAMES], category="Toys")
    for path in LISTS:
        # As a worker begins, that remembers nothing of the list.
        app.extensions["rendered"].clear()
        forget_values()
        plans = []
        with explaining(app, plans):
            assert statements(lambda path=path: keeper.open(path)) == 4, path
        assert any("item" in plan for plan in plans), path
        assert [plan for plan in plans if re.search(SCAN, plan)] == [], path


def test_words_within_names_are_found_by_an_index(app, context):
    factories.items([(name, 5) for name in NAMES])
    found = levels.ITEM_NAMES.look_up(select(Item.id), ["eart", "19"])
    plans = []
    with explaining(app, plans):
        assert len(db.session.execute(found.limit(100)).all()) == 12
    assert re.search("item_search VIRTUAL TABLE INDEX|ix_item_name_key_trigram", plans[-1])


def test_what_many_names_have_is_met_among_the_names_in_their_order(
    app, keeper, statements, monkeypatch, stocks
):
    for module in (levels, sums):
        monkeypatch.setattr(module, "COUNT_LIMIT", 100)
    stocks([(name, 5) for name in NAMES])
    plans = []
    headers = {"HX-Request": "true", "HX-Target": "list"}
    with explaining(app, plans):
        taken = statements(lambda: keeper.open("/inventory/main?q=heart", headers=headers))
    assert taken <= 4
    assert [plan for plan in plans if re.search(SCAN, plan)] == []
    page = keeper.open("/inventory/main?q=heart")
    assert page.all("#total") == ["100+ matches"]
    assert [row[0] for row in page.rows()] == NAMES[:100]
    following = keeper.open(page.link("More"))
    assert [row[0] for row in following.rows()] == NAMES[100:]
    assert following.all("#total") == ["100+ matches"]
    assert keeper.open("/inventory/main?q=heart+19").all("#total") == ["12 matches"]


SCAN = r"SCAN item\b|Seq Scan on item\b|Index (Only )?Scan using \w+ on item\b(?!.*\n *Index Cond)"
"""The line of a plan that reads all items, on either engine."""


@contextmanager
def explaining(app, plans):
    """Collect the plan of every statement, PostgreSQL's as for a table that is large."""
    with app.app_context():
        engine = db.engine
    is_sqlite = engine.dialect.name == "sqlite"
    seen = []
    listening = (engine, "before_cursor_execute", lambda *args: seen.append(args[2:4]))
    event.listen(*listening)
    try:
        yield
    finally:
        event.remove(*listening)
    with engine.connect() as connection:
        if not is_sqlite:
            connection.execute(text("SET enable_seqscan = off"))
        for statement, values in seen:
            if not statement.startswith("BEGIN"):
                explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
                rows = connection.exec_driver_sql(f"{explain} {statement}", values)
                plans.append("\n".join(str(row[-1]) for row in rows))


MATCHES = {
    1: ["eart 199"],
    2: ["99"],
    12: ["RED HEART 19", "ed 19"],
    0: ['"', '"heart" OR x', "heart*", "%", "__", "straße"],
}


def test_a_search_matches_special_characters_literally(context):
    factories.items([(name, 5) for name in NAMES])
    for found, searches in MATCHES.items():
        for search in searches:
            assert levels.count_items(MAIN, StockFilters(search)) == found, search
