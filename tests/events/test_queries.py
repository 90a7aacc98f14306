"""Events of subjects and of divisions."""

import pytest

from app.divisions import Division
from app.events import queries
from tests import factories

pytestmark = [pytest.mark.differs_by_engine, pytest.mark.usefixtures("context")]


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
