"""Moves of assets are undone once, by moves back."""

from datetime import timedelta

import pytest

from app import dates
from app.assets.queries import moves, register
from app.assets.schemas.register import MOVE_LIST
from app.assets.services import moves as services
from app.assets.services import register as register_services
from app.db import db, transaction
from app.divisions import Division
from app.errors import Conflict
from app.versions import version_of
from tests import factories
from tests.fleet.threads import run_at_once
from tests.listing import listed


@pytest.fixture
def by(context):
    return factories.user("steward", Division.ASSETS)


def move(numbers, destination, by=None):
    with transaction():
        return services.move_assets(numbers, destination, by=by).first_move


def undo(move_id, by=None):
    with transaction():
        return services.undo_move(move_id, by=by)


def undo_together(move_id, by=None):
    with transaction():
        return services.undo_moves(move_id, by=by)


def locations(*numbers):
    db.session.rollback()
    return [register.get_asset(number).location for number in numbers]


def rows():
    db.session.rollback()
    return listed(MOVE_LIST).rows


def history():
    return [(row.item, row.start_position, row.end_position, row.who) for row in rows()]


def states():
    return [(row.is_undo, row.is_undone, row.is_undoable) for row in rows()]


def test_a_move_is_undone_by_a_move_back_once(by):
    desk = factories.asset("Desk", location="Main")
    moved = move([desk], "Attic", by)
    assert states() == [(False, False, True)]
    done = undo(moved, by)
    assert (done.moved, done.item, done.location) == (1, "Desk", "Main")
    assert locations(desk) == ["Main"]
    assert history() == [("Desk", "Attic", "Main", "steward"), ("Desk", "Main", "Attic", "steward")]
    assert states() == [(True, False, True), (False, True, False)]
    with pytest.raises(Conflict, match="already been undone"):
        undo(moved, by)
    assert len(history()) == 2


def test_moves_made_together_are_undone_together(by):
    numbers = [factories.asset(f"Chair {n}", location=f"Room {n}") for n in range(71)]
    lamp = factories.asset("Lamp", location="Attic")
    other = factories.asset("Desk", location="Main")
    move([other], "Attic", by)
    done = undo_together(move([*numbers, lamp], "Attic", by), by)
    assert done.moved == 71
    assert locations(*numbers) == [f"Room {n}" for n in range(71)]
    assert locations(lamp, other) == ["Attic", "Attic"]
    assert moves.move_count() == 1 + 2 * 71
    assert undo_together(done.first_move, by).moved == 71
    assert set(locations(*numbers)) == {"Attic"}


def test_one_of_several_is_undone_alone_and_the_others_after_it(by):
    desk, chair = (factories.asset(item, location="Main") for item in ("Desk", "Chair"))
    first = move([desk, chair], "Attic", by)
    undo(first, by)
    assert locations(desk, chair) == ["Main", "Attic"]
    assert undo_together(first, by).moved == 1
    assert locations(desk, chair) == ["Main", "Main"]
    with pytest.raises(Conflict, match="already been undone"):
        undo_together(first, by)


def test_a_move_of_an_asset_that_moved_on_is_not_undone_nor_those_made_with_it(by):
    desk, chair = (factories.asset(item, location="Main") for item in ("Desk", "Chair"))
    first = move([desk, chair], "Attic", by)
    move([chair], "Hall", by)
    reason = r"^Chair is at Hall now\. Move it from there instead\. Nothing was undone\.$"
    with pytest.raises(Conflict, match=reason):
        undo_together(first, by)
    assert locations(desk, chair) == ["Attic", "Hall"]
    move([chair], "Attic", by)
    with pytest.raises(Conflict, match="Chair has moved since, and is back at Attic"):
        undo_together(first, by)
    assert len(history()) == 4


def test_moves_are_undone_one_after_the_other_and_so_is_an_undo(by):
    desk = factories.asset("Desk", location="Main")
    first, second = move([desk], "Attic", by), move([desk], "Hall", by)
    undo(second, by)
    back = undo(first, by).first_move
    assert locations(desk) == ["Main"]
    undo(back, by)
    assert locations(desk) == ["Attic"]


def test_the_move_of_a_removed_asset_is_not_undone(by):
    moved = move([factories.asset("Desk", location="Main")], "Attic", by)
    with transaction():
        register_services.replace_assets([], versions=[version_of("assets")], by=None)
    assert states() == [(False, False, False)]
    with pytest.raises(Conflict, match="Desk is no longer in the register"):
        undo(moved, by)


def test_an_undo_comes_after_a_move_that_is_dated_later_today(by):
    desk = factories.asset("Desk", id="D1", location="Main")
    at = dates.utc_now() + timedelta(minutes=5)
    with transaction():
        services.record_moves([services.PastMove("D1", "Attic", at=at)], by=by)
    (row,) = listed(MOVE_LIST).rows
    undo(row.id, by)
    assert [each[2] for each in history()] == ["Main", "Attic"]
    move([desk], "Hall", by)


@pytest.mark.differs_by_engine
def test_one_move_undone_four_times_at_once_is_undone_once(app):
    with app.app_context():
        by = factories.user("steward", Division.ASSETS)
        desk = factories.asset("Desk", location="Main")
        moved = move([desk], "Attic", by)

    def run():
        with app.app_context():
            try:
                return undo(moved, by).moved
            except Conflict as error:
                return error.message

    refused = "This has already been undone. Load the page again."
    assert sorted(run_at_once([run] * 4), key=str) == [1, *[refused] * 3]
    with app.app_context():
        assert locations(desk) == ["Main"]
        assert len(history()) == 2


def test_undoing_71_moves_takes_few_statements(by, statements):
    def moved(number):
        numbers = [factories.asset(f"A {number} {n}", location="Main") for n in range(number)]
        return move(numbers, "Attic", by)

    few, many = moved(3), moved(71)
    assert statements(lambda: undo_together(many, by)) == statements(lambda: undo_together(few, by))
