"""What pages cost whatever is stored: their statements read growing tables by an index alone."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import Connection

from app.db import Base, db
from tests.bench.recording import Statement
from tests.opened_pages import opened_pages

pytestmark = pytest.mark.differs_by_engine

SMALL = {
    *("stock_site", "data_version", "user_account", "access_grant", "check_template"),
    *("team", "supplier", "service", "due_plan", "booking_rule", "bookable"),
}
"""Tables that don't grow as the company works; all others do."""

BROAD = {"site_id", "fleet_list", "kind", "subject_kind", "source"}
"""Columns with few values: a search by these alone reads a large part of a table."""

READ_WHOLE = {
    "stock_history.export": "an export is as long as the history",
    "assets.export": "an export is as long as the register",
    "assets.export_history": "an export is as long as the history of moves",
    "fleet.checks_csv": "an export is as long as the list of checks",
    "fleet.checks_json": "an export is as long as the list of checks",
    "stock.levels_csv": "an export is as long as the list of a site's items",
    "stock.accept_suggestions": "it lists the suggestions for all items that match",
    "stock.insight_csv": "a file by item is as long as the list of items",
    "vehicle_file.costs": "sums of the costs of some days read their rows",
    "vehicle_file.cost_rows": "sums of the costs of some days read their rows",
    "vehicle_file.costs_csv": "an export is as long as what cost something",
    "vehicle_file.fleet_record_csv": "an export is as long as what is on record of its months",
    "defects.defects_csv": "an export is as long as the list of defects",
    "defects.off_road_csv": "an export is as long as the times off the road",
    "mileage.readings_csv": "an export is as long as the readings",
    "defects.repairs_csv": "an export is as long as the list of repairs",
    "bookings.bookings_csv": "an export is as long as the list of bookings",
    "due.make_items": "a plan makes items for all its vehicles, and shows them first",
    "stock.reference": "what a phone keeps of a site, for work without a connection",
    "fleet.check_reference": "what a phone keeps of the vehicles, for work without a connection",
    "fleet.check_briefings": "what a phone keeps of the vehicles, for work without a connection",
    **dict.fromkeys(
        ("bookings.desk", "bookings.book", "bookings.booking", "bookings.timeline"),
        "what is free is a matter of all vehicles",
    ),
    **dict.fromkeys(
        [
            *("exports.export_list", "exports.export_all", "stock.inventory_csv"),
            *("deliveries.deliveries_csv", "fleet.vehicles_csv", "fleet.vans_csv"),
            *("directory.keys_csv", "directory.services_csv"),
        ],
        "an export is as long as its list",
    ),
    "imports.sample": "a sample has the first row of an export",
    "stock.count": "a stock check shows all items of a site",
    "stock.count_sheet": "a count sheet shows all items of a site",
    "stock.count_sheet_csv": "a count sheet shows all items of a site",
}
"""Views that read a whole list by their nature."""

