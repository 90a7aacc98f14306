"""The database refuses to change events, and writers don't wait for each other's."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.db import db, table_of, transaction
from app.diagnostics.queries import event_problems
from app.divisions import Division
from app.events import queries
from app.events.models import RecordedEvent
from app.events.rules import EventKind
from app.events.services import record_event
from tests import factories

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("context")]

REFUSED = "events are never changed"


def rows():
    db.session.rollback()
    return list(queries.all_events())


@pytest.mark.parametrize("change", ["UPDATE event SET actor_id = 7", "DELETE FROM event"])
def test_the_database_refuses_to_change_an_event(change):
    factories.team()
    before = rows()
    with pytest.raises(DBAPIError, match=REFUSED), transaction():
        db.session.execute(text(change))
    assert rows() == before != []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_sqlite_replaces_no_event():
    factories.team()
    before = rows()
    with pytest.raises(DBAPIError, match=REFUSED), transaction():
        db.session.execute(text("INSERT OR REPLACE INTO event SELECT * FROM event"))
    assert rows() == before


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_postgresql_empties_no_events():
    factories.team()
    with pytest.raises(DBAPIError, match=REFUSED), transaction():
        db.session.execute(text("TRUNCATE event"))
    assert len(rows()) == 1


def test_verify_names_a_guard_that_is_missing():
    assert list(event_problems()) == []
    guard = "event_no_change" if is_postgresql() else "event_no_delete"
    where = " ON event" if is_postgresql() else ""
    with transaction():
        db.session.execute(text(f"DROP TRIGGER {guard}{where}"))
    assert list(event_problems()) == [
        f"The trigger {guard}, which refuses changes of events, is missing"
    ]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_writer_on_postgresql_waits_for_no_event_of_another():
    with db.engine.connect() as other:
        other.execute(
            table_of(RecordedEvent)
            .insert()
            .values(
                at=text("now()"),
                kind="team.added",
                subject_kind="team",
                subject_id="1",
                channel="terminal",
            )
        )
        with transaction():
            db.session.execute(text("SET LOCAL lock_timeout = 100"))
            record_event(EventKind.TEAM_REMOVED, "team", 1, division=Division.GPM)
        assert [event.kind for event in rows()] == ["team.removed"]
        other.commit()
    assert {event.kind for event in rows()} == {"team.added", "team.removed"}


def is_postgresql():
    return db.engine.dialect.name == "postgresql"
