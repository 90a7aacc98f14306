"""The calls for photos and documents: upload, and reading by their sender or through a check."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from app.divisions import Division
from tests import factories
from tests.attachments.files import NOT_PDF, pdf, sha256
from tests.person import Caller
from tests.photos.photo_files import check_with, encoded, jpeg, marked

# A check is inserted without its event.
with_check = pytest.mark.writes_directly

NO_SUCH_PHOTO = {"error": "There is no such photo.", "code": "not_found"}


@pytest.fixture
def checked(app):
    """Insert a check with a photo; return its id."""
    with app.app_context():
        by = factories.user("inspector", Division.GPM)
        sent = [factories.photo(by, colour) for colour in ("red", "green")]
        return check_with(sent, by)


def address(data):
    """Return where a photo or a PDF is sent to."""
    return f"/api/{'documents' if b'%PDF' in data[:1024] else 'photos'}/{sha256(data)}"


def send(call, data, kind="", path=""):
    kind = kind or ("application/pdf" if "/documents/" in address(data) else "image/jpeg")
    return call("PUT", path or address(data), data, Content_Type=kind)


def store_of(app):
    return Path(app.config["QUARTERMASTER"].photo_store)


def stored_files(app):
    return sorted(path.name for path in store_of(app).rglob("*") if path.is_file())


def test_a_photo_is_sent_by_its_content_and_read_by_its_sender(app, call):
    data = jpeg((2400, 1800))
    reply = send(call, data)
    kept = call("GET", address(data))
    assert reply.status_code == 201
    assert reply.json == {
        "id": sha256(data),
        "size": len(kept.data),
        "width": 1600,
        "height": 1200,
    }
    assert kept.mimetype == "image/jpeg"
    assert Image.open(BytesIO(kept.data)).size == (1600, 1200)
    name = sha256(kept.data)
    assert stored_files(app) == [f"{name}.jpg", f"{name}.thumbnail.jpg"]


def test_uploading_the_same_again_gives_200(app, call):
    for data in (jpeg(), pdf()):
        first, again = send(call, data), send(call, data)
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json == again.json
    assert len(stored_files(app)) == 3


def test_a_lost_photo_file_is_restored_when_it_is_sent_again(app, call):
    send(call, jpeg())
    lost = call("GET", address(jpeg())).data
    for path in list(store_of(app).rglob("*.jpg")):
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


def test_head_shows_whether_it_exists(call):
    for data in (jpeg(), pdf()):
        assert call("HEAD", address(data)).status_code == 404
        size = send(call, data).json["size"]
        head = call("HEAD", address(data))
        assert (head.status_code, head.data, head.content_length) == (200, b"", size)


@with_check
def test_head_of_a_checks_photo_has_the_headers_of_get(app, call, checked):
    for path in (f"/api/checks/{checked}/photos/0", f"/api/checks/{checked}/photos/0/thumbnail"):
        head, get = call("HEAD", path), call("GET", path)
        assert (head.status_code, head.data) == (200, b"")
        assert head.content_length in (None, len(get.data))
        for header in ("ETag", "Cache-Control", "Content-Type"):
            assert head.headers[header] == get.headers[header]
    for path in list(store_of(app).rglob("*.jpg")):
        path.unlink()
    assert call("HEAD", f"/api/checks/{checked}/photos/0").status_code == 404


def test_what_was_changed_on_the_way_is_refused(app, call):
    for name, data in (("photo", jpeg()), ("document", pdf())):
        reply = send(call, data[:-1] + b"x", path=address(data))
        message = f"The {name} arrived damaged. Send it again."
        assert (reply.status_code, reply.json) == (422, {"error": message, "code": "invalid"})
    assert stored_files(app) == []


def test_an_address_that_is_no_hash_is_refused(call):
    for kind, data in (("photo", jpeg()), ("document", pdf())):
        for name in ("photo.jpg", "A" * 64, "0" * 63, "0" * 65):
            path = f"/api/{kind}s/{name}"
            reply = send(call, data, path=path)
            assert reply.status_code == 422, path
            assert reply.json["error"].startswith(f"The address must end with the {kind}'s SHA-256")
            assert call("GET", path).status_code == 404, path


def test_a_body_of_another_content_type_is_refused(call):
    messages = {
        jpeg(): "Send the photo itself, as image/jpeg, image/png or image/webp.",
        pdf(): "Send the document itself, as application/pdf.",
    }
    for data, message in messages.items():
        for kind in ("application/json", "application/octet-stream"):
            reply = send(call, data, kind)
            refusal = {"error": message, "code": "unsupported"}
            assert (reply.status_code, reply.json) == (415, refusal), kind
        for kind in ("text/html", "multipart/form-data"):
            assert send(call, data, kind).status_code == 415, kind


def test_more_than_8_mb_are_refused_before_they_are_read(call):
    for name, data in (("photo", jpeg()), ("document", pdf())):
        reply = send(call, data + b"\n" * 8 * 1024 * 1024)
        refusal = {"error": f"A {name} may have at most 8 MB.", "code": "too_large"}
        assert (reply.status_code, reply.json) == (413, refusal)


def test_sending_needs_our_token(person, app, signed_in):
    assert person.client.put(address(jpeg()), data=jpeg()).status_code == 401
    headers = {"Content-Type": "image/jpeg"}
    driver = signed_in("driver", Division.FLEET)
    assert driver.client.put(address(jpeg()), data=jpeg(), headers=headers).status_code == 400
    assert stored_files(app) == []


def test_what_somebody_else_uploaded_is_404_until_it_is_sent_too(app, call, signed_in):
    other = Caller(signed_in("colleague", Division.GPM))
    for name, data in (("photo", jpeg()), ("document", pdf())):
        assert send(call, data).status_code == 201
        for method in ("GET", "HEAD"):
            assert other(method, address(data)).status_code == 404
        refusal = {"error": f"There is no such {name}.", "code": "not_found"}
        assert other("GET", address(data)).json == refusal
        assert send(other, data).status_code == 201
        assert call("GET", address(data)).data == other("GET", address(data)).data
    assert len(stored_files(app)) == 3


@with_check
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


@with_check
def test_a_missing_photo_of_a_check_is_404(call, checked):
    for path in (f"{checked}/photos/2", f"{checked}/photos/2/thumbnail", "999/photos/0"):
        reply = call("GET", f"/api/checks/{path}")
        assert (reply.status_code, reply.json) == (404, NO_SUCH_PHOTO), path
    # Ids beyond the largest of the database.
    assert call("GET", f"/api/checks/{10**30}/photos/0").status_code == 404
    assert call("GET", f"/api/checks/{checked}/photos/{10**30}").status_code == 404


def test_a_store_out_of_reach_is_reported_and_taken_up_when_it_is_back(app, call):
    folder = store_of(app)
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


def test_a_document_is_sent_by_its_content_and_read_by_its_sender(call):
    body = {"id": sha256(pdf()), "size": len(pdf()), "mediaType": "application/pdf"}
    assert send(call, pdf()).json == body
    read = call("GET", address(pdf()))
    assert (read.data, read.mimetype) == (pdf(), "application/pdf")
    assert read.headers["Content-Disposition"].startswith("attachment;")
    assert read.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"


def test_what_is_no_whole_pdf_is_refused(call):
    for data, status, error in (
        (NOT_PDF, 415, "Use a PDF document."),
        (jpeg(), 415, "Use a PDF document."),
        (b"", 415, "Use a PDF document."),
        (b"\0" * 1020 + pdf(), 415, "Use a PDF document."),
        (pdf(before=b"PK\x03\x04<?xml?>"), 415, "Use a PDF document."),
        (pdf()[:-20], 422, "The PDF is incomplete. Send it again."),
        (pdf(after=b"\0" * 4096), 422, "The PDF is incomplete. Send it again."),
        (b"%PDF-1.4", 422, "The PDF is incomplete. Send it again."),
    ):
        refused = send(call, data, "application/pdf", f"/api/documents/{sha256(data)}")
        assert (refused.status_code, refused.json["error"]) == (status, error), data[:20]


def test_a_pdf_may_have_something_before_its_start(call):
    for before in (b"", b"\xef\xbb\xbf", b"\r\n" * 500, b"mac binary"):
        assert send(call, pdf(before=before)).status_code == 201, before[:10]


@pytest.mark.own_app
def test_documents_count_among_the_photos_of_a_minute(app, call):
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], photos_per_minute=1)
    assert send(call, pdf("a")).status_code == 201
    assert send(call, pdf("b")).status_code == 429
