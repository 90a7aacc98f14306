"""The number of statements doesn't grow with the register, and a move writes few columns."""

import re
from dataclasses import replace

import pytest
from sqlalchemy import event

from app.assets.rules import AssetState
from app.assets.services.moves import PastMove, move_assets, record_moves
from app.db import db, transaction
from app.versions import increment_version
from tests import factories

pytestmark = pytest.mark.differs_by_engine


def many(count):
    return [
        AssetState(f"Desk {n}", f"A{n}", location=f"Room {n % 70}", category=f"Kind {n % 9}")
        for n in range(count)
    ]


READ = [
    "/assets",
    "/assets?q=desk&location=room+1&sort=-value&page=2",
    "/assets/groups",
    "/api/assets",
    "/api/assets?limit=3",
    "/api/assets/groups?by=location",
    "/api/assets/history",
    "/assets/export",
]


def test_300_assets_are_read_by_as_many_statements_as_5(app, steward, statements):
    def counted():
        return {path: statements(lambda path=path: read(path)) for path in READ}

    def read(path):
        reply = steward.client.get(path)
        assert (reply.status_code, bool(reply.get_data())) == (200, True), path

    with app.app_context():
        factories.assets(many(5))
    few = counted()
    with app.app_context():
        factories.assets([*many(300), AssetState("Lamp", "L")])
        with transaction():
            # A new version, so that the reply is not 304.
            increment_version("assets")
    assert counted() == few


def test_a_list_of_900_is_replaced_by_as_many_statements_as_one_of_9(call, statements):
    def replace_all(count, tag):
        body = [
            {"id": f"A{n}", "item": f"Desk {n}", "location": f"{tag}", "purchaseDate": day}
            for n, day in zip(range(count), [None, "2024-01-01"] * count, strict=False)
        ]
        read = call("GET", "/api/assets")
        reply = call("POST", "/api/assets", body, If_Match=read.headers["ETag"])
        assert reply.status_code == 200

    def counted(count):
        replace_all(count, "first")
        return statements(lambda: replace_all(count, "second"))

    assert counted(9) == counted(900)


def test_sqlite_writes_its_search_index_once_for_many_assets(app, context):
    row_by_row = []

    def note(*args):
        if args[-1]:
            row_by_row.append(args[2].split()[0])

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        factories.assets(many(50))
        factories.assets([replace(each, item="Lamp") for each in many(50)])
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    # PostgreSQL writes its index once for a transaction.
    assert row_by_row == (["UPDATE"] if db.engine.dialect.name == "postgresql" else [])


@pytest.mark.parametrize("is_recorded", [False, True])
def test_a_move_writes_only_the_location_of_an_asset(app, context, is_recorded):
    number = factories.asset("Desk", id="D1", location="Main", make="Ikea")
    written = []

    def record(_connection, _cursor, statement, *_):
        if statement.startswith("UPDATE asset SET"):
            written.extend(re.findall(r"(\w+)=", statement.partition(" WHERE ")[0]))

    event.listen(db.engine, "before_cursor_execute", record)
    try:
        with transaction():
            if is_recorded:
                record_moves([PastMove("D1", "Attic")], by=None)
            else:
                move_assets([number], "Attic", by=None)
    finally:
        event.remove(db.engine, "before_cursor_execute", record)
    assert sorted(written) == ["location", "location_key", "revision", "search_key"]
