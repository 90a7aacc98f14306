"""What people book, change, cancel and hand over on pages."""

from datetime import timedelta

import pytest

from app import dates
from app.bookings.queries.bookings import get_booking
from app.bookings.services import bookings as services
from app.defects.services.defects import DefectReport, open_defect
from app.defects.services.off_road import report_off_road
from app.divisions import Division, Role
from app.due.rules.fields import DueKind
from app.due.services.due import DueValues, add_item
from tests import factories
from tests.bookings.steps import LK, LM, LN, MANAGER, NEW, NINE, OFF, hours

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_a_van_is_booked_for_tomorrow_from_the_desk_in_three_taps(lee):
    form = lee.open(lee.open("/bookings").link("Book"))
    assert form.fields()["from"] == "2027-01-12T09:00"
    assert "Any Van 3 of 3 free" in form.all(".free-list .check")
    done = lee.submit(form, **{"class": "Van"})
    assert done.path == "/bookings/B-0001"
    assert "Booked a van (B-0001) from Tue 9:00 to 12:00." in done.text
    assert "What a van" in done.text


def test_ticking_several_makes_several_all_or_none(lee):
    page = lee.open(NEW)
    sent = page.fields() | {"vehicle": [LK, LM]}
    done = lee.post(page.path, sent)
    assert done.path == "/bookings"
    assert "Booked LK19 VTE (B-0001) and LM20 ABC (B-0002)" in done.text
    assert done.all(".booking-rows li") == [
        "LK19 VTE k.lee B-0001 from Tue 9:00 to 12:00",
        "LM20 ABC k.lee B-0002 from Tue 9:00 to 12:00",
    ]
    again = lee.open(NEW)
    refused = lee.post(again.path, again.fields() | {"vehicle": [LN, LK], "purpose": "Tools"})
    assert refused.status == 409
    message = "LK19 VTE is k.lee's from Tue 9:00 to 12:00 (B-0001). Free: from 12:00 this one."
    assert message in refused.errors
    assert refused.fields()["purpose"] == "Tools"
    assert refused.all(".free-list .check:has([name=vehicle])") == ["LN21 XYZ Van."]
    assert refused.html.select_one(f"[value={LN}]").has_attr("checked")
    assert "LK19 VTE is k.lee's from Tue 9:00 to 12:00 (B-0001). Free from" in refused.text


def test_the_list_says_mileage_and_what_is_due_and_why_others_are_not_free(yard, lee):
    yard.do(report_off_road, "LM20 ABC", **OFF)
    due = DueValues(["LK19 VTE"], DueKind.MOT, due_on=dates.today() + timedelta(days=9))
    yard.do(add_item, due, by=MANAGER)
    row = yard.book(hours(3, 4), LK)
    yard.checked(row, "out", at=row.starts_at, odometer=48210)
    yard.checked(row, "back", at=row.starts_at, odometer=48215)
    page = lee.open(NEW)
    assert "LK19 VTE Van, 48,215 miles. MOT runs out in 9 days." in page.all(".free-list .check")
    assert page.all(".not-free li") == ["LM20 ABC is off the road."]
    assert lee.open(f"{NEW}&class=Lorry").all(".free-list .check") == []


def test_a_van_that_can_go_nowhere_is_not_offered(yard, lee):
    for key in (LM, LN):
        yard.book(hours(9, 12), key)
    van = yard.book(hours(9, 12), class_name="Van")
    page = lee.open(NEW)
    assert page.all(".free-list .check") == []
    assert page.all(".not-free li")[0] == "Any Van: none of 3 is free."
    yard.do(services.cancel_booking, 1, reason="Not needed", by=MANAGER)
    page = lee.open(NEW)
    moves = f"{van.subject} Van. {van.reference} (a van) takes another."
    assert moves in page.all(".free-list .check")


