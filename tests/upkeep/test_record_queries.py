from datetime import UTC, date, datetime

import pytest

from app import dates
from app.attachments.models import Attachment
from app.db import transaction
from app.defects.models import DefectNote, DefectSighting
from app.defects.rules.fields import Closing, OffRoadReason
from app.defects.services.decisions import book_defect
from app.due.rules.fields import DoneResult, DueKind
from app.fleet.rules.findings import Severity, SightingAnswer
from app.mileage.rules import Doubt, ReadingSource
from app.photos.models import Document
from app.vehicle_file.queries.reader import RecordFilters
from app.vehicle_file.queries.record import record_entries
from app.vehicle_file.rules import RecordKind
from tests import factories
from tests.upkeep import rows
from tests.upkeep.rows import LK19

YEAR = RecordFilters(date(2026, 1, 1), date(2026, 12, 31), "lk19vte")
OTHER = "YD21 HMO"
FLEET = RecordFilters(YEAR.start, YEAR.end)
OPEN_KINDS = (RecordKind.OPEN, RecordKind.NOTHING_OPEN)


@pytest.fixture
def by(app):
    """Provide the application with an account, and return its id."""
    with app.app_context():
        yield factories.user("k.lee")


def at(month, day, hour=10):
    return datetime(2026, month, day, hour, tzinfo=UTC)


def happened(filters=YEAR):
    """Return the entries but for what is open today."""
    return [e for e in record_entries(filters) if e.kind not in OPEN_KINDS]


def entries(filters=YEAR):
    return [
        (e.kind.value, e.day.isoformat()[5:], e.reference, e.title, e.outcome, e.detail, e.who)
        for e in happened(filters)
    ]


def test_a_check_is_on_record_with_its_outcome_its_answers_and_its_photos(by):
    photo = factories.photo(by)
    check = factories.check(
        LK19, by=by, day=date(2026, 3, 1), odometer=48_210, photos=[photo], items={"Tyres": "OK"}
    )
    [found] = happened()
    assert (found.reference, found.miles, found.who) == (str(check), 48_210, "k.lee")
    assert found.outcome in ("No defects (nil)", "Not asked")
    assert found.answers == "Tyres: OK"
    assert len(found.files) == 1
    assert found.detail.endswith(".")
    assert "Sent on" in found.detail


def test_a_defect_is_on_record_from_its_report_to_its_sign_off(by):
    defect = rows.defect(
        day=date(2026, 3, 1),
        severity=Severity.STOP,
        reported_by=by,
        assessed_at=at(3, 2),
        assessed_by=by,
        closing=Closing.REPAIRED,
        closed_at=at(3, 6),
        closed_by=by,
    )
    worse = {"answer": SightingAnswer.WORSE, "seen_by": by, "recorded_at": at(3, 3)}
    rows.store(
        DefectSighting(defect_id=defect, day=date(2026, 3, 3), **worse),
        DefectNote(defect_id=defect, noted_at=at(3, 4), text="Parts ordered", noted_by=by),
    )
    rows.repair(defects=(defect,), finished_on=date(2026, 3, 5), garage="Kwik Fit", recorded_by=by)
    brakes = ("D-0001", "Brakes: fail")
    assert entries() == [
        ("Defect", "03-01", *brakes, "Stop, as assessed", "", "k.lee"),
        ("Assessment", "03-02", *brakes, "Stop", "", "k.lee"),
        ("Seen again", "03-03", *brakes, "Worse", "", "k.lee"),
        ("Note", "03-04", *brakes, "", "Parts ordered", "k.lee"),
        ("Repair", "03-05", "R-0001", "Kwik Fit", "", "Mended: D-0001.", "k.lee"),
        ("Sign-off", "03-06", *brakes, "Repaired and signed off", "", "k.lee"),
    ]


