"""Values that a worker keeps are those of the list's version, whoever has changed the list."""

import pytest
from cachetools import LRUCache
from sqlalchemy import create_engine, text

from app import versions
from app.assets.queries import groups, register
from app.assets.rules import HIGHEST_VALUE_FIRST, AssetState, Dimension
from app.db import db, transaction
from app.engines import engine_options
from app.fleet.queries.check_form import suggestions
from app.fleet.schemas.lists import VEHICLE_LIST
from app.records.reading import read_page
from app.records.record import Query
from tests import factories

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("context")]


def change_elsewhere(app, name, statement):
    """Change a list as another process does, over a connection that the application lacks."""
    url = app.config["QUARTERMASTER"].database_url
    engine = create_engine(url, **engine_options(url))
    version = f"UPDATE data_version SET version = version + 1 WHERE name = '{name}'"
    with engine.begin() as connection:
        for each in (statement, version):
            connection.execute(text(each))
    engine.dispose()


def read_register():
    db.session.rollback()
    page = register.asset_page(register.ALL)
    found = groups.group_assets(Dimension.LOCATION, register.ALL, HIGHEST_VALUE_FIRST, limit=5)
    return (
        [row.location for row in page.rows],
        page.totals,
        register.totals(Query({"location": "Hall"})).assets,
        [group.name for group in found.rows],
        register.values_in_use()["location"],
    )


def test_a_change_of_the_register_by_another_process_is_read_at_once(app):
    factories.assets([AssetState("Desk", "D1", location="Hall")])
    before = read_register()
    assert before == read_register()
    change_elsewhere(
        app, "assets", "UPDATE asset SET location = 'Attic', location_key = 'attic', quantity = 7"
    )
    places, totals, in_hall, grouped, listed = read_register()
    assert (places, totals.quantity, in_hall) == (["Attic"], 7, 0)
    assert (grouped, listed) == (["Attic"], ["Attic"])


def test_a_vehicle_added_by_another_process_is_counted_at_once(app):
    factories.vehicle("LK19 VTE")

    def counted():
        db.session.rollback()
        return read_page(
            VEHICLE_LIST, VEHICLE_LIST.parse({}), 1, VEHICLE_LIST.current_version()
        ).total

    assert counted() == 1
    change_elsewhere(app, "vehicles", "DELETE FROM vehicle")
    assert counted() == 0


def test_a_value_is_computed_once_for_a_version_and_the_oldest_are_forgotten(monkeypatch):
    monkeypatch.setattr(versions, "_values", LRUCache(2))
    computed = []

    def value_of(version):
        return versions.cached(version, lambda: computed.append(version) or version, "a value")

    assert [value_of(version) for version in (1, 1, 2, 1, 3, 1, 2)] == [1, 1, 2, 1, 3, 1, 2]
    assert computed == [1, 2, 3, 2]


def test_texts_of_checks_are_those_of_the_latest_checks(app):
    factories.user("driver")
    factories.check(items={"Damage": "Scratch"})
    texts = [list(suggestions(["Damage"])["Damage"])]
    factories.check(items={"Damage": "Dent"})
    texts.append(list(suggestions(["Damage"])["Damage"]))
    change_elsewhere(app, "checks", 'UPDATE vehicle_check SET items = \'{"Damage": "Chip"}\'')
    db.session.rollback()
    texts.append(list(suggestions(["Damage"])["Damage"]))
    assert texts == [["Scratch"], ["Dent", "Scratch"], ["Chip"]]


def test_a_version_is_new_within_the_transaction_that_raises_it():
    with transaction():
        before = versions.version_of("assets")
        versions.increment_version("assets")
        assert versions.version_of("assets") == before + 1
        assert versions.lock_version("assets") == before + 1
