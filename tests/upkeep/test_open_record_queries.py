"""What the DVSA file has of what is open on its day, and of items that were moved or withdrawn."""

from datetime import UTC, date, datetime

import pytest

from app import dates
from app.defects.rules.fields import Closing, DefectState
from app.due.rules.fields import DueKind
from app.fleet.rules.findings import Severity
from app.vehicle_file.queries.reader import RecordFilters
from app.vehicle_file.queries.record import record_entries
from app.vehicle_file.rules import NOTHING_OPEN, RecordKind
from tests import factories
from tests.upkeep import rows
from tests.upkeep.due_steps import add, edit, withdraw
from tests.upkeep.rows import LK19

YEAR = RecordFilters(date(2026, 1, 1), date(2026, 12, 31), "lk19vte")
FLEET = RecordFilters(YEAR.start, YEAR.end)
OTHER = "YD21 HMO"
NOTHING = ("Nothing open", "", NOTHING_OPEN, "", "")


@pytest.fixture(autouse=True)
def context(app):
    """Provide the application."""
    with app.app_context():
        yield


def open_today(filters=YEAR):
    """Return what the record has of what is open today."""
    found = [
        e for e in record_entries(filters) if e.kind in (RecordKind.OPEN, RecordKind.NOTHING_OPEN)
    ]
    return [(e.kind.value, e.reference, e.title, e.outcome, e.detail) for e in found]


def test_what_is_open_today_stands_first_with_its_state():
    stop = rows.defect(severity=Severity.STOP, state=DefectState.BOOKED, garage="Kwik Fit")
    rows.defect(title="Mirror cracked", severity=Severity.ADVISORY, day=date(2026, 3, 1))
    rows.defect(closing=Closing.NO_FAULT)
    rows.off_road(
        since=datetime(2026, 3, 4, 10, tzinfo=UTC), defect_id=stop, expected_back=date(2026, 3, 9)
    )
    rows.due_item(due_on=date(2026, 12, 11))
    rows.due_item(kind=DueKind.SERVICE, label="Service", due_on=date(2026, 12, 31))
    assert open_today() == [
        (
            *("Open", "D-0001", "Off the road: Defect", "Not back yet"),
            "Expected back on 9 Mar 2026.",
        ),
        (
            *("Open", "D-0001", "Brakes: fail", "Stop, booked in"),
            "Booked in at Kwik Fit.",
        ),
        ("Open", "D-0002", "Mirror cracked", "Advisory, open", ""),
        (
            *("Open", "", "MOT", "Overdue"),
            "Ran out on 11 Dec 2026. May only be driven to a booked test.",
        ),
    ]
    open_entries = [entry for entry in record_entries(YEAR) if entry.kind is RecordKind.OPEN]
    assert [(entry.day, entry.at) for entry in open_entries] == [
        (date(2026, 3, 4), None),
        (date(2026, 3, 4), None),
        (date(2026, 3, 1), None),
        (date(2026, 12, 11), None),
    ]


def test_a_vehicle_without_anything_open_has_a_sentence_that_says_so():
    rows.repair(finished_on=date(2026, 3, 1))
    rows.due_item(OTHER, due_on=date(2026, 3, 1))
    assert open_today() == [NOTHING]
    assert [row[:3] for row in open_today(FLEET)] == [NOTHING[:3], ("Open", "", "MOT")]
    factories.vehicle("PN12 XKL")
    assert open_today(RecordFilters(YEAR.start, YEAR.end, "pn12xkl")) == [NOTHING]
    assert open_today(RecordFilters(YEAR.start, YEAR.end, "typing")) == []


def test_an_overdue_item_that_vehicles_share_is_open_at_each_of_them():
    rows.due_item(kind=DueKind.INSURANCE, label="Insurance", shared=(LK19, OTHER))
    assert [row[2] for row in open_today(FLEET)] == ["Insurance", "Insurance"]
    assert [row[2] for row in open_today()] == ["Insurance"]


def test_an_item_that_was_moved_or_withdrawn_is_on_record_at_each_of_its_vehicles():
    by = factories.user("k.lee")
    for reg in (LK19, OTHER):
        factories.vehicle(reg)
    service = {"kind": DueKind.SERVICE, "regs": [LK19, OTHER], "label": "Service"}
    item = add(by, date(2026, 3, 1), **service)
    edit(by, item, date(2026, 3, 1), **service | {"label": "Big service"})
    edit(by, item, date(2027, 3, 1), revision=1, **service)
    withdraw(by, item, revision=2)
    tyres = {"kind": DueKind.TYRES, "label": "Tyres"}
    item = add(by, due_miles=50_000, **tyres)
    edit(by, item, date(2027, 3, 1), due_miles=60_000, **tyres)
    today = dates.today()
    found = record_entries(RecordFilters(today, today))
    changes = [e for e in found if e.kind is RecordKind.DUE_CHANGED]
    assert [(e.reg, e.title, e.outcome, e.detail, e.who) for e in changes] == [
        (LK19, "Service", "Changed", "Was due on 1 Mar 2026. Now due on 1 Mar 2027.", "k.lee"),
        (LK19, "Service", "Withdrawn", "Was due on 1 Mar 2027.", "k.lee"),
        (
            *(LK19, "Tyres", "Changed"),
            "Was due at 50,000 miles. Now due on 1 Mar 2027 or at 60,000 miles.",
            "k.lee",
        ),
        (OTHER, "Service", "Changed", "Was due on 1 Mar 2026. Now due on 1 Mar 2027.", "k.lee"),
        (OTHER, "Service", "Withdrawn", "Was due on 1 Mar 2027.", "k.lee"),
    ]
