"""Events are read by subject and division; none is changed, and no writer waits for another's."""

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


def rows():
    db.session.rollback()
    return list(queries.all_events())


def test_the_database_refuses_to_change_an_event():
    factories.team()
    before = rows()
    replace = "INSERT OR REPLACE INTO event SELECT * FROM event"
    last = "TRUNCATE event" if is_postgresql() else replace
    for change in ("UPDATE event SET actor_id = 7", "DELETE FROM event", last):
        with pytest.raises(DBAPIError, match="events are never changed"), transaction():
            db.session.execute(text(change))
        assert rows() == before != [], change


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
    about = {"subject_kind": "team", "subject_id": "1", "channel": "terminal"}
    with db.engine.connect() as other:
        added = (
            table_of(RecordedEvent).insert().values(at=text("now()"), kind="team.added", **about)
        )
        other.execute(added)
        with transaction():
            db.session.execute(text("SET LOCAL lock_timeout = 100"))
            record_event(EventKind.TEAM_REMOVED, "team", 1, division=Division.GPM)
        assert [event.kind for event in rows()] == ["team.removed"]
        other.commit()
    assert {event.kind for event in rows()} == {"team.added", "team.removed"}


def is_postgresql():
    return db.engine.dialect.name == "postgresql"


def test_the_events_of_some_subjects_are_listed_oldest_first():
    first, second, third = (factories.delivery(item) for item in ("Tea", "Cup", "Mug"))
    factories.team()
    found = queries.events_of("delivery", [second, first])
    assert [(event.kind, event.subject_id) for event in found] == [
        ("delivery.scheduled", str(first)),
        ("delivery.scheduled", str(second)),
    ]
    assert queries.events_of("delivery", []) == []
    assert queries.events_of("team", [third + 10]) == []


def test_more_subjects_than_a_statement_takes_are_read_at_once(statements):
    factories.team("Kitchen")
    ids = list(range(1, 2501))
    assert [event.subject_id for event in queries.events_of("team", ids)] == ["1"]
    assert statements(lambda: queries.events_of("team", ids)) == 3


def test_the_latest_events_of_a_division_are_listed_oldest_first():
    for name in ("Tea", "Cup", "Mug"):
        factories.team(name)
    factories.item()
    latest = queries.latest_events(2, division=Division.GPM)
    assert [event.after["name"] for event in latest if event.after] == ["Cup", "Mug"]
