"""The calls for photos: upload, and reading by their sender or through a check."""

import hashlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from app.divisions import Division
from tests import factories
from tests.person import Caller, Person
from tests.photos.photo_files import address, check_with, encoded, jpeg, marked, send

# A check is inserted without its event.
pytestmark = pytest.mark.writes_directly

NO_SUCH_PHOTO = {"error": "There is no such photo.", "code": "not_found"}


@pytest.fixture
def signed_in(app):
    """Sign in a new user."""

    def sign_in(username="driver", *divisions):
        with app.app_context():
            factories.user(username, *(divisions or (Division.FLEET,)))
        person = Person(app)
        person.sign_in(username, follow=False)
        return Caller(person)

    return sign_in


@pytest.fixture
def call(signed_in):
    return signed_in()


@pytest.fixture
def checked(app):
    """Insert a check with a photo; return its id."""
    with app.app_context():
        by = factories.user("inspector", Division.GPM)
        sent = [factories.photo(by, colour) for colour in ("red", "green")]
        return check_with(sent, by)


def stored_files(app):
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_photo_is_sent_by_its_content_and_read_by_its_sender(app, call):
    data = jpeg((2400, 1800))
    reply = send(call, data)
    kept = call("GET", address(data))
    assert reply.status_code == 201
    assert reply.json == {
        "id": hashlib.sha256(data).hexdigest(),
        "size": len(kept.data),
        "width": 1600,
        "height": 1200,
    }
    assert kept.mimetype == "image/jpeg"
    assert Image.open(BytesIO(kept.data)).size == (1600, 1200)
    name = hashlib.sha256(kept.data).hexdigest()
    assert stored_files(app) == [f"{name}.jpg", f"{name}.thumbnail.jpg"]


def test_uploading_the_same_photo_again_gives_200(app, call):
    first, again = send(call, jpeg()), send(call, jpeg())
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json == again.json
    assert len(stored_files(app)) == 2


def test_a_lost_photo_file_is_restored_when_it_is_sent_again(app, call):
    send(call, jpeg())
    lost = call("GET", address(jpeg())).data
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    for path in list(folder.rglob("*.jpg")):
        path.unlink()
    missing = call("GET", address(jpeg()))
    assert missing.status_code == 404
    assert missing.json == {"error": "This file is no longer there.", "code": "not_found"}
    assert send(call, jpeg()).status_code == 200
    assert call("GET", address(jpeg())).data == lost


@pytest.mark.parametrize(("kind", "mimetype"), [("PNG", "image/png"), ("WEBP", "image/webp")])
def test_png_and_webp_are_accepted_whatever_their_content_type(call, kind, mimetype):
    assert send(call, encoded(marked(), kind), mimetype).status_code == 201
    assert send(call, encoded(marked((99, 99)), kind), "image/jpeg").status_code == 201


def test_head_shows_whether_a_photo_exists(call):
    assert call("HEAD", address(jpeg())).status_code == 404
    size = send(call, jpeg()).json["size"]
    head = call("HEAD", address(jpeg()))
    assert (head.status_code, head.data) == (200, b"")
    assert head.content_length == size


def test_head_of_a_checks_photo_has_the_headers_of_get(app, call, checked):
    for path in (f"/api/checks/{checked}/photos/0", f"/api/checks/{checked}/photos/0/thumbnail"):
        head, get = call("HEAD", path), call("GET", path)
        assert (head.status_code, head.data) == (200, b"")
        assert head.content_length in (None, len(get.data))
        for header in ("ETag", "Cache-Control", "Content-Type"):
            assert head.headers[header] == get.headers[header]
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    for path in list(folder.rglob("*.jpg")):
        path.unlink()
    assert call("HEAD", f"/api/checks/{checked}/photos/0").status_code == 404


def test_a_photo_that_was_changed_on_the_way_is_refused(app, call):
    reply = send(call, jpeg()[:-1] + b"x", path=address(jpeg()))
    assert reply.status_code == 422
    message = "The photo arrived damaged. Send it again."
    assert reply.json == {"error": message, "code": "invalid"}
    assert stored_files(app) == []


