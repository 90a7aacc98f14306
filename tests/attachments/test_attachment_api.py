"""Attachments of defects, repairs and what was done in the JSON API."""

from datetime import timedelta

import pytest

from app import dates
from app.divisions import Division
from tests.attachments.files import pdf, sha256
from tests.person import Caller
from tests.photos.photo_files import address, jpeg, send

DEFECTS = "/api/fleet/defects"
DEFECT = {"reg": "LK19 VTE", "part": "Mirrors", "title": "Mirror cracked"}


@pytest.fixture
def call(signed_in, vehicle):
    """Return the API client of a worker, with a vehicle in the list."""
    vehicle("LK19 VTE")
    return Caller(signed_in("driver", Division.FLEET))


@pytest.fixture
def sent(call):
    """Return a photo and a document that were uploaded, as a body names them."""
    send(call, jpeg())
    call("PUT", f"/api/documents/{sha256(pdf())}", pdf(), Content_Type="application/pdf")
    return [
        {"name": "mirror.png", "id": address(jpeg()).rpartition("/")[2]},
        {"name": "invoice.pdf", "id": sha256(pdf())},
    ]


def test_a_defect_is_reported_with_files_that_were_uploaded(call, sent):
    reply = call("POST", DEFECTS, DEFECT | {"attachments": sent})
    assert reply.status_code == 201
    photo, document = reply.json["attachments"]
    assert (photo["name"], photo["mediaType"]) == ("mirror.jpg", "image/jpeg")
    assert document == {
        "id": 2,
        "name": "invoice.pdf",
        "mediaType": "application/pdf",
        "size": len(pdf()),
        "sha256": sha256(pdf()),
        "url": "/api/attachments/2",
    }
    assert sha256(call("GET", photo["url"]).data) == photo["sha256"]
    assert call("GET", document["url"]).data == pdf()
    assert call("GET", f"{photo['url']}/thumbnail").mimetype == "image/jpeg"
    assert call("GET", f"{document['url']}/thumbnail").status_code == 404
    assert call("GET", f"{DEFECTS}/D-0001").json["attachments"] == [photo, document]
    assert call("GET", DEFECTS).json[0]["attachments"] == [photo, document]


def test_a_note_adds_files_to_a_defect(call, sent):
    assert call("POST", DEFECTS, DEFECT).json["attachments"] == []
    noted = call("POST", f"{DEFECTS}/D-0001/notes", {"text": "The quote.", "attachments": sent[1:]})
    assert [each["name"] for each in noted.json["attachments"]] == ["invoice.pdf"]


def test_a_repair_is_recorded_with_its_papers(call, sent):
    body = {"reg": "LK19 VTE", "note": "Oil", "startedOn": None, "labour": 20}
    body |= {"finishedOn": dates.today().isoformat(), "attachments": sent[1:]}
    recorded = call("POST", "/api/fleet/repairs", body)
    assert recorded.status_code == 201, recorded.json
    assert [each["name"] for each in recorded.json["attachments"]] == ["invoice.pdf"]
    assert call("GET", "/api/fleet/repairs").json[0]["attachments"] == recorded.json["attachments"]


def test_an_invoice_that_comes_later_is_attached_and_removed_again(call, sent):
    body = {"reg": "LK19 VTE", "note": "Oil", "finishedOn": dates.today().isoformat()}
    call("POST", "/api/fleet/repairs", body)
    repair = "/api/fleet/repairs/R-0001"
    added = call("POST", f"{repair}/attachments", {"attachments": sent})
    assert added.status_code == 201, added.json
    photo, document = added.json["attachments"]
    assert call("GET", repair).json["attachments"] == [photo, document]
    seen = call("GET", "/api/fleet/repairs").headers["ETag"]
    assert call("DELETE", document["url"]).status_code == 204
    assert call("GET", repair).json["attachments"] == [photo]
    assert call("GET", "/api/fleet/repairs", If_None_Match=seen).status_code == 200
    assert call("GET", document["url"]).status_code == 404
    assert call("DELETE", "/api/attachments/99").status_code == 404


def test_files_are_attached_to_a_defect_up_to_12(call, sent):
    call("POST", DEFECTS, DEFECT)
    url, body = f"{DEFECTS}/D-0001/attachments", {"attachments": sent}
    assert len(call("POST", url, body).json["attachments"]) == 2
    again = call("POST", url, {"attachments": sent[1:]})
    assert (again.status_code, again.json["error"]) == (409, "invoice.pdf is attached already.")
    for files in ([], [sent[1]] * 13):
        refused = call("POST", url, {"attachments": files})
        assert (refused.status_code, list(refused.json["fields"])) == (422, ["attachments"])
    assert call("POST", f"{DEFECTS}/D-0009/attachments", body).status_code == 404


def test_what_is_done_keeps_its_certificate(call, sent):
    due = {"regs": ["LK19 VTE"], "kind": "mot", "dueOn": dates.today().isoformat()}
    item = call("POST", "/api/fleet/due", due).json
    following = (dates.today() + timedelta(days=365)).isoformat()
    body = {"doneOn": dates.today().isoformat(), "nextDueOn": following}
    url = f"/api/fleet/due/{item['id']}"
    tag = call("GET", url).headers["ETag"]
    done = call("POST", f"{url}/done", body | {"attachments": sent}, If_Match=tag)
    assert done.status_code == 201, done.json
    [entry] = call("GET", url).json["done"]
    assert [each["name"] for each in entry["attachments"]] == ["mirror.jpg", "invoice.pdf"]
    assert call("DELETE", entry["attachments"][0]["url"]).status_code == 204
    [entry] = call("GET", url).json["done"]
    assert [each["name"] for each in entry["attachments"]] == ["invoice.pdf"]


def test_what_was_not_uploaded_refuses_the_whole_record(call):
    for attachments, field in (
        ([{"name": "x.pdf", "id": "0" * 64}], "attachments"),
        ([{"name": "x.pdf", "id": "short"}], "attachments.0.id"),
        ([{"name": "x.pdf"}], "attachments.0.id"),
        ([{"name": "x.pdf", "id": "0" * 64}] * 13, "attachments"),
    ):
        refused = call("POST", DEFECTS, DEFECT | {"attachments": attachments})
        assert (refused.status_code, list(refused.json["fields"])) == (422, [field]), attachments
    assert call("GET", DEFECTS).json == []
