"""Assets are added, edited, moved and listed; their moves are history."""

from dataclasses import replace

import pytest

from app.assets.queries import groups, moves, register
from app.assets.queries.moves import MoveFilter
from app.assets.queries.register import AssetFilter, Totals
from app.assets.rules.assets import AssetState, Dimension, ToldAsset
from app.assets.rules.sorting import Column, GroupColumn, Order
from app.assets.services import lists
from app.assets.services import moves as moving
from app.assets.services import register as services
from app.assets.services.moves import PastMove
from app.db import transaction
from app.errors import Conflict, Invalid
from app.versions import version_of
from tests import factories

pytestmark = pytest.mark.usefixtures("context")


def test_a_moved_asset_is_there_and_its_history_says_so():
    by = factories.user()
    desk = factories.asset("Desk", location="Main")
    chair = factories.asset("Chair", location="Attic")
    with transaction():
        moved = moving.move_assets([desk, chair], "Attic", by=by)
    assert (moved.moved, moved.stayed, moved.item) == (1, 1, "Desk")
    assert register.asset(desk).location == "Attic"
    (row,) = moves.move_page(MoveFilter()).rows
    assert (row.item, row.start_position, row.end_position, row.who, row.number) == (
        "Desk",
        "Main",
        "Attic",
        "keeper",
        desk,
    )


def test_an_asset_is_not_moved_to_where_it_is():
    desk = factories.asset("Desk", location="Main Store")
    with transaction(), pytest.raises(Conflict, match="Desk is at Main Store already"):
        moving.move_assets([desk], "main  store", by=None)


def test_an_asset_is_not_moved_to_nowhere():
    desk = factories.asset("Desk", location="Main Store")
    with transaction(), pytest.raises(Invalid, match="Destination is required"):
        moving.move_assets([desk], "", by=None)


def test_a_new_location_by_an_edit_is_a_move_and_another_spelling_is_none():
    desk = factories.asset("Desk", location="main")
    for revision, location in enumerate(["Main", "Attic"]):
        with transaction():
            told = replace(register.state_of(register.asset(desk)), location=location)
            services.edit_asset(desk, told, revision=revision, by=None)
    page = moves.move_page(MoveFilter())
    assert [(m.start_position, m.end_position) for m in page.rows] == [("Main", "Attic")]


def test_an_entry_that_repeats_the_last_move_is_not_added_again():
    by = factories.user()
    desk = factories.asset("Desk", id="A1", location="Main")
    with transaction():
        moving.move_assets([desk], "Attic", by=by)
    with transaction():
        assert moving.record_moves([PastMove("a1", "Attic", "Main")], by=by).added == 0
    with transaction():
        assert moving.record_moves([PastMove("a1", "Main"), PastMove("a1", "Hall")], by=by).added
    assert register.asset(desk).location == "Hall"
    assert moves.move_page(MoveFilter()).total == 3


def test_sums_and_groups_are_exact_however_much_things_come_to():
    dearest = {"quantity": 999_999_999, "purchase_price": 999_999_999}
    factories.assets([AssetState(f"Ship {n}", location="Dock", **dearest) for n in range(12)])
    factories.asset("Rope", location="dock", purchase_price=1)
    value = 12 * 999_999_999**2 + 1
    assert register.totals(AssetFilter()) == Totals(13, 12 * 999_999_999 + 1, value)
    order = Order(GroupColumn.VALUE, descending=True)
    found = groups.groups(Dimension.LOCATION, AssetFilter(), order, limit=5)
    assert [(g.name, g.value) for g in found.rows] == [("Dock", value)]
    assert found.most == value


@pytest.mark.parametrize("column", list(Column))
def test_the_register_is_sorted_by_every_column(column):
    factories.assets([AssetState("Desk", quantity=2), AssetState("Chair", purchase_price=5)])
    for order in (Order(column), Order(column, descending=True)):
        assert register.asset_page(AssetFilter(), order).totals.assets == 2


def test_a_whole_list_replaces_the_register_and_notes_moves():
    factories.asset("Desk", id="A1", location="Main")
    factories.asset("Chair", id="A2", location="Main")
    with transaction():
        version = version_of(register.LIST)
        wanted = [AssetState("Desk", "A1", location="Attic"), AssetState("Lamp")]
        change = lists.replace_assets(wanted, versions=[version], by=None)
    assert (change.added, change.changed, change.removed) == (1, 1, 1)
    assert moves.move_page(MoveFilter()).total == 1


def test_an_import_changes_only_what_it_tells():
    factories.asset("Desk", id="A1", location="Main", quantity=4)
    with transaction():
        lists.set_assets([ToldAsset("a1", {"item": "Big desk"})], by=None)
    assert register.state_of(register.asset_called("A1")) == AssetState(
        "Big desk", "A1", location="Main", quantity=4
    )
