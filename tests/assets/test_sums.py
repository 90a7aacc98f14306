"""What 50,000 assets come to is the same to the penny wherever it is told."""

import csv
import io
import json
from decimal import Decimal

from app import money
from app.assets.queries import groups, register
from app.assets.queries.register import AssetFilter
from app.assets.rules.assets import Dimension
from app.assets.rules.sorting import Column, GroupColumn, Order
from app.assets.schemas.files import ASSET_COLUMNS, asset_rows
from app.web.csv_files import write_rows
from tests import factories
from tests.assets.generated import COUNT, states

BY_VALUE = Order(GroupColumn.VALUE, descending=True)


def of_rows(rows):
    """Return what rows of JSON or CSV come to, in pence."""
    quantity, value = 0, Decimal(0)
    for row in rows:
        quantity += int(row["quantity"])
        value += int(row["quantity"]) * Decimal(str(row["purchasePrice"]))
    return len(rows), quantity, int(value * 100)


def of_groups(by, shown):
    """Return the groups of a filter, read 200 at a time, and what they come to."""
    found = groups.groups(by, shown, BY_VALUE, limit=200)
    rows = list(found.rows)
    while len(rows) < found.total:
        rows += groups.groups(by, shown, BY_VALUE, limit=200, offset=len(rows)).rows
    assert [row.value for row in rows] == sorted((row.value for row in rows), reverse=True)
    return rows, tuple(
        sum(getattr(row, n) for row in rows) for n in ("assets", "quantity", "value")
    )


def test_sums_agree_to_the_penny_in_python_sql_api_page_and_files(app, call, steward):
    wanted = states()
    expected = (
        COUNT,
        sum(state.quantity for state in wanted),
        sum(state.quantity * state.purchase_price for state in wanted),
    )
    with app.app_context():
        factories.assets(wanted)
        total = register.totals(AssetFilter())
        assert (total.assets, total.quantity, total.value) == expected
        for by, then in (
            (Dimension.LOCATION, Dimension.CATEGORY),
            (Dimension.SUPPLIER, Dimension.MODEL),
        ):
            outer, sums = of_groups(by, AssetFilter())
            assert sums == expected
            for group in outer[::15]:
                _, inner = of_groups(then, AssetFilter(**{by.value: group.name or "–"}))
                assert inner == (group.assets, group.quantity, group.value)
        lines = "".join(
            write_rows(
                ASSET_COLUMNS,
                asset_rows(register.asset_rows(AssetFilter(), Order(Column.VALUE))),
            )
        )
    written = app.test_cli_runner().invoke(args=["assets", "export"]).stdout
    exported = steward.client.get("/assets/export").get_data(as_text=True)
    for file in (lines, written, exported):
        assert of_rows(list(csv.DictReader(io.StringIO(file)))) == expected
    listed = json.loads(call("GET", "/api/assets").get_data(), parse_float=Decimal)
    assert of_rows(listed) == expected
    sums = call("GET", "/api/assets/groups").json["sums"]
    assert (sums["assets"], sums["quantity"], round(sums["value"] * 100)) == expected
    shown = steward.open("/assets").text
    assert all(said in shown for said in (f"{expected[1]:,}", money.format_pence(expected[2])))