def test_the_name_of_a_driver_or_mechanic_is_on_record_beside_the_account(by):
    factories.vehicle(LK19)
    for day, name in ((1, "Jo Marsh"), (2, "Ann Lee")):
        items = {"Name": name, "Damage": "Scratch"}
        factories.check(LK19, by=by, day=date(2026, 3, day), items=items)
    repair = rows.repair(finished_on=date(2026, 3, 3), garage="Kwik Fit", recorded_by=by)
    back = {"reverses_id": repair, "garage": "Kwik Fit", "recorded_by": by}
    rows.repair(finished_on=date(2026, 3, 3), **back)
    rows.done(rows.due_item(), done_on=date(2026, 3, 4), garage="Northgate", recorded_by=by)
    assert [(e.kind.value, e.name, e.who) for e in happened()] == [
        ("Check", "Jo Marsh", "k.lee"),
        ("Defect", "Jo Marsh", "k.lee"),
        ("Check", "Ann Lee", "k.lee"),
        ("Seen again", "Ann Lee", "k.lee"),
        ("Repair", "Kwik Fit", "k.lee"),
        ("Repair", "", "k.lee"),
        ("Due and done", "Northgate", "k.lee"),
    ]
    assert next(e.name for e in record_entries(YEAR) if e.reference == "D-0001") == "Jo Marsh"


def test_each_booking_of_a_defect_is_on_record(by):
    rows.defect()
    rows.defect(OTHER)
    day = dates.today()
    with transaction():
        book_defect(1, "Kwik Fit", day, by=by)
        book_defect(2, "Kwik Fit", day, by=by)
        book_defect(1, "Northgate", None, by=by)
    title = ("D-0001", "Brakes: fail")
    of_vehicle = RecordFilters(day, day, "lk19vte")
    found = [entry[2:] for entry in entries(of_vehicle) if entry[0] == "Booked in"]
    assert found == [
        (*title, f"For {dates.format_day(day)}", "At Kwik Fit.", "k.lee"),
        (*title, "", "At Northgate.", "k.lee"),
    ]
    assert [e.kind.value for e in happened(RecordFilters(day, day))].count("Booked in") == 3


def test_a_sighting_is_on_record_with_the_severity_that_it_gave(by):
    defect = rows.defect(day=date(2025, 3, 1))
    seen = {"defect_id": defect, "recorded_at": at(3, 3), "answer": SightingAnswer.YES}
    rows.store(
        DefectSighting(day=date(2026, 3, 3), detail="", **seen),
        DefectSighting(
            day=date(2026, 3, 4), severity=Severity.STOP, detail="Pedal goes down", **seen
        ),
    )
    found = [entry[4:6] for entry in entries() if entry[0] == "Seen again"]
    assert found == [("Still there", ""), ("Still there: Stop", "Pedal goes down.")]


def test_a_day_is_in_the_order_of_what_happened(by):
    rows.defect(day=date(2026, 3, 4), assessed_at=at(3, 4, 12), reported_at=at(3, 4, 9))
    rows.off_road(since=at(3, 4, 11))
    rows.repair(finished_on=date(2026, 3, 4), recorded_at=at(3, 4, 13))
    rows.reading(100, day=date(2026, 3, 4), recorded_at=at(3, 5))
    assert [entry[0] for entry in entries()] == [
        *("Defect", "Off the road", "Assessment", "Repair", "Reading"),
    ]


def test_a_failed_test_is_on_record_with_what_failed_and_its_defect(by):
    defect = rows.defect(title="MOT failed", detail="Headlamp aim\nTyre worn", day=rows.DAY)
    earlier = rows.defect(day=date(2026, 3, 1))
    advisory = rows.defect(title="Brake pipe rusty", day=rows.DAY)
    for found, result in (
        (defect, DoneResult.FAIL),
        (earlier, DoneResult.FAIL),
        (advisory, DoneResult.ADVISORIES),
    ):
        rows.done(rows.due_item(due_on=YEAR.end), result=result, defect_id=found)
    assert [entry[5] for entry in entries() if entry[0] == "Due and done"] == [
        "Failed on: Headlamp aim; Tyre worn (D-0001).",
        "Seen again: D-0002.",
        "Was due on 31 Dec 2026. First advisory: Brake pipe rusty (D-0003).",
    ]


