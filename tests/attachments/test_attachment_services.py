"""Photos and documents of records: added, read, removed."""

import pytest
from sqlalchemy import select

from app.attachments import queries, services
from app.attachments.models import Attachment
from app.attachments.rules import MAX_ATTACHMENTS
from app.db import db, transaction
from app.divisions import Division
from app.errors import Conflict, Invalid, NotFound, QuartermasterError, TooLarge, Unsupported
from app.events.queries import events_of
from app.photos.models import Document
from app.photos.services.contents import DOCUMENT, read_document
from app.photos.services.photo_store import photo_store
from app.sent_files import SentFile
from app.versions import version_of
from tests import factories
from tests.attachments.files import NOT_PDF, invoice, pdf, photo, sha256
from tests.photos.photo_files import jpeg

pytestmark = pytest.mark.usefixtures("context")


@pytest.fixture
def by(context):
    return factories.user("driver", Division.FLEET)


@pytest.fixture
def add(by):
    """Return a function that attaches files to a defect as a form does."""

    def add(*files, subject=7, kind="defect", user=by):
        prepared = services.prepare_files(files, by=user)
        with transaction():
            return services.add_attachments(kind, subject, prepared, by=user)

    return add


@pytest.fixture
def remove(by):
    """Return a function that takes a file off its record."""

    def remove(number):
        with transaction():
            return services.remove_attachment(number, by=by)

    return remove


def attached(subject=7, kind="defect"):
    return queries.attachments_of(kind, [subject]).get(subject, [])


def test_a_photo_and_a_pdf_are_listed_in_their_order(add):
    sent = pdf()
    ids = add(photo("mirror.png"), SentFile.with_data("Invoice 12.pdf", sent))
    rows = attached()
    assert [(row.id, row.name, row.media_type, row.is_photo) for row in rows] == [
        (ids[0], "mirror.jpg", "image/jpeg", True),
        (ids[1], "Invoice 12.pdf", "application/pdf", False),
    ]
    assert (rows[1].sha256, rows[1].size, rows[1].added_by) == (sha256(sent), len(sent), "driver")
    assert photo_store().get(DOCUMENT.file(sha256(sent))) == sent


def test_attachments_of_other_records_and_kinds_are_apart(add):
    add(invoice(), subject=1)
    add(invoice("other.pdf"), subject=2)
    add(photo(), subject=1, kind="repair")
    found = queries.attachments_of("defect", [1, 2, 3])
    assert {key: [row.name for row in rows] for key, rows in found.items()} == {
        1: ["invoice.pdf"],
        2: ["other.pdf"],
    }
    assert [row.name for row in attached(1, "repair")] == ["mirror.jpg"]


def test_later_ones_follow_the_earlier_ones_also_after_a_removal(add, remove):
    first, _ = add(invoice("a.pdf", "a"), invoice("b.pdf", "b"))
    remove(first)
    add(invoice("c.pdf", "c"))
    assert [row.name for row in attached()] == ["b.pdf", "c.pdf"]


def test_an_attachment_that_is_removed_keeps_who_and_when_and_its_file(add, by, remove):
    (number,) = add(invoice())
    before = version_of("upkeep")
    removed = remove(number)
    row = db.session.get_one(Attachment, number)
    assert (removed.name, removed.subject_kind, removed.subject_id) == ("invoice.pdf", "defect", 7)
    assert (row.removed_by, row.removed_at is not None) == (by, True)
    assert attached() == []
    assert photo_store().exists(DOCUMENT.file(sha256(pdf())))
    assert version_of("upkeep") > before
    with pytest.raises(NotFound):
        queries.get_attachment(number)


def test_a_file_that_is_attached_later_gives_the_list_a_new_version(by):
    prepared = services.prepare_files([invoice()], by=by)
    before = version_of("upkeep")
    with transaction():
        services.attach_to_existing("repair", 7, prepared, by=by)
    assert version_of("upkeep") > before


def test_the_second_removal_is_refused_with_who_and_when(add, remove):
    (number,) = add(photo())
    remove(number)
    message = r"^driver removed this at .*\. Nothing was changed\.$"
    with pytest.raises(Conflict, match=message):
        remove(number)
    with pytest.raises(NotFound):
        remove(number + 1)


