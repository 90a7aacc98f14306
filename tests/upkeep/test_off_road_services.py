"""Times off the road: how they begin, what ends them, and what stands against it."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app import dates
from app.db import db, transaction
from app.defects.models import OffRoad
from app.defects.queries import off_road as queries
from app.defects.rules.fields import OffRoadReason
from app.defects.rules.off_road import NotRoadworthy
from app.defects.services import off_road as services
from app.defects.services.defects import DefectReport, open_defect
from app.divisions import Division
from app.errors import Conflict, EditConflict, Invalid
from app.events.models import RecordedEvent
from app.fleet.rules.findings import Severity
from app.versions import version_of
from tests import factories

pytestmark = pytest.mark.usefixtures("context")

REG = "LK19 VTE"
KEY = "lk19vte"


@pytest.fixture(autouse=True)
def people(context):
    factories.user("j.marsh", Division.FLEET)
    factories.user("k.lee", Division.FLEET)
    factories.vehicle(REG, status="In use")


def off_road(reason=OffRoadReason.SERVICE, by=1, **values):
    with transaction():
        return services.take_off_road(REG, reason, by=by, **values)


def back(by=2, note="", override_reason=""):
    with transaction():
        return services.return_to_road(REG, note=note, override_reason=override_reason, by=by)


def defect(part="Brakes", severity=Severity.STOP):
    with transaction():
        report = DefectReport(REG, part, f"{part}: fail", severity)
        return open_defect(report, by=1).number


def times():
    return db.session.execute(select(OffRoad).order_by(OffRoad.id)).scalars().all()


def kinds():
    statement = select(RecordedEvent.kind).filter_by(subject_kind="off_road")
    return db.session.execute(statement.order_by(RecordedEvent.id)).scalars().all()


def test_a_vehicle_goes_off_the_road_with_its_status_and_comes_back():
    before = version_of("upkeep")
    off_road(detail="Gearbox")
    assert version_of("upkeep") > before
    assert queries.standings([KEY])[KEY].off_road_since == dates.today()
    assert not queries.standings([KEY])[KEY].is_roadworthy
    back(note="Driven")
    (time,) = times()
    assert (time.status_before, time.signed_as, time.note) == ("In use", "k.lee", "Driven")
    assert time.until is not None
    assert KEY not in queries.standings([KEY])
    assert kinds() == ["vehicle.off_road", "vehicle.returned"]


def test_a_further_reason_is_added_to_the_time_that_lasts():
    off_road(detail="Gearbox")
    off_road(OffRoadReason.MOT, detail="Failed")
    off_road(OffRoadReason.MOT, detail="Failed")
    (time,) = times()
    assert time.reason is OffRoadReason.SERVICE
    assert time.detail.splitlines() == ["Gearbox", "MOT: Failed"]
    assert kinds() == ["vehicle.off_road", "vehicle.off_road_changed"]


def test_the_event_of_a_change_leaves_out_the_detail_in_which_people_may_be_named():
    time = off_road(detail="With Dave")
    with transaction():
        values = {"reason": OffRoadReason.PARTS, "detail": "With Ann", "expected_back": None}
        services.change_time(time.id, **values, revision=0, by=1)
    event = db.session.execute(select(RecordedEvent).order_by(RecordedEvent.id.desc())).scalars()
    last = event.first()
    assert last.before == {"reason": "service"}
    assert last.after == {"reason": "parts", "other_fields": ["detail"]}


def test_a_stop_defect_takes_its_vehicle_off_and_keeps_it_there():
    number = defect()
    with pytest.raises(NotRoadworthy) as refused:
        back()
    assert refused.value.message == f"{REG} can't go back on the road: D-{number:04} is open."
    assert refused.value.details == {"objections": [f"D-{number:04} is open"]}
    assert [time.until for time in times()] == [None]


def test_an_override_stays_in_the_file_with_what_stood_against_it():
    number = defect()
    back(override_reason="Driven to the garage")
    (time,) = times()
    assert time.until is not None
    assert time.override_reason == "Driven to the garage"
    assert time.objections == f"D-{number:04} is open"


def test_nothing_is_overridden_where_nothing_stands_against_it():
    off_road()
    with pytest.raises(Invalid, match="Nothing stands against it"):
        back(override_reason="Just in case")


def test_a_defect_that_only_needs_a_repair_keeps_nobody_off_the_road():
    off_road()
    defect("Mirror", Severity.REPAIR)
    back()
    assert queries.standings([KEY])[KEY].is_roadworthy
    assert queries.standings([KEY])[KEY].open_defects == 1


def test_the_second_of_two_managers_reads_who_put_it_back_and_when():
    time_id = off_road().id
    back(by=2)
    for again in (
        lambda: back(by=1),
        lambda: services.end_time(time_id, note="", override_reason="", by=1),
    ):
        with pytest.raises(Conflict, match=r"^k\.lee put LK19 VTE back on the road at \d+:\d\d\."):
            again()


def test_a_vehicle_that_was_never_off_the_road_cannot_return():
    with pytest.raises(Conflict, match=r"^LK19 VTE isn't off the road\.$"):
        back()


def test_a_change_keeps_what_was_before_and_refuses_who_has_not_seen_it():
    time = off_road(detail="Gearbox")
    expected = dates.today() + timedelta(days=3)
    values = {"reason": OffRoadReason.PARTS, "detail": "Gearbox", "expected_back": expected}
    with transaction():
        services.change_time(time.id, **values, revision=0, by=1)
    event = db.session.execute(select(RecordedEvent).order_by(RecordedEvent.id.desc())).scalar()
    assert event.before == {"reason": "service", "expected_back": None}
    assert event.after == {"reason": "parts", "expected_back": expected.isoformat()}
    with pytest.raises(EditConflict), transaction():
        services.change_time(time.id, **values, revision=0, by=1)


def test_only_a_vehicle_of_the_lists_is_taken_off_by_hand():
    with pytest.raises(Invalid, match=r"^There is no vehicle AB12 CDE\.$") as why, transaction():
        services.report_off_road(
            "ab12 cde", OffRoadReason.OTHER, detail="", expected_back=None, by=1
        )
    assert why.value.field == "reg"


def test_a_vehicle_that_leaves_the_lists_ends_its_time():
    off_road()
    with transaction():
        services.close_for_vehicles_left([KEY, "ab12cde"], by=None)
    (time,) = times()
    assert (time.note, time.signed_as) == ("The vehicle left the list.", "")
    assert time.until is not None


def test_sorn_is_the_reason_of_a_vehicle_that_is_off_the_road_already():
    off_road(OffRoadReason.ACCIDENT, detail="Hit a bollard")
    off_road(OffRoadReason.SORN, detail="Until spring")
    off_road(OffRoadReason.PARTS)
    (time,) = times()
    assert time.reason is OffRoadReason.SORN
    assert time.detail.splitlines() == [
        "Accident: Hit a bollard",
        "SORN: Until spring",
        "Waiting for parts",
    ]


@pytest.mark.parametrize("further", [OffRoadReason.SERVICE, OffRoadReason.SORN])
def test_a_first_reason_without_a_detail_is_named_beside_further_ones(further):
    off_road(OffRoadReason.ACCIDENT)
    number = defect()
    off_road(further, detail="Since today")
    (board_row,) = queries.board_rows(times(), dates.today())
    label = "SORN" if further is OffRoadReason.SORN else "Service"
    expected = ["Accident", f"Brakes: fail (D-{number:04})", f"{label}: Since today"]
    assert board_row.reasons == expected


def test_the_board_counts_days_and_who_is_late():
    today = dates.today()
    off_road(expected_back=today)
    sums = queries.board_sums(today + timedelta(days=2))
    assert (sums.off_road, sums.days, sums.late) == (1, 2, 1)
    page = queries.board_page(1, 1, today)
    assert [row.time.reg for row in page.rows] == [REG]
    assert page.rows[0].reasons == ["Service"]
