"""The calendar feed: who may have one, when its address ends, and what it says."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.accounts.services import users as accounts
from app.db import db, transaction
from app.divisions import Division, Role
from app.due.rules.fields import DueKind
from app.due.services.due import DueValues, add_item, edit_item
from app.events.models import RecordedEvent

REG = "LK19 VTE"


@pytest.fixture
def item(app, vehicle, manager_id, today):
    """Open an item of a van whose texts need escapes, and return its id."""
    vehicle(REG)
    with app.app_context(), transaction():
        due = DueValues((REG,), DueKind.SERVICE, "Oil; filter, A\\B", today + timedelta(days=9))
        return add_item(due, by=manager_id).item_id


@pytest.fixture
def read(app):
    """Return a function that reads an address without a session."""
    return app.test_client().get


def make_feed(person):
    """Make a calendar's secret address as a person, and return its path."""
    page = person.submit(person.open("/fleet/due/calendar"))
    address = page.html.select_one(".feed")["value"]
    return address[address.index("/calendars/") :]


def test_a_viewer_has_a_calendar_of_their_own(signed_in, item, read):
    viewer = signed_in("viewer", Division.FLEET, roles=(Role.VIEWER,))
    assert read(make_feed(viewer)).status_code == 200


def test_an_address_works_as_long_as_its_account_may_see_what_is_due(app, manager, item, read):
    path = make_feed(manager)
    steps = (
        (lambda: accounts.grant("k.lee", [Division.GFM], []), 200),
        (lambda: accounts.revoke("k.lee", [Division.FLEET], []), 404),
        (lambda: accounts.grant("k.lee", [Division.GPM], []), 200),
        (lambda: accounts.revoke("k.lee", [Division.GFM], []), 200),
        (lambda: accounts.disable("k.lee"), 404),
        (lambda: accounts.enable("k.lee"), 404),
    )
    for number, (change, status) in enumerate(steps):
        with app.app_context(), transaction():
            change()
        assert read(path).status_code == status, number
    with app.app_context():
        revoked = db.session.execute(select(RecordedEvent).filter_by(kind="calendar.revoked"))
        assert len(revoked.scalars().all()) == 1
    manager.sign_in("k.lee", follow=False)
    assert manager.open("/fleet/due/calendar").html.select_one(".feed") is None
    assert read(make_feed(manager)).status_code == 200


def test_a_new_address_ends_the_one_before_and_is_revoked(manager, item, read):
    first, second = make_feed(manager), make_feed(manager)
    assert [read(path).status_code for path in (first, second)] == [404, 200]
    reply = read(second)
    assert (reply.mimetype, reply.headers["X-Robots-Tag"]) == ("text/calendar", "noindex")
    assert reply.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in reply.headers
    manager.submit(manager.open("/fleet/due/calendar"), "form[action$=revoke]")
    assert read(second).status_code == 404
    assert read("/calendars/nobody.ics").status_code == 404


def test_an_item_stays_one_event_of_a_whole_day_when_it_changes(app, manager, item, read, today):
    path = make_feed(manager)
    before = event_of(read(path).text)
    day = today + timedelta(days=20)
    with app.app_context(), transaction():
        edit_item(item, due_on=day, revision=0, by=None)
    after = event_of(read(path).text)
    assert before["UID"] == after["UID"]
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
    assert after["DTSTART;VALUE=DATE"] == f"{day:%Y%m%d}"
    assert after["SUMMARY"] == "LK19 VTE: Oil\\; filter\\, A\\\\B"
    assert re.fullmatch(r"\d{8}T\d{6}Z", after["DTSTAMP"])


def event_of(text):
    """Return the properties of a calendar's only event; every line ends as RFC 5545 demands."""
    assert text.count("\n") == text.count("\r\n")
    assert text.count("BEGIN:VEVENT") == 1
    assert "TZID" not in text
    inside = text.replace("\r\n ", "").partition("BEGIN:VEVENT\r\n")[2]
    lines = inside.partition("END:VEVENT")[0].splitlines()
    return dict(line.split(":", 1) for line in lines)
