"""Assets are added, edited, moved and listed, and their moves recorded."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from app import dates, names
from app.assets.queries import groups, moves, register
from app.assets.queries.register import Totals
from app.assets.rules import SORT_COLUMNS, AssetState, Dimension, GroupColumn
from app.assets.schemas.register import MOVE_LIST
from app.assets.services import moves as services
from app.assets.services import register as register_services
from app.assets.services.moves import PastMove
from app.db import transaction
from app.errors import Conflict, EditConflict, Invalid, NotFound
from app.lists import ListChange
from app.records.record import Query
from app.sorting import SortOrder
from app.versions import version_of
from tests import factories
from tests.fleet.threads import run_at_once
from tests.listing import listed

pytestmark = pytest.mark.usefixtures("context")


def test_a_move_changes_the_location_and_is_recorded():
    by = factories.user()
    desk = factories.asset("Desk", location="Main")
    chair = factories.asset("Chair", location="Attic")
    with transaction():
        moved = services.move_assets([desk, chair], "Attic", by=by)
    assert (moved.moved, moved.unchanged, moved.item) == (1, 1, "Desk")
    assert register.get_asset(desk).location == "Attic"
    (row,) = listed(MOVE_LIST).rows
    assert (row.item, row.start_position, row.end_position) == ("Desk", "Main", "Attic")
    assert (row.who, row.number) == ("keeper", desk)


def test_an_asset_is_not_moved_to_nowhere():
    desk = factories.asset("Desk", location="Main Store")
    for nowhere in ("", "-", "–", "—"):
        with transaction(), pytest.raises(Invalid, match="Destination is required"):
            services.move_assets([desk], nowhere, by=None)


def test_a_new_location_by_an_edit_is_a_move_and_another_spelling_is_none():
    desk = factories.asset("Desk", location="main")
    for revision, location in enumerate(["Main", "Attic"]):
        with transaction():
            edited = replace(register.state_of(register.get_asset(desk)), location=location)
            register_services.edit_asset(desk, edited, revision=revision, by=None)
    page = listed(MOVE_LIST)
    assert [(m.start_position, m.end_position) for m in page.rows] == [("Main", "Attic")]


def test_an_entry_that_leads_nowhere_or_repeats_the_last_move_is_not_added():
    by = factories.user()
    desk = factories.asset("Desk", id="A1", location="Main")
    with transaction():
        nowhere = [PastMove("A1", "main "), PastMove("A1", "Hall", "hall")]
        assert services.record_moves(nowhere, by=by).added == 0
    assert chain("A1") == []
    with transaction():
        services.move_assets([desk], "Attic", by=by)
    with transaction():
        assert services.record_moves([PastMove("a1", "Attic", "Main")], by=by).added == 0
    with transaction():
        assert services.record_moves([PastMove("a1", "Main"), PastMove("a1", "Hall")], by=by).added
    assert register.get_asset(desk).location == "Hall"
    assert listed(MOVE_LIST).total == 3


def test_totals_and_groups_are_exact_for_the_largest_values():
    dearest = {"quantity": 999_999_999, "purchase_price": 999_999_999}
    factories.assets([AssetState(f"Ship {n}", location="Dock", **dearest) for n in range(12)])
    factories.asset("Rope", location="dock", purchase_price=1)
    value = 12 * 999_999_999**2 + 1
    assert register.totals() == Totals(13, 12 * 999_999_999 + 1, value)
    order = SortOrder(GroupColumn.VALUE, descending=True)
    found = groups.group_assets(Dimension.LOCATION, register.ALL, order, limit=5)
    assert [(g.name, g.value) for g in found.rows] == [("Dock", value)]
    assert found.highest_value == value


def edit(number, revision, **values):
    with transaction():
        after = replace(register.state_of(register.get_asset(number)), **values)
        return register_services.edit_asset(number, after, revision=revision, by=None)


def test_an_edit_that_did_not_see_the_last_one_is_refused():
    desk = factories.asset("Desk", location="Main")
    edit(desk, 0, item="Big desk")
    with pytest.raises(EditConflict, match="Somebody else has changed this asset"):
        edit(desk, 0, item="Small desk")
    with transaction():
        services.move_assets([desk], "Attic", by=None)
    with pytest.raises(EditConflict):
        edit(desk, 1, location="Main")
    assert register.get_asset(desk).item == "Big desk"
    assert register.get_asset(desk).location == "Attic"


def test_an_edit_keeps_the_id_and_an_unchanged_one_keeps_the_version():
    desk = factories.asset("Desk", id="A1")
    version = version_of(register.LIST)
    edit(desk, 0, id="Z9")
    assert register.get_asset(desk).asset_id == "A1"
    assert version_of(register.LIST) == version
    edit(desk, 0, quantity=7)
    assert version_of(register.LIST) != version


def test_a_missing_asset_is_neither_edited_nor_moved():
    with pytest.raises(NotFound):
        edit(99, 0)
    desk = factories.asset("Desk", location="Main")
    with transaction(), pytest.raises(NotFound):
        services.move_assets([98, 99], "Attic", by=None)
    assert register.get_asset(desk).location == "Main"


def test_an_id_is_the_same_whatever_its_case_and_spacing():
    factories.asset("Desk", id="A 1")
    for id_ in ("A 1", "a  1", "Ａ 1"):
        with pytest.raises(Conflict, match='Asset "A 1" already exists: Desk'):
            factories.asset("Lamp", id=id_)


@pytest.mark.differs_by_engine
def test_two_people_who_add_one_id_at_once_add_one_asset(app):
    def add(number):
        with app.app_context():
            try:
                factories.asset(f"Desk {number}", id="A1")
            except Conflict:
                return "refused"
            return "added"

    results = run_at_once([lambda n=n: add(n) for n in range(4)])
    assert Counter(results) == {"added": 1, "refused": 3}
    assert register.totals().assets == 1


def test_a_past_move_is_recorded_and_keeps_the_location():
    by = factories.user()
    desk = factories.asset("Desk", id="A1", location="Main")
    with transaction():
        services.move_assets([desk], "Attic", by=by)
    earlier = dates.utc_now() - timedelta(days=3)
    with transaction():
        past = [PastMove("A1", "Main", "Store", earlier)]
        assert services.record_moves(past, by=by).added == 1
    assert register.get_asset(desk).location == "Attic"
    assert chain("A1") == [("Main", "Attic"), ("Store", "Main")]


def test_a_return_on_the_same_day_and_the_same_move_on_another_day_are_not_repetitions():
    by = factories.user()
    factories.asset("Desk", id="A1", location="Main")
    past = [
        PastMove("A1", end, start, dates.utc_now() - timedelta(days=days))
        for start, end, days in (
            *(("Main", "Attic", 9), ("Attic", "Main", 9), ("Main", "Attic", 9)),
            ("Main", "Attic", 5),
        )
    ]
    with transaction():
        assert services.record_moves(past, by=by).added == 4
    with transaction():
        assert services.record_moves(past[-1:], by=by).added == 0


def test_a_list_of_several_batches_is_written_like_a_short_one():
    factories.assets([AssetState(f"Desk {n}", f"A{n}", location="Main") for n in range(2500)])
    states = [
        AssetState(f"Desk {n}", f"a{n}" if n % 2 else f"A{n}", location="Attic" if n % 5 else "")
        for n in range(1, 2501)
    ]
    with transaction():
        version = version_of(register.LIST)
        change = register_services.replace_assets(states, versions=[version], by=None)
    assert change == ListChange(added=1, changed=2499, unchanged=0, removed=1)
    stored = {state.id: state for state in map(register.state_of, register.stream_register())}
    assert stored == {state.id: state for state in states}
    assert listed(MOVE_LIST).total == 2499
    assert register.totals(Query({"location": "attic"})).assets == 2000
    assert version_of(register.LIST) == version + 1


def at(day):
    return dates.noon_in_london(date(2026, 3, day))


def chain(asset_id):
    rows = moves.asset_move_page(names.key(asset_id)).rows
    return [(row.start_position, row.end_position) for row in rows]


def test_past_moves_sent_newest_first_start_where_the_earlier_ones_ended():
    by = factories.user()
    factories.asset("Desk", id="A1", location="Now")
    with transaction():
        past = [PastMove("A1", end, at=at(day)) for end, day in (("C", 3), ("B", 2), ("A", 1))]
        services.record_moves(past, by=by)
    assert chain("A1") == [("B", "C"), ("A", "B"), ("Now", "A")]
    with transaction():
        february = dates.noon_in_london(date(2026, 2, 1))
        services.record_moves([PastMove("A1", "Yard", at=february)], by=by)
    assert chain("A1")[-1] == ("", "Yard")
    assert register.get_asset_by_id("A1").location == "C"


def test_assets_are_sorted_by_a_column_in_both_directions():
    least = AssetState(*("A", "1", "A", "A", "A", "A", "A", date(2020, 1, 1), 1, "A", "A", 1))
    greatest = AssetState(*("B", "2", "B", "B", "B", "B", "B", date(2021, 1, 1), 2, "B", "B", 2))
    factories.assets([greatest, least])
    for column in SORT_COLUMNS:
        for order, first in ((SortOrder(column), "A"), (SortOrder(column, descending=True), "B")):
            assert register.asset_page(Query(order=order)).rows[0].item == first, column


def test_assets_without_a_date_stand_last_in_both_directions():
    factories.assets([AssetState("No date"), AssetState("Dated", purchase_date=date(1950, 1, 1))])
    for descending in (False, True):
        order = SortOrder("purchaseDate", descending=descending)
        rows = register.asset_page(Query(order=order)).rows
        assert [row.item for row in rows] == ["Dated", "No date"]


def test_a_group_has_its_most_common_spelling():
    factories.assets([AssetState(f"Desk {n}", location="Depot") for n in range(3)])
    factories.asset("Lamp", location="DEPOT")
    factories.asset("Ladder", location="Attic")
    order = SortOrder(GroupColumn.NAME)
    lamp = Query({"q": "lamp"})
    for filters, expected in ((register.ALL, ["Attic", "Depot"]), (lamp, ["Depot"])):
        found = groups.group_assets(Dimension.LOCATION, filters, order, limit=5)
        assert [group.name for group in found.rows] == expected
    assert register.values_in_use()["location"] == ["Attic", "Depot"]
