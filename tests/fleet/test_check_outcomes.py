"""What a submitted check answers: its outcome, and what becomes of answers about open defects."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from app import dates
from app.db import db, transaction
from app.defects.models import DefectSighting
from app.defects.rules.fields import OffRoadReason
from app.defects.services.off_road import take_off_road
from app.fleet.queries.checks import get_check
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.findings import Severity
from app.fleet.services import checks as services
from app.fleet.services.upkeep import briefing_of, briefings
from app.idempotency import IdempotencyKey, Stamp
from tests import factories
from tests.factories import DAY

NIL = "No defects. Kept as a nil-defect report."
NOTHING_NEW = "No new defects. Kept as a nil-defect report."
CHECKS = "/api/fleet/checks"


def a_check(**values):
    sent = {"reg": "LK19 VTE", "odometer": 48_210, "_formType": "gardeningVan"}
    return sent | {"date": DAY.isoformat(), "items": {}} | values


@pytest.fixture
def defect(app, vehicle):
    """Return a function that reports a defect of a vehicle and returns its number as text."""

    def defect(reg="LK19 VTE", severity=Severity.REPAIR):
        vehicle(reg)
        with app.app_context():
            return factories.defect(reg, "Mirror", severity).reference

    return defect


def test_a_check_without_defects_is_kept_as_a_nil_report_with_its_words(call):
    words = "No defects. Kept."
    standard = call("POST", CHECKS, a_check(items={"Cleanliness": "Clean"})).json
    own = call("POST", CHECKS, a_check(outcomeText=words)).json
    found = [(each["outcome"], each["outcomeText"]) for each in (standard, own)]
    assert found == [("nil", NIL), ("nil", words)]
    assert standard["messages"] == [NIL]
    assert [each["outcomeText"] for each in call("GET", CHECKS).json] == [words, NIL]


def test_a_check_without_questions_has_no_outcome(call):
    sent = {"reg": "LK19 VTE", "odometer": 5, "items": {"Brakes": "Fail"}}
    reply = call("POST", CHECKS, sent).json
    assert (reply["outcome"], reply["outcomeText"], reply["messages"]) == ("not_asked", "", [])


def test_a_failing_answer_that_stops_the_vehicle_says_so_and_takes_it_off_the_road(
    app, call, vehicle
):
    vehicle("LK19 VTE")
    items = {"Safety": "Unsafe", "FuelLevel": "Empty"}
    reply = call("POST", CHECKS, a_check(items=items)).json
    assert (reply["outcome"], reply["outcomeText"]) == ("defects", "2 defects")
    assert reply["messages"][0].startswith("Stop: do not drive LK19 VTE. Safety: unsafe")
    with app.app_context():
        briefing = briefing_of("lk19vte")
        assert briefing.off_road_since
        assert [each.title for each in briefing.defects] == ["Safety: unsafe", "Fuel level: empty"]


def test_answers_about_open_defects_are_sightings_and_make_the_outcome(app, call, defect):
    number = defect()
    still = call("POST", CHECKS, a_check(defects=[{"number": number, "answer": "worse"}])).json
    assert (still["outcome"], still["outcomeText"]) == ("defects", "1 defect")
    (seen,) = still["messages"]
    assert seen.startswith(f"Seen again: {number}, reported 2 times since 15 Jan")
    absent = call("POST", CHECKS, a_check(defects=[{"number": number, "answer": "gone"}])).json
    assert (absent["outcome"], absent["outcomeText"]) == ("nil", NIL)
    with app.app_context():
        seen = db.session.execute(select(DefectSighting.answer).order_by(DefectSighting.id))
        assert [str(answer) for answer in seen.scalars()] == ["worse", "gone"]


def test_a_nil_report_of_a_vehicle_with_an_open_defect_says_nothing_new(call, defect):
    defect()
    assert call("POST", CHECKS, a_check()).json["outcomeText"] == NOTHING_NEW


def test_a_nil_report_of_a_vehicle_off_the_road_names_what_is_open(call, defect):
    number = defect(severity=Severity.STOP)
    day = dates.short_day(dates.today())
    stop = f"Stop: do not drive LK19 VTE. Off the road since {day}: {number} is open."
    assert call("POST", CHECKS, a_check()).json["messages"] == [stop, NOTHING_NEW]


def test_a_nil_report_names_another_reason_to_be_off_the_road(app, call, vehicle):
    vehicle("LK19 VTE")
    with app.app_context(), transaction():
        take_off_road("LK19 VTE", OffRoadReason.ACCIDENT, by=None)
    stop, nil = call("POST", CHECKS, a_check()).json["messages"]
    assert stop.startswith("Stop: do not drive LK19 VTE. Off the road since ")
    assert (stop.rpartition(": ")[2], nil) == ("Accident.", NIL)


def test_why_a_vehicle_off_the_road_is_driven_is_kept_and_a_call_that_does_not_tell_is_accepted(
    app, call, driver, vehicle
):
    vehicle("LK19 VTE")
    today = a_check(date=dates.today().isoformat())
    assert call("POST", CHECKS, today).json["driveReason"] is None
    left_out = "LK19 VTE wasn't off the road: why it is driven was left out."
    on_road = call("POST", CHECKS, today | {"driveReason": "garage"}).json
    assert (on_road["driveReason"], on_road["messages"]) == (None, [left_out, NIL])
    with app.app_context(), transaction():
        take_off_road("LK19 VTE", OffRoadReason.ACCIDENT, by=None)
    for sent, kept in (
        ({"driveReason": "garage"}, "garage"),
        ({"driveReason": None}, "not_said"),
        ({}, "not_said"),
        ({"driveReason": "test", "date": DAY.isoformat()}, None),
    ):
        reply = call("POST", CHECKS, today | sent)
        assert (reply.status_code, reply.json["driveReason"]) == (201, kept), sent
    refused = call("POST", CHECKS, today | {"driveReason": "home"})
    assert (refused.status_code, list(refused.json["fields"])) == (422, ["driveReason"])
    reasons = [check["driveReason"] for check in call("GET", CHECKS).json]
    assert reasons == ["not_said", "not_said", "garage", None, None, None]
    words = [
        f"Driven while off the road: {why}" for why in ("not said", "not said", "to the garage")
    ]
    assert words[0] in driver.open("/fleetChecksList").all(".current-check p")
    notes = driver.open("/fleetChecksList?review=").all(".detail .note")
    assert [text for text in notes if text.startswith("Driven")] == words
    assert words[2] in driver.open("/fleet/record?vehicle=LK19+VTE").text


def test_a_check_that_arrives_late_is_judged_by_when_it_was_made(app, call, vehicle):
    vehicle("LK19 VTE")
    now = dates.utc_now()
    with app.app_context(), transaction():
        time = take_off_road("LK19 VTE", OffRoadReason.ACCIDENT, by=None)
        time.since, time.until = now - timedelta(minutes=50), now - timedelta(minutes=20)
    for minutes, kept in ((60, None), (30, "not_said"), (10, None)):
        check = SubmittedCheck("LK19 VTE", 48_210, dates.today(), {})
        stamp = Stamp(made_at=now - timedelta(minutes=minutes))
        with app.app_context(), transaction():
            done = services.submit_check(services.plan_check(check, by=1), by=1, stamp=stamp)
            assert get_check(done.check_id).drive_reason == kept, minutes


def test_an_answer_about_a_number_that_no_defect_has_is_left_out(call, defect):
    defect()
    sent = a_check(defects=[{"number": "D-0977", "answer": "yes"}])
    reply = call("POST", CHECKS, sent)
    assert reply.status_code == 201
    assert (reply.json["outcome"], reply.json["outcomeText"]) == ("nil", NOTHING_NEW)
    assert "There is no D-0977: the answer about it was left out." in reply.json["messages"]


def test_words_that_do_not_fit_the_outcome_are_replaced(call, vehicle):
    vehicle("LK19 VTE")
    unsafe = {"Safety": "Unsafe"}
    unasked = {"reg": "XX00 NEW", "odometer": 5, "items": {}, "outcomeText": NIL}
    for sent, text in (
        (a_check(items=unsafe, outcomeText=NIL), "1 defect"),
        (a_check(outcomeText="2 defects"), NOTHING_NEW),
        (unasked, ""),
    ):
        assert call("POST", CHECKS, sent).json["outcomeText"] == text


def test_a_part_that_fails_and_is_answered_about_is_one_defect(call, vehicle):
    vehicle("LK19 VTE")
    unsafe = a_check(items={"Safety": "Unsafe"})
    call("POST", CHECKS, unsafe)
    again = call("POST", CHECKS, unsafe | {"defects": [{"number": "D-0001", "answer": "yes"}]})
    assert again.json["outcomeText"] == "1 defect"


def test_an_answer_about_another_vehicles_defect_is_refused(call, defect):
    number = defect("YD21 HMO")
    reply = call("POST", CHECKS, a_check(defects=[{"number": number, "answer": "yes"}]))
    assert reply.status_code == 422
    assert reply.json["fields"] == {"defects": f"{number} is a defect of YD21 HMO."}
    assert call("GET", CHECKS).json == []


def test_an_answer_that_cannot_be_read_is_refused_with_its_place(call):
    for answer, field in (
        ({"number": "R-0001", "answer": "yes"}, "defects.0.number"),
        ({"number": "x", "answer": "yes"}, "defects.0.number"),
        ({"number": "D-0001", "answer": "maybe"}, "defects.0.answer"),
        ({"number": "D-0001"}, "defects.0.answer"),
    ):
        reply = call("POST", CHECKS, a_check(defects=[answer]))
        assert (reply.status_code, list(reply.json["fields"])) == (422, [field]), answer


def test_a_reply_stored_before_checks_had_outcomes_is_repeated(app, call):
    first = call("POST", CHECKS, a_check(), Idempotency_Key="one").json
    added = ("outcome", "outcomeText", "messages", "driveReason")
    values = {name: value for name, value in first.items() if name not in added}
    stored = {"record_version": 2, "values": {"values": values}}
    with app.app_context(), transaction():
        db.session.execute(update(IdempotencyKey).values(result=stored))
    again = call("POST", CHECKS, a_check(), Idempotency_Key="one")
    assert again.status_code == 201
    unknown = {"outcome": "not_asked", "outcomeText": "", "driveReason": None}
    assert again.json == values | unknown | {"messages": []}


def test_the_reply_of_a_nil_report_is_rebuilt_from_its_row(app, call):
    first = call("POST", CHECKS, a_check(), Idempotency_Key="one").json
    with app.app_context(), transaction():
        db.session.execute(IdempotencyKey.__table__.delete())
    assert call("POST", CHECKS, a_check(), Idempotency_Key="one").json == first


def test_the_check_of_a_vehicle_in_no_list_is_kept_and_opens_nothing(app, call):
    items = {"Safety": "Unsafe", "FuelLevel": "Empty"}
    reply = call("POST", CHECKS, a_check(reg="ZZ99 XYZ", items=items)).json
    assert reply["outcome"] == "defects"
    assert reply["messages"] == [
        "Stop: do not drive ZZ99 XYZ. Safety: unsafe.",
        "There is no vehicle ZZ99 XYZ. Check the number plate. "
        "Not reported: Fuel level: empty, Safety: unsafe.",
    ]
    with app.app_context():
        briefing = briefing_of("zz99xyz")
        assert (briefing.defects, briefing.off_road_since) == ((), None)


def test_briefings_take_as_many_statements_for_many_vehicles_as_for_one(
    app, in_app, driver, statements, defect, vehicle, check
):
    defect(severity=Severity.STOP)
    check("LK19 VTE")
    few = in_app(statements, briefings)
    for number in range(10):
        defect(f"AB{number:02} CDE", severity=Severity.STOP)
        check(f"AB{number:02} CDE")
    vehicle("ZZ99 ZZZ")
    with app.app_context():
        assert statements(briefings) == few
        found = briefings()
    assert len(found) == 11
    assert "zz99zzz" not in found


def test_the_briefings_change_with_the_upkeep_of_a_vehicle(call, defect):
    vehicles = call("GET", "/fleetChecks/briefings")
    tag = vehicles.headers["ETag"]
    assert vehicles.json == {"briefings": {}}
    assert call("GET", "/fleetChecks/briefings", If_None_Match=tag).status_code == 304
    number = defect()
    found = call("GET", "/fleetChecks/briefings", If_None_Match=tag).json["briefings"]
    assert [each["number"] for each in found["lk19vte"]["defects"]] == [number]
    assert call("GET", "/fleetChecks/reference").json["briefings"] == found


@pytest.mark.parametrize(
    ("items", "badge"), [({"FuelLevel": "Empty"}, "Defects"), ({"FuelLevel": "Full"}, "No defects")]
)
def test_lists_and_the_vehicle_show_the_outcome(in_app, driver, vehicle, items, badge):
    vehicle_id = vehicle("LK19 VTE")
    in_app(factories.check, items=items, form_type="gardeningVan")
    words = "1 defect" if badge == "Defects" else NIL
    assert words in driver.open("/fleetChecksList").all(".current-check p")
    assert words in driver.open("/fleetChecksList?review=").all(".detail .note")
    assert badge in driver.open(f"/vehicles/{vehicle_id}").all("#checks .badge")
