"""The calls for defects."""

import pytest

from app import dates

LIST = "/api/fleet/defects"
BODY = {"reg": "LK19 VTE", "part": "Mirrors", "title": "Mirror cracked"}


@pytest.fixture
def opened(call, vehicle):
    """Return the reply to a report of a defect."""
    vehicle("LK19 VTE")
    return call("POST", LIST, BODY).json


def tag(call, number="D-0001"):
    return call("GET", f"{LIST}/{number}").headers["ETag"]


def test_a_report_opens_a_defect_and_the_next_one_sees_it_again(call, opened):
    assert (opened["number"], opened["isNew"]) == ("D-0001", True)
    again = call("POST", LIST, BODY | {"severity": "stop"}).json
    assert (again["isNew"], again["severity"], again["timesSeen"]) == (False, "stop", 2)
    assert again["message"].startswith("Stop: do not drive LK19 VTE. Mirror cracked (D-0001).")


def test_what_a_later_report_says_is_kept_with_its_sighting(call, manager, opened):
    body = BODY | {"title": "Mirror gone", "detail": "Glass on the road", "severity": "stop"}
    again = call("POST", LIST, body).json
    assert again["message"].startswith(
        "Stop: do not drive LK19 VTE. Mirror cracked, Mirror gone (D-0001)."
    )
    assert again["title"] == "Mirror cracked"
    entry, *_ = manager.open("/fleet/defects/1").all(".timeline li")
    assert "Mirror gone Glass on the road" in entry
    assert "Mirror gone" in call("GET", "/api/fleet/record?vehicle=LK19 VTE").text


def test_a_report_of_a_day_more_than_a_year_ago_is_questioned(call, opened):
    refused = call("POST", LIST, BODY | {"day": "2020-01-01"})
    assert refused.status_code == 422
    assert refused.json["fields"] == {"day": "1 Jan 2020 is more than a year ago. Check the year."}


def test_a_change_needs_the_version_that_it_rests_on(call, opened):
    body = {"severity": "repair", "garage": "Kwik-Fix", "bookedFor": None}
    for header in ({}, {"If_Match": "*"}):
        refused = call("PATCH", f"{LIST}/D-0001", body, **header)
        assert refused.status_code == 428
        assert refused.json["error"] == "Send If-Match with the ETag of what this changes."
    first = tag(call)
    changed = call("PATCH", f"{LIST}/D-0001", body, If_Match=first).json
    assert (changed["severity"], changed["state"]) == ("repair", "booked")
    assert call("PATCH", f"{LIST}/D-0001", body, If_Match=first).status_code == 412


def test_a_worker_books_in_and_a_manager_assesses(driver_call, call, opened):
    refused = driver_call("PATCH", f"{LIST}/D-0001", {"severity": "stop"}, If_Match=tag(call))
    assert (refused.status_code, refused.json["code"]) == (403, "role_required")
    booked = driver_call("PATCH", f"{LIST}/D-0001", {"garage": "Kwik-Fix"}, If_Match=tag(call))
    assert (booked.status_code, booked.json["garage"]) == (200, "Kwik-Fix")


def test_a_defect_closes_with_what_its_closing_requires(call, opened):
    url = f"{LIST}/D-0001/close"
    for body in ({"closing": "duplicate"}, {"closing": "duplicate", "duplicateOf": "D-0099"}):
        refused = call("POST", url, body, If_Match=tag(call))
        assert (refused.status_code, list(refused.json["fields"])) == (422, ["duplicateOf"])
    closed = call("POST", url, {"closing": "no_fault", "reason": "Dirt"}, If_Match=tag(call)).json
    assert (closed["state"], closed["closedBy"]) == ("closed", "k.lee")


def test_notes_stay_though_a_defect_is_closed(call, opened):
    body = {"closing": "no_fault", "reason": "Dirt"}
    call("POST", f"{LIST}/D-0001/close", body, If_Match=tag(call))
    assert call("POST", f"{LIST}/D-0001/notes", {"text": "Washed."}).status_code == 201
    refused = call("POST", f"{LIST}/D-0001/notes", {})
    assert (refused.status_code, list(refused.json["fields"])) == (422, ["text"])