def test_what_was_open_before_the_months_is_on_record_and_what_ended_before_is_not(by):
    rows.defect(day=date(2025, 6, 1), reported_at=datetime(2025, 6, 1, tzinfo=UTC))
    for day, closed_at in ((2, at(1, 1)), (3, datetime(2025, 12, 31, 23, tzinfo=UTC))):
        rows.defect(day=date(2025, 6, day), closing=Closing.NO_FAULT, closed_at=closed_at)
    rows.off_road(since=datetime(2025, 6, 1, tzinfo=UTC))
    found = [(kind, reference) for kind, _, reference, *_ in entries()]
    assert found == [
        ("Defect", "D-0001"),
        ("Off the road", ""),
        ("Defect", "D-0002"),
        ("Closed", "D-0002"),
    ]


def test_repairs_are_on_record_with_what_they_cost_and_what_took_them_back(by):
    first = rows.repair(
        labour=10_000,
        parts=2_000,
        other=300,
        finished_on=date(2026, 3, 1),
        invoice_number="KF-1",
        warranty_until=date(2027, 3, 1),
        warranty_miles=60_000,
    )
    rows.part(first, 40, 2)
    rows.repair(finished_on=date(2026, 3, 2))
    rows.repair(
        labour=-10_000, reverses_id=first, finished_on=date(2026, 3, 1), recorded_at=at(3, 9)
    )
    found = happened()
    assert found[0].outcome == "Taken back by R-0003 on 9 Mar 2026"
    assert found[0].detail == (
        "From stock: 2 × Bulb. Invoice KF-1. Warranty until 1 Mar 2027 and until 60,000 miles."
    )
    assert found[0].amounts.total == 12_340
    assert found[1].outcome == "Takes R-0001 back on 9 Mar 2026"
    assert found[2].detail == ""


def test_a_return_to_the_road_is_on_record_with_what_was_overridden(by):
    rows.off_road(
        since=at(3, 1),
        reason=OffRoadReason.MOT,
        expected_back=date(2026, 3, 2),
        opened_by=by,
        until=at(3, 4),
        closed_by=by,
        signed_as="k.lee",
        override_reason="To the test only",
        objections="D-0142 is open\nIts MOT ran out on 3 Nov",
        note="Towed",
    )
    assert entries() == [
        ("Off the road", "03-01", "", "MOT", "Ended", "Expected back on 2 Mar 2026.", "k.lee"),
        (
            "Back on the road",
            "03-04",
            "",
            "MOT",
            "Overridden",
            "Towed. Put back all the same: To the test only. "
            "Stood against it: D-0142 is open; Its MOT ran out on 3 Nov.",
            "k.lee",
        ),
    ]


def test_what_was_done_is_on_record_also_of_items_that_vehicles_share(by):
    passed = {"result": DoneResult.ADVISORIES, "next_due_on": date(2027, 3, 1), "cost": 5_485}
    mot = {"done_on": date(2026, 3, 1), "certificate_number": "1234", "recorded_by": by}
    rows.done(rows.due_item(), **mot, **passed)
    shared = rows.due_item(kind=DueKind.INSURANCE, label="Insurance", shared=(LK19, OTHER))
    rows.done(shared, done_on=date(2026, 3, 2), cost=101)
    undone = {"next_due_on": YEAR.end, "undone_at": at(3, 4), "undone_by": by}
    rows.done(shared, done_on=date(2026, 3, 3), cost=101, **undone)
    assert [entry[3:6] for entry in entries()] == [
        (
            "MOT",
            "Passed with advisories",
            "Was due on 4 Mar 2026. Certificate 1234. Due again on 1 Mar 2027.",
        ),
        ("Insurance", "Done", "Was due on 4 Mar 2026."),
        ("Insurance", "Taken back", "Was due on 4 Mar 2026. Taken back by k.lee on 4 Mar 2026."),
    ]
    assert [e.amounts and e.amounts.total for e in happened()] == [5_485, 51, None]
    assert [e.amounts.total for e in happened(FLEET) if e.reg == OTHER and e.amounts] == [50]
    both = [e.reg for e in happened(FLEET)]
    assert both == [LK19, LK19, LK19, OTHER, OTHER]


