"""The desk, the timeline, and where else bookings are listed."""

from datetime import timedelta

import pytest

from app import dates
from app.bookings.models import Booking
from app.bookings.rules import BookingKind
from app.bookings.services import bookings as services
from app.db import db, transaction
from app.defects.services.off_road import report_off_road
from app.divisions import Division
from app.fleet.rules.vehicles import plate_key
from app.versions import forget_values
from tests import factories
from tests.bench.recording import recording
from tests.bookings.steps import LK, LM, LN, MANAGER, NEW, NINE, NOW, OFF, VANS, WORKER, hours
from tests.silent_changes import written_directly

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def section(page, name):
    """Return the lines of a part of the desk, up to the next part."""
    head = next(h for h in page.html.select(".section") if h.get_text().strip().startswith(name))
    found = head.find_next_sibling()
    return [" ".join(li.get_text(" ").split()) for li in found.select("li")] or [found.get_text()]


def test_the_desk_says_what_goes_out_comes_back_and_is_late(yard, lee):
    out = yard.book(hours(9, 12))
    yard.checked(out, "out")
    yard.book(hours(14, 16), by=MANAGER)
    yard.book(hours(15, 16), LM, by=MANAGER, purpose="Site visit")
    back = yard.book(hours(9, 17), LN)
    yard.checked(back, "out")
    with dates.as_of(NINE.replace(hour=14, minute=10)):
        lee.sign_in("k.lee", follow=False)
        page = lee.open("/bookings")
    assert section(page, "Late") == [
        "LK19 VTE k.lee B-0001 from today 9:00 to 12:00 Late by 2 h 10 min. "
        "j.marsh waits for it from 14:00. Return"
    ]
    assert section(page, "Due back") == [
        "LN21 XYZ k.lee B-0004 from today 9:00 to 17:00 Out Return"
    ]
    assert section(page, "Out today") == [
        "LM20 ABC j.marsh B-0003 from today 15:00 to 16:00, Site visit Hand over"
    ]
    (unfit,) = section(page, "Needs another vehicle")
    assert unfit.startswith("B-0002 j.marsh from today 14:00 to 16:00 LK19 VTE is late: k.lee")
    link = page.link("Return: B-0001 LK19 VTE")
    assert link == "/fleetChecks?booking=B-0001&step=back&vehicle=LK19+VTE"


def test_a_vehicle_off_the_road_asks_its_person_to_take_another(yard, lee, marsh):
    yard.book(hours(9, 12))
    yard.book(hours(9, 12), LN, by=MANAGER)
    yard.do(report_off_road, "LK19 VTE", **OFF)
    page = lee.open("/bookings")
    assert section(page, "Needs another vehicle") == [
        "B-0001 k.lee from Tue 9:00 to 12:00 LK19 VTE is off the road. Take LM20 ABC"
    ]
    change = lee.open(page.link("B-0001: take LM20 ABC"))
    assert change.fields()["vehicle"] == "LM20 ABC"
    done = lee.submit(change)
    assert "B-0001 is LM20 ABC from Tue 9:00 to 12:00 now." in done.text
    assert "Changed from LK19 VTE to LM20 ABC" in done.text
    assert "It needs another vehicle" not in done.text


def test_a_step_that_was_not_taken_is_for_a_manager_to_look_at(yard, lee, marsh):
    row = yard.book(hours(9, 12))
    yard.do(services.cancel_booking, row.number, reason="Rain", by=WORKER)
    yard.checked(row, "out")
    assert "Look at it" not in lee.open("/bookings").text
    page = marsh.open("/bookings")
    (line,) = section(page, "Look at it")
    assert "The check counts, the handover doesn't." in line
    done = marsh.submit(marsh.open(page.link("Looked at B-0001")))
    assert "B-0001 is looked at." in done.text
    assert "Look at it" not in marsh.open("/bookings").text


def test_people_see_the_bookings_of_their_own_divisions(yard, lee, sign_in, in_app):
    in_app(factories.user, "a.sset", Division.ASSETS)
    yard.book(hours(9, 12))
    stranger = sign_in("a.sset", Division.ASSETS)
    assert stranger.open("/bookings/B-0001").status == 403
    assert stranger.open("/bookings/timeline").status == 403
    assert "LK19 VTE" not in stranger.open("/bookings").text
    assert lee.open("/bookings/B-0099").status == 404