def test_another_text_than_a_number_is_answered_by_how_one_looks(call, opened):
    message = "Must be the number of a defect such as D-0142."
    for number in ("1", "d-0001", "D-1", "R-0001", "mirror"):
        refused = call("GET", f"{LIST}/{number}")
        assert (refused.status_code, refused.json["code"]) == (404, "not_found"), number
        assert refused.json["error"] == f'"{number}" is not the number of a defect such as D-0142.'
        body = {"closing": "duplicate", "duplicateOf": number}
        refused = call("POST", f"{LIST}/D-0001/close", body, If_Match=tag(call))
        assert refused.json["fields"] == {"duplicateOf": message}, number


def test_a_booking_keeps_what_a_change_of_it_leaves_out(call, opened):
    day = dates.today().isoformat()
    for body in ({"garage": "Kwik-Fix", "bookedFor": day}, {"garage": "Hartley's"}):
        booked = call("PATCH", f"{LIST}/D-0001", body, If_Match=tag(call)).json
    assert (booked["garage"], booked["bookedFor"]) == ("Hartley's", day)
    moved = call("PATCH", f"{LIST}/D-0001", {"bookedFor": None}, If_Match=tag(call))
    assert moved.status_code == 422
    body = {"garage": "Hartley's", "bookedFor": None}
    assert call("PATCH", f"{LIST}/D-0001", body, If_Match=tag(call)).json["bookedFor"] is None


def test_a_change_that_changes_nothing_and_a_day_without_a_garage_are_refused(call, opened):
    day = {"bookedFor": dates.today().isoformat()}
    for body, field in (({}, "severity"), ({"note": "Ask again"}, "severity"), (day, "garage")):
        refused = call("PATCH", f"{LIST}/D-0001", body, If_Match=tag(call))
        assert (refused.status_code, list(refused.json["fields"])) == (422, [field]), body


def test_one_defect_has_what_happened_to_it_the_newest_first(call, opened):
    call("POST", LIST, BODY | {"severity": "stop", "detail": "Glass is out"})
    call("POST", f"{LIST}/D-0001/notes", {"text": "The glass is ordered."})
    body = {"severity": "repair", "garage": "Kwik-Fix", "bookedFor": None}
    call("PATCH", f"{LIST}/D-0001", body, If_Match=tag(call))
    found = call("GET", f"{LIST}/D-0001").json["timeline"]
    assert [entry["what"] for entry in found] == [
        *("booked", "assessed", "noted", "seen", "reported"),
    ]
    assert found[0]["garage"] == "Kwik-Fix"
    assert found[2]["text"] == "The glass is ordered."
    assert (found[3]["severity"], found[3]["answer"]) == ("stop", "yes")
    assert "Glass is out" in found[3]["text"]
    assert {tuple(entry["by"]) for entry in found} == {("k.lee",)}


def test_an_undone_repair_is_in_the_timeline_of_its_defect(call, opened):
    repair = {"reg": "LK19 VTE", "defects": ["D-0001"], "finishedOn": dates.today().isoformat()}
    call("POST", "/api/fleet/repairs", repair)
    call("POST", f"{LIST}/D-0001/close", {"closing": "repaired"}, If_Match=tag(call))
    closed = tag(call)
    undone = call("POST", "/api/fleet/repairs/R-0001/reverse").json
    assert undone["warnings"] == [
        "D-0001 stays signed off. Report it again if it isn't mended.",
    ]
    assert tag(call) != closed
    found = call("GET", f"{LIST}/D-0001").json
    assert (found["state"], found["timeline"][0]["repair"]) == ("closed", "R-0002")


def test_a_registration_is_read_by_its_other_name(call, vehicle):
    vehicle("LK19 VTE")
    body = {name: value for name, value in BODY.items() if name != "reg"}
    made = call("POST", LIST, body | {"numberPlate": "LK19 VTE"})
    assert (made.status_code, made.json["reg"]) == (201, "LK19 VTE")
    repair = {"numberPlate": "LK19 VTE", "finishedOn": dates.today().isoformat(), "note": "Oil"}
    assert call("POST", "/api/fleet/repairs", repair).json["reg"] == "LK19 VTE"