READS_CHOICES = [
    *("dashboard.show", "deliveries.deliveries", "reorder.reorder", "stock.inventory"),
    *("stock.levels", "stock_history.history", "views.menu", "views.tiles", "views.views"),
]
EXCEPTIONS = {
    **dict.fromkeys(
        [(view, "view_choice") for view in READS_CHOICES],
        "PostgreSQL reads the few choices of saved views",
    ),
    ("/api/assets/groups", "asset"): "a worker sums groups once for each version of the register",
    ("assets.groups", "asset"): "a worker sums groups once for each version of the register",
    ("assets.assets", "asset"): "a worker sums the register once for each version of it",
    ("dashboard.show", "asset"): "a worker sums the register once for each version of it",
    ("accounts.choose", "booking"): "open bookings alone are read, by their own index",
    ("accounts.choose", "defect"): "open defects alone are read, by their own index",
    ("bookings.bookings", "booking"): "a worker counts bookings once for each version of the list",
    ("dashboard.show", "booking"): "open bookings alone are read, by their own index",
    ("dashboard.show", "defect"): "open defects alone are read, by their own index",
    ("accounts.choose", "due_item"): "open items alone are read, by their own index",
    ("accounts.choose", "off_road"): "a vehicle is off the road once at a time",
    ("dashboard.show", "due_item"): "open items alone are read, by their own index",
    ("dashboard.show", "ledger_summary"): "PostgreSQL reads few days at once",
    ("dashboard.show", "off_road"): "a vehicle is off the road once at a time",
    ("dashboard.show", "vehicle"): "a worker counts vehicles once for each version of the list",
    ("due.due", "due_item"): "open items alone are read, by their own index",
    ("due.due_csv", "due_item"): "open items alone are read, by their own index",
    ("due.due_month", "due_item"): "open items alone are read, by their own index",
    ("defects.off_road", "vehicle"): "a worker counts vehicles once for each version of the list",
    (
        "vehicle_file.vehicle_record",
        "due_done",
    ): "PostgreSQL reads few things done for all vehicles",
    (
        "vehicle_file.vehicle_record_csv",
        "due_done",
    ): "PostgreSQL reads few things done for all vehicles",
    **dict.fromkeys(
        [(f"reorder.{view}", "item") for view in ("reorder", "reorder_csv", "create")],
        "the items below their minimums are read, by their own index",
    ),
    **dict.fromkeys(
        [("global_search.search", table) for table in ("vehicle_check", "defect", "repair")],
        "PostgreSQL expects many matches of a search, and walks",
    ),
    ("global_search.search", "vehicle"): "the first vehicle decides which list the screens have",
    ("stock.levels", "item"): "the items of a site are counted in an index",
    ("stock.insight", "item"): "use by item names the items of the division's sites",
    ("directory.keys", "place_key"): "the keys of an office are thousands at most",
    ("fleet.checks", "vehicle_check"): "PostgreSQL expects many matches of a search, and walks",
    ("fleet.vehicle", "due_done"): "PostgreSQL reads few things done for all vehicles",
    ("fleet.vehicle", "due_item"): "PostgreSQL reads few things done for all vehicles",
    ("fleet.vehicles", "vehicle"): "a worker counts vehicles once for each version of the list",
    ("/api/fleet/vehicles", "defect"): "open defects alone are read, by their own index",
    ("fleet.vehicles", "off_road"): "a vehicle is off the road once at a time",
    ("defects.off_road", "defect"): "open defects alone are read, by their own index",
    ("defects.off_road", "off_road"): "a vehicle is off the road once at a time",
    ("defects.record_repair", "defect"): "open defects alone are read, by their own index",
    ("defects.repairs", "repair"): "a worker counts repairs once for each version of the list",
}
"""Views that read an unlimited part of a table that grows, and why they do."""

ONLY_ON = {
    **dict.fromkeys([(view, "view_choice") for view in READS_CHOICES], "postgresql"),
    ("fleet.vehicle", "due_done"): "postgresql",
    ("fleet.vehicle", "due_item"): "postgresql",
    ("dashboard.show", "ledger_summary"): "postgresql",
    ("vehicle_file.vehicle_record", "due_done"): "postgresql",
    ("vehicle_file.vehicle_record_csv", "due_done"): "postgresql",
    ("fleet.checks", "vehicle_check"): "postgresql",
    **dict.fromkeys(
        [("global_search.search", table) for table in ("vehicle_check", "defect", "repair")],
        "postgresql",
    ),
    ("fleet.vehicles", "off_road"): "postgresql",
    ("accounts.choose", "defect"): "sqlite",
    ("dashboard.show", "defect"): "sqlite",
    ("defects.off_road", "defect"): "sqlite",
    ("/api/fleet/vehicles", "defect"): "sqlite",
}
"""Exceptions that one engine alone needs."""


@pytest.mark.slow
def test_no_page_reads_an_unlimited_part_of_a_growing_table(app, request):
    opened = [page for page in opened_pages(request, app) if page.view not in READ_WHOLE]
    found: dict[tuple[str, str], str] = {}
    with app.app_context(), db.engine.connect() as connection:
        engine = connection.dialect.name
        for page in opened:
            for statement in page.statements:
                if statement.sql.startswith(("SELECT", "WITH")):
                    for table in scanned(connection, statement):
                        found.setdefault((page.view, table), f"{page.path}: {statement.sql}")
    expected = {key for key in EXCEPTIONS if ONLY_ON.get(key, engine) == engine}
    assert {key: sql for key, sql in found.items() if key not in expected} == {}
    assert expected - found.keys() == set(), "no longer exceptions"


