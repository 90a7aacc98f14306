"""The calls for documents: upload, and reading by their sender."""

from dataclasses import replace

import pytest

from app.divisions import Division
from tests.attachments.files import NOT_PDF, pdf, sha256
from tests.person import Caller
from tests.photos.photo_files import jpeg


@pytest.fixture
def call(signed_in):
    return Caller(signed_in("driver", Division.FLEET))


def send(call, data, kind="application/pdf", path=""):
    return call("PUT", path or f"/api/documents/{sha256(data)}", data, Content_Type=kind)


def test_a_document_is_sent_by_its_content_and_read_by_its_sender(call):
    first, again = send(call, pdf()), send(call, pdf())
    assert (first.status_code, again.status_code) == (201, 200)
    body = {"id": sha256(pdf()), "size": len(pdf()), "mediaType": "application/pdf"}
    assert first.json == again.json == body
    read = call("GET", f"/api/documents/{sha256(pdf())}")
    assert (read.data, read.mimetype) == (pdf(), "application/pdf")
    assert read.headers["Content-Disposition"].startswith("attachment;")
    assert read.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"


def test_head_shows_whether_a_document_was_sent(call):
    address = f"/api/documents/{sha256(pdf())}"
    assert call("HEAD", address).status_code == 404
    send(call, pdf())
    head = call("HEAD", address)
    assert (head.status_code, head.content_length) == (200, len(pdf()))


def test_what_somebody_else_sent_is_404(call, signed_in):
    send(call, pdf())
    other = Caller(signed_in("colleague", Division.GPM))
    assert other("GET", f"/api/documents/{sha256(pdf())}").status_code == 404
    assert send(other, pdf()).status_code == 201


@pytest.mark.parametrize(
    ("data", "status", "error"),
    [
        (NOT_PDF, 415, "Use a PDF document."),
        (jpeg(), 415, "Use a PDF document."),
        (b"", 415, "Use a PDF document."),
        (b"\0" * 1020 + pdf(), 415, "Use a PDF document."),
        (pdf(before=b"PK\x03\x04<?xml?>"), 415, "Use a PDF document."),
        (pdf()[:-20], 422, "The PDF is incomplete. Send it again."),
        (pdf(after=b"\0" * 4096), 422, "The PDF is incomplete. Send it again."),
        (b"%PDF-1.4", 422, "The PDF is incomplete. Send it again."),
    ],
)
def test_what_is_no_whole_pdf_is_refused(call, data, status, error):
    refused = send(call, data)
    assert (refused.status_code, refused.json["error"]) == (status, error)


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\r\n" * 500, b"mac binary"])
def test_a_pdf_may_have_something_before_its_start(call, before):
    assert send(call, pdf(before=before)).status_code == 201


def test_a_document_of_more_than_8_mb_is_refused_before_it_is_read(call):
    data = pdf() + b"\n" * 8 * 1024 * 1024
    refused = send(call, data)
    assert (refused.status_code, refused.json["error"]) == (
        413,
        "A document may have at most 8 MB.",
    )


def test_a_body_of_another_type_or_another_hash_is_refused(call):
    assert send(call, pdf(), kind="text/html").status_code == 415
    damaged = send(call, pdf(), path=f"/api/documents/{'0' * 64}")
    assert (damaged.status_code, damaged.json["error"]) == (
        422,
        "The document arrived damaged. Send it again.",
    )
    assert send(call, pdf(), path="/api/documents/invoice.pdf").status_code == 422


@pytest.mark.own_app
def test_documents_count_among_the_photos_of_a_minute(app, call):
    app.config["QUARTERMASTER"] = replace(app.config["QUARTERMASTER"], photos_per_minute=1)
    assert send(call, pdf("a")).status_code == 201
    assert send(call, pdf("b")).status_code == 429