def test_gpm_sees_who_has_the_key(yard, lee, sign_in, in_app):
    in_app(factories.user, "g.pm", Division.GPM)
    in_app(factories.key, "V1", name="Van lk19 vte", holder="Kitchen")
    yard.book(hours(9, 12))
    person = sign_in("g.pm", Division.GPM)
    page = person.open("/bookings/B-0001")
    assert page.all(".key-line")[0].startswith("Key V1: With Kitchen")
    assert page.link("Hand over key V1") == "/keys/1/hand-over"
    assert not lee.open("/bookings/B-0001").all(".key-line")


def test_a_vehicles_page_has_its_next_three_bookings(yard, lee, marsh):
    for hour in (13, 14, 15, 16):
        yard.book(hours(hour, hour + 1))
    page = marsh.open("/vehicles/1")
    assert "B-0003" in page.text
    assert "B-0004" not in page.text
    assert marsh.open(page.link("Book")).html.select_one(f"[value={LK}]").has_attr("checked")
    marsh.submit(marsh.open(page.link("For booking?")), is_bookable="")
    form = marsh.open("/bookings/bookable/vehicle/lk19vte")
    data = {name: text for name, text in form.fields().items() if name != "is_bookable"}
    assert "LK19 VTE can't be booked any more." in marsh.post(form.path, data).text
    assert "Book" not in marsh.open("/vehicles/1").all(".section a")
    assert lee.open("/bookings/bookable/vehicle/lk19vte").status == 403
    assert marsh.open("/bookings/bookable/vehicle/nope").status == 422


def test_the_timeline_has_a_bar_for_each_booking_and_hatches_what_is_off_the_road(yard, lee):
    yard.book(hours(9, 21))
    yard.do(report_off_road, "LM20 ABC", **OFF)
    page = lee.open("/bookings/timeline")
    bars = page.html.select(".lanes > svg a")
    assert [bar.get_text() for bar in bars] == ["B-0001 k.lee from Tue 9:00 to 21:00B-0001 k.lee"]
    place = bars[0].parent
    assert (place["x"], place["width"]) == ("19.64%", "80.36%")
    assert [rect["width"] for rect in page.html.select(".off")] == ["100.0%"]
    assert page.all(".by-day h2")[:2] == ["Today", "Tue 12 Jan"]
    assert page.all(".by-day li") == ["LK19 VTE k.lee B-0001 from Tue 9:00 to 21:00"]
    assert len(lee.open("/bookings/timeline?days=14").all(".lane-days span")) == 14


def test_forty_vehicles_of_two_weeks_weigh_20_kb_at_most(in_app, lee):
    regs = [f"BD{number} KLM" for number in range(37)]
    in_app(fill_two_weeks, [*VANS, *regs])
    reply = lee.client.get("/bookings/timeline?days=14", headers={"Accept-Encoding": "br"})
    assert reply.headers["Content-Encoding"] == "br"
    assert len(reply.data) <= 20 * 1024
    page = lee.open("/bookings/timeline?days=14")
    assert len(page.html.select(".lanes > b")) == 40
    assert len(page.html.select(".lanes a")) == 40 * 14


def fill_two_weeks(regs):
    """Book each vehicle on each day."""
    for reg in regs[3:]:
        factories.vehicle(reg)
    with written_directly(), transaction():
        for row, reg in enumerate(regs):
            for day in range(14):
                period = hours(9 + row % 3, 12 + day % 5, day=day - 1)
                db.session.add(
                    Booking(
                        number=1 + day + 14 * row,
                        kind=BookingKind.VEHICLE,
                        subject_key=plate_key(reg),
                        subject=reg,
                        is_single=True,
                        starts_at=period.start,
                        ends_at=period.end,
                        for_name=f"person.{row * day % 17}",
                        created_at=NOW,
                    )
                )


def test_the_dashboard_of_fleet_says_what_is_late_due_back_and_needs_another_vehicle(yard, lee):
    row = yard.book(hours(9, 12))
    yard.checked(row, "out")
    yard.checked(yard.book(hours(9, 17), LN), "out")
    yard.book(hours(13, 15), by=MANAGER)
    with dates.as_of(NINE.replace(hour=10)):
        lee.sign_in("k.lee", follow=False)
        assert "late" not in " ".join(lee.open("/dashboard").all(".needs li"))
    with dates.as_of(NINE.replace(hour=12, minute=30)):
        needs = lee.open("/dashboard").all(".needs li")
    assert needs[:3] == [
        "1 late booking LK19 VTE Show",
        "1 booking that needs another vehicle B-0003 Show",
        "1 vehicle due back today LN21 XYZ Show",
    ]


