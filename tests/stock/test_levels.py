"""Minimums and targets: set, kept, and what falls below them."""

import pytest
from sqlalchemy import select

from app.db import db, transaction
from app.divisions import Division, Site
from app.errors import EditConflict, Invalid, PreconditionFailed
from app.events.models import RecordedEvent
from app.stock.models import Item, StockLevel
from app.stock.queries import books
from app.stock.queries.levels import site_state
from app.stock.rules.items import ItemState
from app.stock.rules.levels import LevelState, Source
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Add, Change, Remove
from app.stock.services import levels, movements
from tests import factories
from tests.factories import DAY, MAIN

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def by(context):
    return factories.user()


def set_level(item_id, by, minimum=5, revision=0, **values):
    with transaction():
        levels.set_level(MAIN, item_id, LevelState(minimum, **values), revision=revision, by=by)


def withdraw(item_id, quantity, by):
    with transaction():
        lines = [StockLine(item_id, quantity)]
        return movements.withdraw(MAIN, lines, team="Kitchen", on=DAY, by=by).operation


def crossings():
    kinds = ("stock.low", "stock.recovered")
    rows = db.session.scalars(
        select(RecordedEvent).where(RecordedEvent.kind.in_(kinds)).order_by(RecordedEvent.id)
    )
    return [(row.kind, row.before["amount"], row.after["amount"]) for row in rows]


def minimum_of(item_id):
    return db.session.scalar(select(Item.minimum).filter_by(id=item_id))


def test_falling_below_the_minimum_is_an_event_and_so_is_its_recovery(by):
    heart = factories.item("Red heart", 7)
    set_level(heart, by)
    operation = withdraw(heart, 2, by)
    assert crossings() == []
    low = withdraw(heart, 1, by)
    withdraw(heart, 1, by)
    assert crossings() == [("stock.low", 5, 4)]
    with transaction():
        movements.undo(Division.GFM, low, by=by)
    with transaction():
        movements.undo(Division.GFM, operation, by=by)
    assert crossings() == [("stock.low", 5, 4), ("stock.recovered", 4, 6)]


def test_a_level_that_is_set_can_make_an_item_low(by):
    heart = factories.item("Red heart", 7)
    set_level(heart, by, 8)
    set_level(heart, by, 7, revision=1)
    assert crossings() == [("stock.low", 7, 7), ("stock.recovered", 7, 7)]


def test_an_item_that_isnt_reordered_has_no_minimum_in_force(by):
    heart = factories.item("Red heart", 1)
    set_level(heart, by, 5, source=Source.NONE)
    assert minimum_of(heart) is None
    assert crossings() == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"minimum": 24, "target": 23}, "Target must be at least the minimum (24)."),
        ({"source": Source.SITE, "from_site": Site.MAIN}, "Choose another site than this one."),
        ({"source": Source.SITE}, "Choose another site than this one."),
    ],
)
def test_wrong_levels_are_refused(by, values, message):
    heart = factories.item("Red heart", 1)
    with pytest.raises(Invalid, match=message.replace("(", r"\(").replace(")", r"\)")):
        set_level(heart, by, **values)


def test_a_level_that_somebody_else_has_changed_is_refused(by):
    heart = factories.item("Red heart", 1)
    set_level(heart, by)
    with pytest.raises(EditConflict):
        set_level(heart, by, 6)


def test_a_removed_name_that_is_added_again_has_its_level_again(by):
    heart = factories.item("Red heart", 3)
    set_level(heart, by, supplier="Office & Co")
    factories.record(MAIN, Remove(heart), by=by, on=DAY)
    factories.record(MAIN, Add(ItemState(None, "red  HEART", 2)), by=by, on=DAY)
    new = db.session.scalar(select(Item).filter_by(removed_at=None))
    level = db.session.scalar(select(StockLevel))
    assert (level.item_id, level.supplier, new.minimum) == (new.id, "Office & Co", 5)


def test_an_undone_removal_brings_the_minimum_back(by):
    heart = factories.item("Red heart", 3)
    set_level(heart, by)
    removal = factories.record(MAIN, Remove(heart), by=by, on=DAY)
    with transaction():
        movements.undo(Division.GFM, removal, by=by)
    assert minimum_of(heart) == 5


def removed(item_id, by):
    return factories.record(MAIN, Remove(item_id), by=by, on=DAY)


def added(name, amount, by):
    return factories.record(MAIN, Add(ItemState(None, name, amount)), by=by, on=DAY)


def level_now():
    """Return the live item, its minimum and the item that has the level."""
    found = db.session.execute(select(Item.id, Item.minimum).filter_by(removed_at=None)).one()
    return (*found, db.session.scalar(select(StockLevel.item_id)))


def test_a_name_that_two_removed_items_had_wakes_the_level_of_the_last(by):
    first, second = factories.item("Red heart", 3), factories.item("Blue heart", 3)
    set_level(first, by)
    set_level(second, by, 7)
    removed(first, by)
    renamed = Change(second, name="Red heart")
    factories.record(MAIN, renamed, by=by, on=DAY)
    removed(second, by)
    added("Red heart", 2, by)
    assert level_now()[1] == 7


def test_a_level_returns_with_the_removal_that_is_undone_after_its_name_was_added(by):
    heart = factories.item("Red heart", 3)
    set_level(heart, by)
    removal = removed(heart, by)
    addition = added("Red heart", 2, by)
    for operation in (addition, removal):
        with transaction():
            movements.undo(Division.GFM, operation, by=by)
    assert level_now() == (heart, 5, heart)


def test_a_removed_item_isnt_recovered(by):
    heart = factories.item("Red heart", 3)
    set_level(heart, by)
    removed(heart, by)
    assert [kind for kind, *_ in crossings()] == ["stock.low"]


def test_a_list_that_was_read_before_a_level_woke_replaces_none(by):
    heart = factories.item("Red heart", 3)
    set_level(heart, by)
    removed(heart, by)
    version = site_state(MAIN).levels_version
    added("Red heart", 2, by)
    with pytest.raises(PreconditionFailed), transaction():
        levels.replace_levels(MAIN, [], versions=[version], by=by)
    assert level_now()[1] == 5


def test_a_suggestion_for_a_level_that_has_changed_is_refused(by):
    heart = factories.item("Red heart", 3)
    set_level(heart, by, 50)
    with pytest.raises(EditConflict), transaction():
        levels.accept_suggestions(MAIN, {heart: (0, 12, 20)}, by=by)
    with transaction():
        levels.accept_suggestions(MAIN, {heart: (1, 12, 20)}, by=by)
    assert minimum_of(heart) == 12


def test_the_use_of_an_item_counts_what_is_undone_and_redone(by):
    heart = factories.item("Red heart", 9)
    first = withdraw(heart, 2, by)
    withdraw(heart, 3, by)

    def used():
        row = db.session.execute(
            db.text("SELECT units, undone, delta, value_low FROM item_use WHERE units > 0")
        ).one()
        assert list(books.ledger_problems()) == []
        return tuple(row)

    assert used()[:2] == (5, 0)
    with transaction():
        undo = movements.undo(Division.GFM, first, by=by).operation
    assert used()[:2] == (5, 2)
    with transaction():
        movements.undo(Division.GFM, undo, by=by)
    assert used()[:2] == (5, 0)