def test_what_was_ticked_stays_ticked_after_a_wrong_time(lee):
    page = lee.open(NEW)
    refused = lee.post(page.path, page.fields() | {"vehicle": LK, "to": "2027-01-12T09:00"})
    assert refused.errors[0] == "It must end after it begins."
    done = lee.submit(refused, to="2027-01-12T10:00")
    assert "Booked LK19 VTE (B-0001)" in done.text


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({"to": "2027-01-12T08:00"}, "It must end after it begins."),
        ({"to": "2027-01-28T09:00"}, "At most 14 days."),
        ({"from": "2027-01-10T09:00"}, "It has begun already. Book from now."),
        ({"from": ""}, "Enter a day and a time."),
        ({"from": "2027-03-28T01:30", "to": "2027-03-28T05:00"}, "The clocks go from 1:00 to 2:00"),
        ({"vehicle": "nope1"}, "nope1 is in no list."),
        ({"vehicle": ""}, "Choose what to book."),
    ],
)
def test_what_cannot_be_booked_is_refused_with_all_that_was_typed(lee, sent, error):
    page = lee.open(NEW)
    refused = lee.submit(page, purpose="Tools", **{"vehicle": LK} | sent)
    assert refused.status == 422
    assert any(each.startswith(error) for each in refused.errors)
    assert refused.fields()["purpose"] == "Tools"


def test_a_time_that_comes_twice_asks_which(in_app, lee):
    with dates.as_of(NINE.replace(month=10, day=20)):
        lee.sign_in("k.lee", follow=False)
        page = lee.open("/bookings/new?from=2027-10-31T01:30&to=2027-10-31T04:00")
        question = lee.submit(page, vehicle=LK)
        assert "comes twice that night" in question.errors[0]
        done = lee.submit(question, from_turn="second", vehicle=LK)
        assert "Booked LK19 VTE (B-0001)" in done.text
        # The first 1:30 is 0:30 in UTC.
        assert in_app(get_booking, 1).starts_at.hour == 1


def test_other_times_are_shown_without_booking_anything(yard, lee):
    yard.book(hours(14, 15))
    page = lee.open(NEW)
    times = {"from": "2027-01-12T14:00", "to": "2027-01-12T15:00"}
    reply = lee.submit(page, show="1", vehicle=LM, purpose="Tools", **times)
    assert reply.status == 200
    assert reply.all(".not-free li") == [
        "LK19 VTE is k.lee's from Tue 14:00 to 15:00 (B-0001). Free from Tue 15:00."
    ]
    assert reply.fields()["purpose"] == "Tools"
    assert lee.open("/bookings/B-0002").status == 404


def test_workers_change_their_own_and_managers_all(yard, lee, marsh, sign_in, in_app):
    in_app(factories.user, "v.iewer", Division.FLEET, roles=(Role.VIEWER,))
    theirs, own = yard.book(hours(9, 12), by=MANAGER), yard.book(hours(9, 12), LM)
    for act in ("change", "cancel"):
        refused = lee.open(f"/bookings/{theirs.reference}/{act}")
        assert refused.status == 403
        assert "B-0001 is j.marsh's. Ask them or a manager." in refused.text
    changed = marsh.submit(marsh.open(f"/bookings/{own.reference}/change"), purpose="Tools")
    assert "Purpose Tools" in changed.text
    sent = {"reason": "Rain", "csrf_token": lee.open(NEW).fields()["csrf_token"]}
    assert lee.post(f"/bookings/{theirs.reference}/cancel", sent).status == 403
    viewer = sign_in("v.iewer")
    assert not viewer.open("/bookings").all("main .rows .btn")
    assert viewer.open("/bookings/new").status == 403
    assert lee.open(f"/bookings/{own.reference}/look").status == 403


def test_a_booking_is_cancelled_with_a_reason_once(yard, lee):
    row = yard.book(hours(9, 12))
    form = lee.open(f"/bookings/{row.reference}/cancel")
    assert lee.submit(form).errors[0] == "Give the reason."
    done = lee.submit(form, reason="It rains")
    assert "B-0001 is cancelled." in done.text
    assert "Cancelled It rains" in done.text
    assert "B-0001 was cancelled at 8:00." in lee.submit(form, reason="Twice", key="k" * 36).text


def test_a_change_after_somebody_elses_shows_what_it_is_now(yard, lee):
    row = yard.book(hours(9, 12))
    form = lee.open(f"/bookings/{row.reference}/change")
    later = hours(13, 14)
    yard.do(services.change_booking, row.number, period=later, revision=0, by=MANAGER)
    late = lee.submit(form, purpose="Tools")
    assert late.status == 409
    assert "It is now: LK19 VTE, from Tue 13:00 to 14:00" in late.text
    assert late.fields()["purpose"] == "Tools"
    assert "Purpose Tools" in lee.submit(late).text


