"""The totals of 6,000 assets are the same to the penny on every page, call and file."""

import csv
import re
from collections import defaultdict
from urllib.parse import urlencode

import pytest
from sqlalchemy import insert

from app import names
from app.assets.models import Asset
from app.assets.queries import register
from app.assets.queries.register import Totals
from app.assets.rules import NO_VALUE, Dimension
from app.assets.services.register import asset_values
from app.db import db, transaction
from app.divisions import Division
from app.versions import increment_version
from tests import factories
from tests.assets import generated
from tests.databases import settings_for, settle
from tests.person import Caller

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.slow, pytest.mark.writes_directly]

ASSETS = generated.states(generated.FEWER)


@pytest.fixture(scope="module")
def filled(request, shared_app, tmp_path_factory):
    """Make a database with a user of Assets and the assets, which all tests only read."""
    copies = request.getfixturevalue(request.param)
    url = copies.fresh()
    settle(shared_app, settings_for(url, tmp_path_factory.mktemp("filled")))
    with shared_app.app_context():
        factories.user("steward", Division.ASSETS)
        insert_assets()
        db.session.remove()
        db.engine.dispose()
    yield url
    copies.remove(url)


@pytest.fixture(scope="module")
def database_url(filled):
    return filled


def insert_assets():
    rows = [asset_values(state) | {"revision": 0} for state in ASSETS]
    with transaction():
        # With their nulls written all rows are one statement.
        db.session.execute(insert(Asset), rows, execution_options={"render_nulls": True})
        increment_version(register.LIST)


@pytest.fixture
def call(person):
    person.sign_in("steward", follow=False, division=Division.ASSETS)
    return Caller(person)


def sums(states):
    states = list(states)
    value = sum(state.quantity * state.purchase_price for state in states)
    return Totals(len(states), sum(state.quantity for state in states), value)


def grouped(states, name):
    """Return the totals of each group of assets, by the key of the group's name."""
    found = defaultdict(list)
    for state in states:
        found[names.key(getattr(state, name))].append(state)
    return {key: sums(each) for key, each in found.items()}


def groups_of(call, **query):
    """Return all groups of a call by key, and its totals."""
    found = {}
    while True:
        reply = call("GET", f"/api/assets/groups?{urlencode(query | {'offset': len(found)})}").json
        found |= {names.key(group["name"]): group_totals(group) for group in reply["groups"]}
        if len(found) >= reply["total"]:
            return found, group_totals(reply["sums"])


def group_totals(group):
    return Totals(group["assets"], group["quantity"], round(group["value"] * 100))


def all_of(totals):
    totals = list(totals)
    names_ = ("assets", "quantity", "value")
    return Totals(*(sum(getattr(each, name) for each in totals) for name in names_))


def of_file(text):
    rows = csv.DictReader(text.splitlines())
    parsed = [(int(r["quantity"]), int(r["purchasePrice"].replace(".", ""))) for r in rows]
    value = sum(quantity * price for quantity, price in parsed)
    return Totals(len(parsed), sum(quantity for quantity, _ in parsed), value)


def page_totals(page):
    """Return the totals in the line above a page's list."""
    line = re.fullmatch(r"([\d,]+) assets · ([\d,]+) pieces · £([\d,.]+)", page.all("#total")[0])
    return Totals(*(int(re.sub(r"[,.]", "", part)) for part in line.groups()))


BOTH = pytest.mark.parametrize("filled", ["sqlite", "postgresql"], indirect=True, scope="module")


@BOTH
def test_the_totals_of_the_register_are_the_same_everywhere(app, person, call):
    expected = sums(ASSETS)
    assert expected.assets == generated.FEWER
    assert page_totals(person.open("/assets")) == expected
    with app.app_context():
        assert register.totals() == expected
    listed = call("GET", "/api/assets").json
    value = sum(row["quantity"] * round(row["purchasePrice"] * 100) for row in listed)
    assert Totals(len(listed), sum(row["quantity"] for row in listed), value) == expected
    assert of_file(call("GET", "/assets/export").get_data(as_text=True)) == expected
    exported = app.test_cli_runner().invoke(args=["assets", "export"])
    assert of_file(exported.stdout) == expected


@BOTH
@pytest.mark.parametrize("by", list(Dimension))
def test_the_totals_of_groups_are_those_of_their_assets(call, by):
    found, overall = groups_of(call, by=by, limit=200)
    assert found == grouped(ASSETS, by)
    assert all_of(found.values()) == overall == sums(ASSETS)


@BOTH
def test_the_totals_of_subgroups_add_up_to_their_group(person, call):
    locations = grouped(ASSETS, "location")
    assert "" in locations
    for key in sorted(locations)[::15]:
        inside = [state for state in ASSETS if names.key(state.location) == key]
        assert len({state.location for state in inside}) == (2 if key else 1)
        found, overall = groups_of(call, by="category", location=key or NO_VALUE)
        assert found == grouped(inside, "category")
        assert all_of(found.values()) == overall == locations[key]
        limited = urlencode({"location": key or NO_VALUE})
        assert page_totals(person.open(f"/assets?{limited}")) == locations[key]
        export = call("GET", f"/assets/export?{limited}").get_data(as_text=True)
        assert of_file(export) == locations[key]