def test_adding_and_removing_write_events_without_names(add, by, remove):
    (number,) = add(invoice("Mrs Smith.pdf"))
    remove(number)
    events = events_of("defect", [7])
    content = {"attachment": number, "sha256": sha256(pdf())}
    assert [(e.kind, e.subject_kind, e.subject_id, e.before, e.after) for e in events] == [
        ("attachment.added", "defect", "7", None, content),
        ("attachment.removed", "defect", "7", content, None),
    ]
    assert {(e.division, e.actor_id) for e in events} == {(Division.FLEET, by)}


def test_a_record_has_at_most_12(add):
    add(*(invoice(f"{n}.pdf", str(n)) for n in range(MAX_ATTACHMENTS - 1)))
    with pytest.raises(Invalid, match="at most 12") as refused:
        add(invoice("x.pdf", "x"), invoice("y.pdf", "y"))
    assert list(refused.value.fields) == ["files"]
    add(invoice("x.pdf", "x"))
    assert len(attached()) == MAX_ATTACHMENTS


def test_what_is_removed_makes_room(add, remove):
    ids = add(*(invoice(f"{n}.pdf", str(n)) for n in range(MAX_ATTACHMENTS)))
    remove(ids[3])
    add(photo())
    assert len(attached()) == MAX_ATTACHMENTS


WRONG_TYPE = "invoice.pdf isn't a photo (JPEG, PNG or WebP) or a PDF."
FILE_TOO_LARGE = "invoice.pdf: A photo or document may have at most 8 MB."


def test_what_is_neither_a_photo_nor_a_pdf_is_refused_and_nothing_is_stored(add):
    for data, error, message in (
        (NOT_PDF, Unsupported, WRONG_TYPE),
        (b"", Invalid, "invoice.pdf: The file is empty."),
        (pdf()[:-12], Invalid, "invoice.pdf: The PDF is incomplete. Send it again."),
        (pdf() + b"x" * 8 * 1024 * 1024, TooLarge, FILE_TOO_LARGE),
        (jpeg()[:-600], Invalid, "invoice.pdf: The photo is incomplete. Send it again."),
        (pdf(before=NOT_PDF), Unsupported, WRONG_TYPE),
    ):
        for others in ([photo()], []):
            with pytest.raises(error) as refused:
                add(*others, SentFile.with_data("invoice.pdf", data))
            assert refused.value.fields == {"files": message}
    assert attached() == []
    assert list(photo_store().files()) == []


def test_a_refused_file_without_a_name_has_its_number(add):
    with pytest.raises(Unsupported, match=r"^File 2 isn't a photo"):
        add(photo(), SentFile.with_data("", NOT_PDF))
    with pytest.raises(Invalid, match=r"^The file is empty"):
        add(SentFile.with_data("", b""))


def test_the_same_file_twice_is_stored_and_attached_once(add):
    add(invoice("a.pdf"), invoice("b.pdf"), photo("a.jpg"), photo("b.jpg"))
    add(invoice("c.pdf"), subject=8)
    assert add(invoice("d.pdf")) == []
    assert [row.name for row in attached()] == ["a.pdf", "a.jpg"]
    assert len(list(photo_store().files())) == 3
    assert len(db.session.execute(select(Document)).all()) == 1


def test_files_that_were_uploaded_before_are_attached_by_their_hash(add, by):
    new = read_document(pdf())
    DOCUMENT.store(new)
    with transaction():
        DOCUMENT.save(new, by=by)
    picture = factories.photo(by)
    add(SentFile("front.jpg", picture), SentFile("invoice.pdf", new.hash))
    assert [row.name for row in attached()] == ["front.jpg", "invoice.pdf"]


def test_what_somebody_else_uploaded_is_not_attached(add, by):
    picture = factories.photo(by)
    other = factories.user("other", Division.FLEET)
    with pytest.raises(services.FileNotSent, match="A file was not sent by you"):
        add(SentFile("front.jpg", picture), user=other)


def test_an_upload_whose_file_is_lost_is_to_be_sent_again(add, by):
    add(invoice())
    photo_store().delete(DOCUMENT.file(sha256(pdf())))
    with pytest.raises(QuartermasterError, match="Send it again"):
        add(SentFile("invoice.pdf", sha256(pdf())))
    add(invoice())
    assert photo_store().exists(DOCUMENT.file(sha256(pdf())))
