"""Forms with files: what was chosen, and once for good."""

from io import BytesIO

import pytest

from app.attachments import queries
from app.divisions import Division
from tests.attachments.files import NOT_PDF, pdf
from tests.person import Page
from tests.photos.photo_files import jpeg

REPORT = "/fleet/defects/new"
TYPED = {"reg": "LK19 VTE", "part": "Mirrors", "title": "Glass cracked", "day": "2026-01-15"}


@pytest.fixture
def driver(signed_in, vehicle):
    vehicle("LK19 VTE")
    return signed_in("driver", Division.FLEET)


@pytest.fixture
def report(driver):
    """Return a function that reports a defect with files under a key, without a script."""
    token = driver.open(REPORT).fields()["csrf_token"]

    def report(*files, key="one", **typed):
        sent = [(BytesIO(data), name) for name, data in files]
        values = TYPED | {"csrf_token": token, "key": key, "severity": "", "detail": ""} | typed
        reply = driver.client.post(
            REPORT, data=values | {"files": sent}, content_type="multipart/form-data"
        )
        return Page(reply)

    return report


def attached(app):
    with app.app_context():
        rows = queries.attachments_of("defect", [1]).get(1, [])
        return [(row.name, row.is_photo) for row in rows]


def test_several_files_are_sent_with_a_form(app, report):
    done = report(("front.png", jpeg()), ("MOT.pdf", pdf()))
    assert done.status == 303
    assert attached(app) == [("front.jpg", True), ("MOT.pdf", False)]


def test_a_form_without_files_is_complete(app, report, driver):
    assert report().status == 303
    assert report(("", b""), key="two", part="Tyres").status == 303
    assert attached(app) == []


def test_a_refused_file_keeps_what_was_typed_and_names_its_input(app, report):
    page = report(("front.jpg", jpeg()), ("invoice.pdf", NOT_PDF))
    assert page.status == 415
    message = "invoice.pdf isn't a photo (JPEG, PNG or WebP) or a PDF."
    assert page.errors == [message, message]
    assert page.html.select_one(".notice.bad a")["href"] == "#files"
    assert page.html.select_one("#files")["aria-invalid"] == "true"
    assert page.fields()["title"] == "Glass cracked"
    assert "Choose the files again: a browser doesn't keep them." in page.text
    assert attached(app) == []


def test_the_same_submission_twice_attaches_once(app, report):
    first, second = report(("MOT.pdf", pdf())), report(("MOT.pdf", pdf()))
    assert (first.status, second.status) == (303, 303)
    assert first.headers["Location"] == second.headers["Location"]
    assert attached(app) == [("MOT.pdf", False)]


def test_the_same_key_with_another_file_is_refused(app, report):
    report(("MOT.pdf", pdf()))
    refused = report(("MOT.pdf", pdf("another")))
    assert refused.status == 422
    assert any("saved with other values" in error for error in refused.errors)
    assert attached(app) == [("MOT.pdf", False)]


def test_more_than_12_files_are_refused_whole(app, report):
    files = [(f"{number}.pdf", pdf(str(number))) for number in range(13)]
    page = report(*files)
    assert page.status == 422
    assert "A record has at most 12 photos and documents." in page.errors
    assert attached(app) == []


def test_more_than_24_mb_together_are_refused_with_what_to_do(driver):
    kind = "multipart/form-data; boundary=files"
    page = driver.post(REPORT, bytes(25 * 1024 * 1024), content_type=kind)
    assert page.status == 413
    assert page.alerts == [
        "The files are too large together: at most 24 MB. Go back and choose fewer or smaller ones."
    ]


def test_a_browser_offers_photos_and_pdf_files(driver):
    given = driver.open(REPORT).html.select_one("input[type=file]")
    assert given["accept"] == "image/jpeg,image/png,image/webp,application/pdf"
    assert given.has_attr("multiple")
