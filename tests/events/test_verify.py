"""`flask verify` misses the events of changes that have none."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app import dates
from app.assets.rules import AssetState, AssetUpdate
from app.assets.services.moves import PastMove, move_assets, record_moves, undo_move
from app.assets.services.register import edit_asset, set_assets
from app.db import db, insert_rows, table_of, transaction
from app.diagnostics.queries import event_problems
from app.divisions import Division
from app.events.models import RecordedEvent
from tests import factories
from tests.factories import MAIN

pytestmark = [
    pytest.mark.differs_by_engine,
    pytest.mark.usefixtures("context"),
    pytest.mark.writes_directly,
]


@pytest.fixture
def by(in_app):
    return in_app(factories.user, "keeper", *Division)


def record_first_event(days_ago):
    """Add an event as if this release had served since then."""
    values = {
        "at": dates.utc_now() - timedelta(days=days_ago),
        "kind": "team.added",
        "subject_kind": "team",
        "subject_id": "1",
        "channel": "terminal",
    }
    with transaction():
        insert_rows(table_of(RecordedEvent), [values])


def change_everything(by):
    """Withdraw, check a vehicle, and move an asset in each way that there is."""
    factories.item("Cup", 5, store=MAIN)
    factories.check(by=by)
    desk = factories.asset("Desk", id="D1", location="Depot")
    chair = factories.asset("Chair", id="C1", location="Depot")
    with transaction():
        move_assets([desk, chair], "Annex", by=by)
    with transaction():
        undo_move(1, by=by)
    with transaction():
        state = AssetState("Desk", id="D1", location="Hall")
        edit_asset(desk, state, revision=2, by=by)
    with transaction():
        record_moves([PastMove("D1", "Attic"), PastMove("C1", "Attic")], by=by)
    with transaction():
        set_assets([AssetUpdate(id_, {"location": "Shop"}) for id_ in ("D1", "C1")], by=by)


def forget_events(condition):
    """Delete events, as only somebody can who owns the database."""
    with transaction():
        if db.engine.dialect.name == "postgresql":
            db.session.execute(text("ALTER TABLE event DISABLE TRIGGER USER"))
        else:
            db.session.execute(text("DROP TRIGGER event_no_delete"))
        db.session.execute(text(f"DELETE FROM event WHERE {condition}"))


def changes_missed():
    db.session.rollback()
    return [each for each in event_problems() if not each.startswith("The trigger")]


def test_every_operation_check_and_move_has_its_event(by):
    record_first_event(days_ago=10)
    change_everything(by)
    assert changes_missed() == []


def test_changes_whose_events_are_missing_are_named(by):
    record_first_event(days_ago=10)
    change_everything(by)
    forget_events("subject_kind IN ('operation', 'check')")
    assert changes_missed() == ["Operation 1 has no event", "Check 1 has no event"]


def test_moves_whose_events_are_missing_are_named(by):
    record_first_event(days_ago=10)
    change_everything(by)
    forget_events("kind IN ('assets.moved', 'assets.imported')")
    assert changes_missed() == [f"Asset move {move} has no event" for move in (1, 2, 7, 8)]


def test_changes_of_the_release_before_are_not_missed(by):
    for days_ago in (None, 0, 1):
        if days_ago is not None:
            record_first_event(days_ago)
        with transaction():
            db.session.execute(
                text("INSERT INTO stock_operation (recorded_at) VALUES (:now)"),
                {"now": dates.utc_now().replace(tzinfo=None)},
            )
        assert changes_missed() == []
