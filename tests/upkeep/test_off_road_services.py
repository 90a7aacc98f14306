"""Times off the road: how they begin, what ends them, and what stands against it."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app import dates
from app.db import db
from app.defects.models import OffRoad
from app.defects.queries import off_road as queries
from app.defects.rules.fields import OffRoadReason
from app.defects.rules.off_road import NotRoadworthy
from app.defects.services import off_road as services
from app.errors import Conflict, EditConflict, Invalid
from app.events.models import RecordedEvent
from app.fleet.rules.findings import Severity
from app.versions import version_of
from tests.upkeep.defect_steps import DRIVER, KEY, MANAGER, REG, decide, reported

pytestmark = pytest.mark.usefixtures("driver_and_manager")


def off_road(reason=OffRoadReason.SERVICE, **values):
    return decide(services.take_off_road, REG, reason, **values)


def back(by=MANAGER, note="", override_reason=""):
    return decide(services.return_to_road, REG, note=note, override_reason=override_reason, by=by)


def defect(part="Brakes", severity=Severity.STOP):
    return reported(part, severity, title=f"{part}: fail").number


def times():
    return db.session.scalars(select(OffRoad).order_by(OffRoad.id)).all()


def kinds():
    statement = select(RecordedEvent.kind).filter_by(subject_kind="off_road")
    return db.session.scalars(statement.order_by(RecordedEvent.id)).all()


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
    values = {"note": "", "override_reason": "", "by": DRIVER}
    for again, of in ((services.return_to_road, REG), (services.end_time, time_id)):
        with pytest.raises(Conflict, match=r"^k\.lee put LK19 VTE back on the road at \d+:\d\d\."):
            decide(again, of, **values)


def test_a_vehicle_that_was_never_off_the_road_cannot_return():
    with pytest.raises(Conflict, match=r"^LK19 VTE isn't off the road\.$"):
        back()


def test_a_change_keeps_what_was_before_and_refuses_who_has_not_seen_it():
    time, expected = off_road(detail="With Dave"), dates.today() + timedelta(days=3)
    values = {"reason": OffRoadReason.PARTS, "detail": "With Dave", "expected_back": expected}
    for revision, detail, before, after in (
        (
            *(0, "With Dave", {"reason": "service", "expected_back": None}),
            {"reason": "parts", "expected_back": expected.isoformat()},
        ),
        # People may be named in a detail.
        (1, "With Ann", None, {"other_fields": ["detail"]}),
    ):
        values["detail"] = detail
        decide(services.change_time, time.id, **values, revision=revision)
        event = db.session.scalars(select(RecordedEvent).order_by(RecordedEvent.id.desc())).first()
        assert (event.before, event.after) == (before, after), detail
    with pytest.raises(EditConflict):
        decide(services.change_time, time.id, **values, revision=0)


def test_only_a_vehicle_of_the_lists_is_taken_off_by_hand():
    values = {"reason": OffRoadReason.OTHER, "detail": "", "expected_back": None}
    with pytest.raises(Invalid, match=r"^There is no vehicle AB12 CDE\.$") as why:
        decide(services.report_off_road, "ab12 cde", **values)
    assert why.value.field == "reg"


def test_a_vehicle_that_leaves_the_lists_ends_its_time():
    off_road()
    decide(services.close_for_vehicles_left, [KEY, "ab12cde"], by=None)
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
    page = queries.board_page(sums.times[None], 1, today)
    assert [row.time.reg for row in page.rows] == [REG]
    assert page.rows[0].reasons == ["Service"]
