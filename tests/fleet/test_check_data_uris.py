"""Photos inside the JSON of a check, as data URIs."""

import base64
from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from app.db import db
from app.fleet.models import Check, CheckPhoto
from app.photos.models import PhotoUpload
from tests.photos.photo_files import encoded, jpeg, marked

RED, BLUE = encoded(marked(), "PNG"), jpeg((40, 30))


def data_uri(name, data, kind="image/png"):
    return {"name": name, "dataUri": f"data:{kind};base64,{base64.b64encode(data).decode()}"}


def submit(call, *photos, **values):
    body = {"reg": "LK19 VTE", "odometer": 1, "photos": list(photos)}
    return call("POST", "/api/fleet/checks", body | values)


@pytest.mark.differs_by_engine
def test_photos_inside_a_check_keep_their_order(app, call):
    sent = data_uri("red.png", RED), data_uri("blue.jpg", BLUE, "image/jpeg")
    reply = submit(call, *sent)
    assert reply.status_code == 201
    assert [photo["name"] for photo in reply.json["photos"]] == ["red.png", "blue.jpg"]
    with app.app_context():
        sent = {row.sent_hash: row.photo_hash for row in db.session.query(PhotoUpload)}
        kept = [sent[sha256(data).hexdigest()] for data in (RED, BLUE)]
        named = db.session.query(CheckPhoto).order_by(CheckPhoto.position)
        assert [row.photo_hash for row in named] == kept


def test_uploaded_photos_and_photos_inside_a_check_can_be_mixed(call):
    submit(call, data_uri("a", RED))
    sent = {"name": "b", "id": sha256(RED).hexdigest()}
    again = submit(call, sent, data_uri("c", BLUE, "image/jpeg"))
    assert [photo["name"] for photo in again.json["photos"]] == ["b", "c"]


@pytest.mark.differs_by_engine
def test_an_undecodable_photo_is_named_and_nothing_is_stored(app, call):
    wrong = data_uri("b", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    reply = submit(call, data_uri("a", RED), wrong)
    assert reply.status_code in (415, 422)
    assert reply.json["error"].startswith("Photo 2: ")
    assert list(reply.json["fields"]) == ["photos.1.dataUri"]
    with app.app_context():
        assert db.session.query(Check).count() == 0
        assert db.session.query(PhotoUpload).count() == 0


def test_a_check_and_the_senders_uploads_are_judged_before_photos_are_decoded(call):
    broken = data_uri("a", b"no picture")
    for values, message in (
        ({"reg": ""}, "Vehicle number plate is required."),
        ({"notes": "x" * 4001}, "Notes must be at most 4000 characters"),
        ({"costGBP": -1}, "Repair/Expense (£) must be a non-negative number."),
        ({"date": "2999-01-01"}, "Date can't be in the future."),
    ):
        reply = submit(call, broken, **values)
        assert (reply.status_code, reply.json["error"]) == (422, message)
    reply = submit(call, broken, {"name": "b", "id": "a" * 64})
    assert reply.json["error"] == "Photo 2 was not sent by you. Send it again."


def test_a_photo_that_was_uploaded_before_is_not_decoded_again(app, call, monkeypatch):
    red = data_uri("a", RED)
    first = submit(call, red)
    monkeypatch.setattr(Image.Image, "save", None)
    again = submit(call, red)
    assert (first.status_code, again.status_code) == (201, 201)
    with app.app_context():
        kept = [row.photo_hash for row in db.session.query(CheckPhoto)]
        assert len(kept) == 2
        assert len(set(kept)) == 1


def test_a_photo_whose_files_are_lost_is_decoded_again(app, call):
    red = data_uri("a", RED)
    [photo] = submit(call, red).json["photos"]
    for file in Path(app.config["QUARTERMASTER"].photo_store).rglob("*.jpg"):
        file.unlink()
    assert submit(call, red).status_code == 201
    assert call("GET", photo["url"]).status_code == 200