def test_pages_take_few_statements_however_many_bookings_there_are(app, yard, lee):
    limits = {"/bookings": 14, NEW: 12, "/bookings/timeline?days=14": 10, "/bookings/B-0001": 16}
    counts = []
    for reg, bookings in ((VANS[0], 2), (VANS[1], 9)):
        for day in range(bookings):
            yard.book(hours(9, 12, day=day), reg.replace(" ", "").lower())
        yard.do(report_off_road, reg, **OFF)
        counts.append({path: len(statements(app, lee, "open", path)) for path in limits})
    assert counts[0] == counts[1]
    assert {path: n for path, n in counts[1].items() if n > limits[path]} == {}
    sent = lee.open(NEW).fields() | {"vehicle": LN}
    # The first is that of the person's session.
    _, *of_booking = statements(app, lee, "post", NEW, sent, follow=False)
    assert len(of_booking) <= 14


def statements(app, person, call, *arguments, **options):
    """Return the statements of a request, its session's included, by a worker with no memory."""
    forget_values()
    app.extensions["rendered"].clear()
    with app.app_context():
        engine = db.engine
    with recording(engine) as recorded:
        assert getattr(person, call)(*arguments, **options).status in (200, 303)
    return recorded.statements()


def test_a_booking_is_handed_over_from_an_hour_before_its_start(yard, lee, sign_in):
    row = yard.book(hours(9, 12))
    page = lee.open(f"/bookings/{row.reference}")
    assert "It can be handed over from Tue 8:00." in page.text
    assert not page.html.select("a:-soup-contains('Hand over')")
    with dates.as_of(row.starts_at - timedelta(hours=1)):
        page = sign_in("k.lee").open(f"/bookings/{row.reference}")
        assert page.html.select("a.primary:-soup-contains('Hand over')")


def test_each_day_of_the_timeline_lists_what_is_out_and_off_the_road_on_it(yard, lee):
    yard.book(hours(9, 57))
    yard.do(report_off_road, "LM20 ABC", **OFF)
    page = lee.open("/bookings/timeline")
    assert page.all(".by-day li") == ["LK19 VTE k.lee B-0001 from Tue 9:00 to Thu 9:00"] * 3
    assert "Off the road: LM20 ABC" in page.all(".by-day .note")


def test_a_booking_over_midnight_stays_on_the_desk_until_its_end(yard, sign_in):
    row = yard.book(hours(23.5, 26, day=-1))
    with dates.as_of(row.starts_at + timedelta(minutes=40)):
        assert row.reference in sign_in("k.lee").open("/bookings").text


def test_the_next_booker_reads_that_the_vehicle_is_late_now(yard, sign_in):
    row, following = yard.book(hours(9, 12)), yard.book(hours(9, 12, day=1))
    yard.checked(row, "out", at=row.starts_at)
    with dates.as_of(row.ends_at + timedelta(hours=1)):
        lee = sign_in("k.lee")
        page = lee.open(f"/bookings/{following.reference}")
        assert "Late now: k.lee still has it (B-0001)." in page.text
        assert "Late now" in lee.open("/bookings").text


def test_all_bookings_are_listed_and_filtered_by_state_and_exported(yard, lee):
    yard.book(hours(9, 12))
    row = yard.book(hours(9, 12), LM)
    yard.checked(row, "out", at=row.starts_at)
    page = lee.open(lee.open("/bookings").link("All bookings"))
    assert [each.split()[0] for each in page.all("tbody tr")] == ["B-0002", "B-0001"]
    assert page.all("select[name=state] option")[0] == "All states"
    page = lee.open("/bookings/all?state=out&from=2027-01-12")
    assert page.all("tbody tr") == ["B-0002 12 Jan 2027 09:00 12 Jan 2027 12:00 LM20 ABC k.lee Out"]
    lines = lee.client.get("/bookings/all.csv?state=out").text.splitlines()
    assert lines[0].startswith("number,subject,class,units,from,to,state,for")
    assert lines[1].startswith("B-0002,LM20 ABC,Van,1,2027-01-12 09:00,2027-01-12 12:00,Out,k.lee")
