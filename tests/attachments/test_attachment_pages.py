"""Opening and removing attachments, as people and as browsers see it."""

import pytest
from flask import render_template_string

from app.attachments import queries
from app.attachments.rules import SUBJECTS, Subject
from app.divisions import Division, Role
from app.photos.services.photo_store import photo_store
from app.sent_files import SentFile
from app.web import access
from tests import factories
from tests.attachments.files import invoice, pdf, photo, sha256

LIST = """
{{ attachment_list(rows, "D-0142") }}
"""


@pytest.fixture
def attach(app, in_app):
    """Return a function that attaches files to a defect; it returns their addresses by name."""
    by = in_app(factories.user, "inspector", Division.GPM)

    def attach(*files):
        with app.app_context():
            ids = factories.attach(files, by=by)
            rows = [queries.get_attachment(number) for number in ids]
        return {row.name: f"/attachments/{row.id}/{row.name}" for row in rows}

    return attach


@pytest.fixture
def driver(signed_in):
    return signed_in("driver", Division.FLEET)


def test_a_document_is_only_ever_saved(attach, driver):
    reply = driver.client.get(attach(invoice("Invoice 12.pdf"))["Invoice 12.pdf"])
    assert reply.data == pdf()
    assert reply.mimetype == "application/pdf"
    assert reply.headers["Content-Disposition"] == (
        "attachment; filename=\"Invoice 12.pdf\"; filename*=UTF-8''Invoice%2012.pdf"
    )
    assert reply.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.headers["Cache-Control"].startswith("private,")


def test_a_photo_is_seen_in_the_browser(attach, driver):
    reply = driver.client.get(attach(photo("front.jpg"))["front.jpg"])
    assert (reply.status_code, reply.mimetype) == (200, "image/jpeg")
    assert "Content-Disposition" not in reply.headers
    assert reply.data.startswith(b"\xff\xd8\xff")


def test_head_and_the_second_time_read_no_file(attach, driver):
    address = attach(invoice())["invoice.pdf"]
    whole = driver.client.get(address)
    head = driver.client.head(address)
    assert (head.content_length, head.data) == (len(pdf()), b"")
    assert head.headers["Content-Disposition"] == whole.headers["Content-Disposition"]
    again = driver.client.get(address, headers={"If-None-Match": whole.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


KEPT_NAMES = {
    'quote".pdf': "quote.pdf",
    "line\r\nSet-Cookie: a=b.pdf": "lineSet-Cookie a=b.pdf",
    "../../etc/passwd.pdf": "passwd.pdf",
    "C:\\papers\\MOT.pdf": "MOT.pdf",
    "invoice\u202efdp.exe": "invoicefdp.exe.pdf",
    "..": "file.pdf",
    "Räder & Öl.PDF": "Räder & Öl.PDF",
    "a" * 300 + ".pdf": "a" * 196 + ".pdf",
}


def test_a_name_is_cleaned_and_can_do_no_harm(attach, driver):
    for sent, kept in KEPT_NAMES.items():
        [(name, address)] = attach(SentFile.with_data(sent, pdf(kept[:9]))).items()
        assert name == kept
        reply = driver.client.get(address)
        assert reply.status_code == 200, kept
        assert "Set-Cookie" not in reply.headers, kept
        header = reply.headers["Content-Disposition"]
        assert (header.isascii(), header.isprintable(), header.count('"')) == (True, True, 2), kept


def test_another_name_is_404(attach, driver):
    address = attach(invoice())["invoice.pdf"]
    assert driver.client.get(f"{address}x").status_code == 404


def test_a_file_that_is_lost_is_404(app, attach, driver):
    address = attach(invoice())["invoice.pdf"]
    with app.app_context():
        photo_store().delete(f"documents/{sha256(pdf())}.pdf")
    reply = driver.open(address)
    assert (reply.status, "This file is no longer there." in reply.text) == (404, True)


def test_fleet_and_gpm_read_and_others_are_refused(attach, signed_in):
    address = attach(invoice())["invoice.pdf"]
    for division, status in zip(Division, (403, 200, 200, 403), strict=True):
        person = signed_in(division.value, division)
        assert person.client.get(address).status_code == status
        reply = person.client.get(address.replace("/attachments", "/api/attachments")[:-12])
        assert reply.status_code == status


def test_who_may_not_see_the_record_may_not_see_its_attachments(attach, driver, monkeypatch):
    address = attach(invoice())["invoice.pdf"]
    other = Subject((Division.ASSETS,), "upkeep")
    monkeypatch.setitem(SUBJECTS, "defect", other)
    assert driver.client.get(address).status_code == 403
    assert driver.open(address.replace("invoice.pdf", "remove")).status == 403


def test_removing_is_confirmed_and_leads_back(attach, driver):
    address = attach(invoice())["invoice.pdf"]
    page = driver.open("/attachments/1/remove", headers={"Referer": "http://localhost/vehicles"})
    assert "Remove the document?" in page.text
    done = driver.submit(page)
    assert (done.path, "Removed: invoice.pdf." in done.text) == ("/vehicles", True)
    assert driver.client.get(address).status_code == 404


def test_the_second_of_two_people_hears_who_removed_it(attach, driver, signed_in):
    attach(invoice())
    other = signed_in("k.lee", Division.FLEET)
    pages = [person.open("/attachments/1/remove") for person in (driver, other)]
    driver.submit(pages[0])
    late = other.submit(pages[1])
    assert any("Not removed. driver removed this at" in text for text in late.alerts)


@pytest.mark.own_app
def test_photos_are_listed_small_and_documents_by_name_and_size(app, attach, signed_in):
    def listed():
        return render_template_string(LIST, rows=queries.attachments_of("defect", [1])[1])

    app.add_url_rule("/listed", view_func=access.division(Division.FLEET)(listed))
    attach(photo("front.jpg"), invoice())
    page = signed_in("driver", Division.FLEET).open("/listed")
    assert page.link("invoice.pdf") == "/attachments/2/invoice.pdf"
    assert page.html.select_one("[data-photos='D-0142'] a")["href"] == "/attachments/1/front.jpg"
    assert page.html.img["src"] == "/api/attachments/1/thumbnail"
    assert (page.html.img["alt"], page.all(".documents .note")) == ("front.jpg", ["PDF, 399 Bytes"])
    assert page.link("Remove invoice.pdf") == "/attachments/2/remove"
    viewer = signed_in("viewer", Division.FLEET, roles=[Role.VIEWER]).open("/listed")
    assert "Remove" not in viewer.text