def test_an_address_that_is_no_hash_is_refused(call):
    for name in ("photo.jpg", "A" * 64, "0" * 63, "0" * 65):
        reply = send(call, jpeg(), path=f"/api/photos/{name}")
        assert reply.status_code == 422, name
        assert reply.json["error"].startswith("The address must end with the photo's SHA-256")
        assert call("GET", f"/api/photos/{name}").status_code == 404, name


def test_a_body_whose_content_type_is_no_image_is_refused(call):
    message = "Send the photo itself, as image/jpeg, image/png or image/webp."
    for kind in ("json", "octet-stream"):
        reply = send(call, jpeg(), f"application/{kind}")
        assert reply.status_code == 415, kind
        assert reply.json == {"error": message, "code": "unsupported"}, kind
    for kind in ("text/html", "multipart/form-data"):
        assert send(call, jpeg(), kind).status_code == 415, kind


def test_a_photo_of_more_than_8_mb_is_refused_before_it_is_read(call):
    data = jpeg() + b"\0" * 8 * 1024 * 1024
    reply = send(call, data)
    assert reply.status_code == 413
    assert reply.json == {"error": "A photo may have at most 8 MB.", "code": "too_large"}


def test_sending_needs_our_token(person, app):
    with app.app_context():
        factories.user("driver", Division.FLEET)
    assert person.client.put(address(jpeg()), data=jpeg()).status_code == 401
    person.sign_in("driver", follow=False)
    headers = {"Content-Type": "image/jpeg"}
    assert person.client.put(address(jpeg()), data=jpeg(), headers=headers).status_code == 400
    assert stored_files(app) == []


def test_a_photo_that_somebody_else_uploaded_is_404(app, call, signed_in):
    send(call, jpeg())
    other = signed_in("colleague", Division.GPM)
    for method in ("GET", "HEAD"):
        assert other(method, address(jpeg())).status_code == 404
    assert other("GET", address(jpeg())).json == NO_SUCH_PHOTO


def test_two_people_who_send_the_same_picture_share_its_file(app, call, signed_in):
    other = signed_in("colleague", Division.GPM)
    assert [send(who, jpeg()).status_code for who in (call, other)] == [201, 201]
    assert len(stored_files(app)) == 2
    assert call("GET", address(jpeg())).data == other("GET", address(jpeg())).data


def test_others_read_a_photo_through_its_check(call, checked):
    path = f"/api/checks/{checked}/photos/1"
    photo, thumbnail = call("GET", path), call("GET", f"{path}/thumbnail")
    for reply in (photo, thumbnail):
        assert (reply.status_code, reply.mimetype) == (200, "image/jpeg")
        assert reply.headers["Cache-Control"] == "private, max-age=31536000, immutable"
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        green = Image.open(BytesIO(reply.data)).getpixel((9, 9))
        assert green[1] > 100 > green[0]
    assert photo.headers["ETag"] != thumbnail.headers["ETag"]
    again = call("GET", path, If_None_Match=photo.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")


def test_a_missing_photo_of_a_check_is_404(call, checked):
    for path in (f"{checked}/photos/2", f"{checked}/photos/2/thumbnail", "999/photos/0"):
        reply = call("GET", f"/api/checks/{path}")
        assert (reply.status_code, reply.json) == (404, NO_SUCH_PHOTO), path
    # Ids beyond the largest of the database.
    assert call("GET", f"/api/checks/{10**30}/photos/0").status_code == 404
    assert call("GET", f"/api/checks/{checked}/photos/{10**30}").status_code == 404


def test_a_store_out_of_reach_is_reported_and_taken_up_when_it_is_back(app, call):
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    folder.rmdir()
    folder.write_bytes(b"A file where the folder should be")
    reply = send(call, jpeg())
    assert reply.status_code == 503
    assert reply.headers["Retry-After"] == "5"
    message = "The photo store is out of reach. Try again in a moment."
    assert reply.json == {"error": message, "code": "unavailable"}
    folder.unlink()
    folder.mkdir()
    assert send(call, jpeg()).status_code == 201
