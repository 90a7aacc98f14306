"""Limits of decoding: pictures at a time, and pixels per request."""

import base64
import threading

import pytest
from PIL import Image

from app.errors import Unavailable
from app.photos.services.photos import DecodeSlots, decode_slots, prepare_picture
from tests.photos.photo_files import encoded, jpeg, send

BUSY = "Too many photos are being read just now. Try again in a moment."


def flat(size):
    return encoded(Image.new("1", size), "PNG")


def uri(data):
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def check_of(files):
    photos = [{"name": "a", "dataUri": uri(data)} for data in files]
    return {"reg": "LK19 VTE", "odometer": 1, "photos": photos}


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(decode_slots, "wait_seconds", 0.05)


def test_a_photo_without_a_free_slot_is_refused_for_now(call, impatient):
    with decode_slots.acquire(large=False), decode_slots.acquire(large=True):
        reply = send(call, jpeg())
    assert (reply.status_code, reply.json) == (503, {"error": BUSY, "code": "unavailable"})
    assert int(reply.headers["Retry-After"]) > 0
    assert send(call, jpeg()).status_code == 201


def test_a_photo_of_a_check_without_a_free_slot_is_refused_for_now(call, impatient):
    with decode_slots.acquire(large=False), decode_slots.acquire(large=False):
        reply = call("POST", "/api/fleet/checks", check_of([flat((9, 9))]))
    assert reply.status_code == 503
    assert reply.json["error"] == f"Photo 1: {BUSY}"
    assert int(reply.headers["Retry-After"]) > 0


def test_waiting_large_pictures_leave_slots_to_small_ones():
    waiting, done = [], []
    with decode_slots.acquire(large=True):
        for _ in range(3):
            thread = threading.Thread(
                target=lambda: done.append(prepare_picture(flat((4000, 3001))))
            )
            thread.start()
            waiting.append(thread)
        assert prepare_picture(jpeg()).width == 320
        assert done == []
    for thread in waiting:
        thread.join()
    assert len(done) == 3


def test_a_slot_is_free_again_after_an_error():
    few = DecodeSlots(1, 0.05)
    for large in (True, False):
        with pytest.raises(ValueError, match="broken"), few.acquire(large=large):
            raise ValueError("broken")
        with few.acquire(large=large), pytest.raises(Unavailable), few.acquire(large=False):
            pass


def test_a_photo_refused_for_its_size_takes_no_slot(call, impatient):
    with decode_slots.acquire(large=False), decode_slots.acquire(large=False):
        assert send(call, flat((8000, 5001)), "image/png").status_code == 422


@pytest.mark.slow
def test_the_photos_of_one_check_have_at_most_120_megapixels_together(call, app):
    within = check_of([flat((8000, 5000))] * 3)
    assert call("POST", "/api/fleet/checks", within).status_code == 201
    # What was sent before isn't drawn again.
    others = [flat((8000 - less, 5000)) for less in (1, 2, 3)]
    reply = call("POST", "/api/fleet/checks", check_of([*others, flat((900, 900))]))
    message = (
        "Photo 4: The photos of one request may have at most 120 megapixels together. "
        "Make them smaller, or send each on its own."
    )
    assert reply.status_code == 422
    fields = {"photos.3.dataUri": message}
    assert reply.json == {"error": message, "fields": fields, "code": "invalid"}