def scanned(connection: Connection, statement: Statement) -> set[str]:
    """Return the growing tables of which a statement reads an unlimited part."""
    if connection.dialect.name == "sqlite":
        explain = f"EXPLAIN QUERY PLAN {statement.sql}"
        steps = connection.exec_driver_sql(explain, statement.parameters)
        return scanned_by_sqlite(statement.sql, [(step.parent, step.detail) for step in steps])
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    explain = f"EXPLAIN (FORMAT JSON) {statement.sql}"
    plan = connection.exec_driver_sql(explain, statement.parameters).scalar_one()
    return scanned_by_postgresql(statement.sql, plan[0]["Plan"])


def growing(sql: str, name: str) -> set[str]:
    """Return the growing table that a name or alias stands for, as a set."""
    alias = re.search(rf"(\w+) AS {name}\b", sql)
    table = alias[1] if alias and alias[1] in Base.metadata.tables else name
    return {table} & (Base.metadata.tables.keys() - SMALL)


_READS_ALL = re.compile(r"LIKE|GROUP BY|DISTINCT|\b(?:sum|count)\((?!.*FROM \(SELECT)", re.DOTALL)


def is_limited(sql: str) -> bool:
    """Return whether a statement stops early: sums don't, nor does a search that finds nothing."""
    return "LIMIT" in sql.split() and not _READS_ALL.search(sql)


def is_broad(sql: str, table: str, columns: set[str]) -> bool:
    """Return whether conditions on these columns, of which some are null, leave many rows."""
    return {name for name in columns if f"{table}.{name} IS NULL" not in sql} <= BROAD


def scanned_by_sqlite(sql: str, plan: Sequence[tuple[int, str]]) -> set[str]:
    """Return what a plan of SQLite reads unlimited, or sorts after reading a broad part of it.

    The plan's steps are their parents and texts; sorting has the same parent as what it sorts.
    """
    sorting = {parent for parent, text in plan if "TEMP B-TREE" in text}
    found: set[str] = set()
    for parent, line in plan:
        step = re.match(r"(SCAN|SEARCH) (\w+)(?:.*\((.*)\))?", line)
        if step is None or "VIRTUAL TABLE" in line:
            continue
        columns = set(re.findall(r"(\w+)[=<>]", step[3] or ""))
        is_long = step[1] == "SCAN" or is_broad(sql, step[2], columns)
        if is_long and (parent in sorting or not is_limited(sql)):
            found |= growing(sql, step[2])
    return found


def scanned_by_postgresql(sql: str, plan: dict[str, Any]) -> set[str]:
    """Return what a plan of PostgreSQL reads unlimited, or sorts after reading a broad part."""
    found: set[str] = set()

    def visit(node: dict[str, Any], *, is_sorted: bool) -> None:
        # What a limit leaves is short.
        is_sorted = node["Node Type"] == "Sort" or (is_sorted and node["Node Type"] != "Limit")
        table = Base.metadata.tables.get(node.get("Relation Name", ""))
        condition = node.get("Index Cond") or node.get("Recheck Cond") or ""
        # What the columns are compared with is quoted, or a column of another table.
        words = set(re.findall(r"\w+", re.sub(r"'[^']*'|\w+\.\w+", "", condition)))
        columns = words & set(table.columns.keys()) if table is not None else words
        is_long = table is not None and is_broad(sql, node["Alias"], columns)
        if table is not None and is_long and (is_sorted or not is_limited(sql)):
            found.update(growing(sql, table.name))
        for child in node.get("Plans", ()):
            visit(child, is_sorted=is_sorted)

    visit(plan, is_sorted=False)
    return found


@pytest.mark.parametrize(
    ("sql", "plan", "tables"),
    [
        ("SELECT x", ["SCAN item"], {"item"}),
        ("SELECT x", ["SCAN team"], set()),
        ("SELECT x LIMIT 5", ["SCAN item USING INDEX i"], set()),
        ("SELECT x LIKE y LIMIT 5", ["SCAN item USING INDEX i"], {"item"}),
        ("SELECT x LIMIT 5", ["SCAN item", "USE TEMP B-TREE FOR ORDER BY"], {"item"}),
        ("SELECT x", ["SEARCH item USING INDEX i (site_id=?)"], {"item"}),
        ("SELECT x", ["SEARCH item USING INDEX i (site_id=? AND name_key>?)"], set()),
        ("SELECT x FROM asset AS a", ["SCAN a"], {"asset"}),
    ],
)
def test_a_plan_of_sqlite_that_reads_an_unlimited_part_of_a_growing_table_is_found(
    sql, plan, tables
):
    assert scanned_by_sqlite(sql, [(0, step) for step in plan]) == tables