def test_readings_that_are_no_plain_ones_of_checks_are_on_record(by):
    rows.reading(100, source=ReadingSource.CHECK, source_id=1)
    rows.reading(
        480_210, source=ReadingSource.CHECK, source_id=2, doubt=Doubt.JUMPED, is_accepted=False
    )
    rows.reading(200, void_at=at(3, 5), void_by=by, void_reason="Other van")
    rows.reading(300)
    found = [(e.miles, e.title, e.outcome, e.detail) for e in happened()]
    assert found == [
        (480_210, "Read at a check", "Not accepted", "Doubtful: it rose too fast."),
        (200, "Entered by hand", "Void", "Void by k.lee on 5 Mar 2026: Other van."),
        (300, "Entered by hand", "Accepted", ""),
    ]


def test_a_doubtful_mileage_is_marked_where_it_was_read_until_somebody_accepts_it(by):
    repair = rows.repair(odometer=480_210, finished_on=date(2026, 3, 1))
    accepted = rows.repair(odometer=48_210, finished_on=date(2026, 3, 1))
    done = rows.done(rows.due_item(), done_on=date(2026, 3, 1), done_miles=7, note="Oil")
    for source, source_id, doubt, is_accepted in (
        (ReadingSource.REPAIR, repair, Doubt.JUMPED, False),
        (ReadingSource.REPAIR, accepted, Doubt.FELL, True),
        (ReadingSource.DUE, done, Doubt.FELL, False),
    ):
        values = {"source": source, "source_id": source_id, "doubt": doubt}
        rows.reading(1, is_accepted=is_accepted, day=date(2025, 1, 1), **values)
    assert {e.miles: e.detail for e in happened() if e.miles} == {
        480_210: "Its mileage isn't used: it rose too fast.",
        48_210: "",
        7: "Was due on 4 Mar 2026. Oil. Its mileage isn't used: it fell.",
    }


def test_photos_and_documents_are_on_record_by_their_hashes(by):
    paper = "a" * 64
    rows.store(Document(hash=paper, size=1, media_type="application/pdf", stored_at=at(3, 1)))
    item = rows.due_item(shared=(LK19, OTHER))
    subjects = {
        "defect": rows.defect(day=date(2027, 1, 1)),
        "repair": rows.repair(finished_on=date(2027, 1, 1)),
        "due_done": rows.done(rows.due_item(), done_on=date(2027, 1, 1)),
        "due_done ": rows.done(item, done_on=date(2027, 1, 1)),
    }
    for position, (kind, subject) in enumerate(subjects.items()):
        removed_at = at(3, 9) if position == 1 else None
        values = {"subject_kind": kind.strip(), "subject_id": subject, "position": position}
        values |= {"added_by": by, "added_at": at(3, 1 + position), "removed_at": removed_at}
        name = f"{position}.pdf"
        rows.store(Attachment(document_hash=paper, name=name, removed_by=by, **values))
    files = [(e.reference, e.title, e.outcome, e.files) for e in happened()]
    assert files == [
        ("D-0001", "0.pdf", "", [paper]),
        ("R-0001", "1.pdf", "Removed by k.lee on 9 Mar 2026", [paper]),
        ("MOT", "2.pdf", "", [paper]),
        ("MOT", "3.pdf", "", [paper]),
    ]


def test_a_record_of_the_fleet_goes_vehicle_by_vehicle_by_day(by):
    for day in (3, 1, 2):
        for reg in (OTHER, LK19):
            rows.repair(reg, finished_on=date(2026, 3, day))
            rows.defect(reg, day=date(2026, 3, day))
    found = [(e.reg, e.day.day) for e in happened(FLEET)]
    assert found == [(reg, day) for reg in (LK19, OTHER) for day in (1, 1, 2, 2, 3, 3)]


def test_a_record_takes_as_many_statements_however_much_it_has(by, statements):
    def store(number):
        for n in range(number):
            rows.defect()
            rows.defect(f"AB{n}{number} CDE")
            rows.due_item(kind=DueKind.INSURANCE, shared=(LK19, OTHER))
            defect = rows.defect(closing=Closing.REPAIRED)
            rows.part(rows.repair(defects=(defect,)), 10)
            rows.done(rows.due_item())
            factories.check(LK19, by=by, day=date(2026, 3, 1 + n))

    store(1)
    few = statements(happened), statements(lambda: happened(FLEET))
    store(5)
    assert (statements(happened), statements(lambda: happened(FLEET))) == few