def test_a_van_stays_a_van_when_its_time_changes(yard, lee):
    row = yard.book(hours(9, 12), class_name="Van")
    yard.book(hours(13, 14), row.subject_key)
    form = lee.open(f"/bookings/{row.reference}/change")
    assert form.fields()["vehicle"] == ""
    done = lee.submit(form, to="2027-01-12T14:00")
    assert "B-0001 is a van from Tue 9:00 to 14:00 now." in done.text
    assert yard.booking(row).subject_key != LK


def test_a_vehicle_goes_out_without_a_check_for_a_reason(yard, lee):
    row = yard.book(hours(9, 12))
    with dates.as_of(NINE):
        lee.sign_in("k.lee", follow=False)
        form = lee.open(f"/bookings/{row.reference}/out")
        assert lee.submit(form).errors[0] == "Give the reason why there is no check."
        out = lee.submit(form, reason="My phone was empty", odometer="1000")
        assert "Handed over without a check: My phone was empty" in out.text
        back = lee.submit(
            lee.open(f"/bookings/{row.reference}/back"), reason="Same", odometer="1042"
        )
    assert "1,042 miles (drove 42)" in back.text
    assert back.all(".both h2") == ["Handover", "Return"]


def test_both_checks_of_a_booking_stand_side_by_side(yard, lee):
    row = yard.book(hours(9, 12))
    yard.checked(row, "out", odometer=1000)
    yard.checked(row, "back", at=NINE + timedelta(hours=2), odometer=1060)
    page = lee.open("/bookings/B-0001")
    assert page.all(".both h2") == ["Handover", "Return"]
    assert "Tue 9:00, 1,000 miles" in page.text
    assert page.all(".happened b") == ["Returned", "Handed over", "Booked"]
    assert page.html.select_one(".both a")["href"].startswith("/fleetChecksList?vehicle=LK19+VTE")
    assert "Planned until Tue 12:00" in page.text
    check_id = yard.booking(row).back_check_id
    report = DefectReport(
        row.subject, "Mirror", "Mirror cracked", day=NINE.date(), check_id=check_id
    )
    yard.do(open_defect, report, by=MANAGER)
    assert "New D-0001 Mirror cracked" in lee.open("/bookings/B-0001").all(".both p")


def test_equipment_is_booked_once_a_manager_says_so(sign_in, in_app):
    in_app(factories.user, "a.sset", Division.ASSETS)
    number = in_app(factories.asset, "Ladder", id="A-17", quantity=3)
    person = sign_in("a.sset", Division.ASSETS)
    assert "It isn’t for booking." in person.open(f"/assets/{number}").text
    assert "a manager decides what can" in person.open(NEW).text
    form = person.open(person.open(f"/assets/{number}").link("For booking?"))
    person.submit(form, is_bookable="y")
    page = person.open(person.open(f"/assets/{number}").link("Book"))
    assert page.html.select_one("[name=asset]").has_attr("checked")
    assert "There are 3." in person.submit(page, units="4").errors
    done = person.submit(page, units="2")
    assert "Booked 2 × Ladder (A-17) (B-0001)" in done.text
    with dates.as_of(NINE):
        person.sign_in("a.sset", follow=False, division=Division.ASSETS)
        desk = person.open("/bookings")
        assert "Needs another vehicle" not in desk.text
        form = person.open(desk.link("Hand over: B-0001 2 × Ladder (A-17)"))
        assert "reason" not in form.fields()
        person.submit(form)
        assert "1 thing due back today" in person.open("/dashboard").text
    with dates.as_of(NINE + timedelta(hours=5)):
        person.sign_in("a.sset", follow=False, division=Division.ASSETS)
        late = person.open("/dashboard")
        assert "1 late booking" in late.text
        back = person.open("/bookings/B-0001/back")
        done = person.submit(back, condition="damaged")
    assert "Condition Damaged" in done.text
    assert "B-0001 Nobody" not in person.open(f"/assets/{number}").text
