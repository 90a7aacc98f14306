"""Removing documents that no record has, while others are attached."""

import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from app import dates
from app.attachments import queries
from app.attachments.services import FileNotSent, add_attachments, prepare_files, remove_attachment
from app.db import db, transaction
from app.divisions import Division
from app.photos.models import Document, DocumentUpload, Photo, PhotoUpload
from app.photos.services.contents import DOCUMENT, read_document
from app.sent_files import SentFile
from tests import factories
from tests.attachments.files import invoice, pdf, photo, sha256

pytestmark = pytest.mark.differs_by_engine

TWO_DAYS = timedelta(days=2)


@pytest.fixture
def by(context):
    return factories.user("driver", Division.FLEET)


@pytest.fixture
def sweep(app, context):
    """Return a function that runs the command and returns its last line."""

    def sweep(*options):
        db.session.remove()
        result = app.test_cli_runner().invoke(args=["photos", "sweep", *options])
        assert result.exit_code == 0, result.output
        return result.output.splitlines()[-1]

    return sweep


@pytest.fixture
def age(app, context):
    """Return a function that makes all that was sent two days older."""

    def age():
        then = dates.utc_now() - TWO_DAYS
        with transaction():
            for model, column in (
                (Document, "stored_at"),
                (DocumentUpload, "sent_at"),
                (Photo, "stored_at"),
                (PhotoUpload, "sent_at"),
            ):
                db.session.execute(update(model).values({column: then}))
        for path in files(app):
            os.utime(path, (then.timestamp(), then.timestamp()))

    return age


def files(app):
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def rows(model):
    db.session.rollback()
    return len(db.session.execute(select(model)).scalars().all())


def test_a_document_without_a_record_is_removed_after_a_day(app, by, sweep, age):
    factories.document(by, pdf())
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 0 files of 0 bytes."
    age()
    size = len(pdf())
    assert sweep("--dry-run") == (
        f"Would remove 1 uploads, 0 photos, 1 documents and 1 files of {size} bytes. "
        "Dry run: nothing was removed."
    )
    assert sweep() == f"Removed 1 uploads, 0 photos, 1 documents and 1 files of {size} bytes."
    assert (files(app), rows(Document), rows(DocumentUpload)) == ([], 0, 0)


def test_what_a_record_has_is_never_removed_also_once_it_is_taken_off(app, by, sweep, age):
    first, _ = factories.attach([invoice(), photo()], by=by)
    with transaction():
        remove_attachment(first, by=by)
    age()
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 0 files of 0 bytes."
    assert len(files(app)) == 3


def test_sending_a_document_again_renews_it(by, sweep, age):
    factories.document(by, pdf())
    age()
    factories.document(by, pdf())
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 0 files of 0 bytes."


def test_files_that_a_crash_left_are_removed_and_others_stay(app, by, sweep, age):
    document = factories.document(by, pdf())
    folder = files(app)[0].parent
    lost = folder / f"{document[:2]}{'0' * 62}.pdf"
    unfinished = folder / f"{document}.pdf.0011223344556677.part"
    foreign = folder / "holiday.pdf"
    for path in (lost, unfinished, foreign):
        path.write_bytes(b"12345")
    age()
    factories.document(by, pdf())
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 2 files of 10 bytes."
    assert foreign.exists()


def test_a_file_that_a_sweep_removed_before_its_row_is_stored_again(app, by, sweep, age):
    sent = read_document(pdf())
    DOCUMENT.store(sent)
    age()
    assert sweep().startswith("Removed 0 uploads, 0 photos, 0 documents and 1 files")
    with transaction():
        DOCUMENT.save(sent, by=by)
    assert [path.name for path in files(app)] == [f"{sha256(pdf())}.pdf"]


def test_an_upload_that_was_swept_meanwhile_is_to_be_sent_again(by, age):
    document = factories.document(by, pdf())
    prepared = prepare_files([SentFile("invoice.pdf", document)], by=by)
    age()
    before = dates.utc_now() - timedelta(days=1)
    assert DOCUMENT.unused(before) == [document]
    with transaction():
        assert DOCUMENT.sweep(document, before=before) == (1, 1)
    with pytest.raises(FileNotSent), transaction():
        add_attachments("defect", 1, prepared, by=by)
    assert queries.attachments_of("defect", [1]) == {}


def test_a_document_that_is_attached_during_its_sweep_stays(app, by, age):
    document = factories.document(by, pdf())
    prepared = prepare_files([SentFile("invoice.pdf", document)], by=by)
    age()
    is_attached, swept = threading.Event(), []
    before = dates.utc_now() - timedelta(days=1)

    def sweep_meanwhile():
        with app.app_context():
            is_attached.wait()
            with transaction():
                swept.append(DOCUMENT.sweep(document, before=before))
            with transaction():
                name = DOCUMENT.file(document)
                swept.append(DOCUMENT.delete_orphan_file(name))

    sweeper = threading.Thread(target=sweep_meanwhile)
    sweeper.start()
    with transaction():
        add_attachments("defect", 1, prepared, by=by)
        is_attached.set()
        # Give the sweep time to do harm before this is saved.
        sweeper.join(0.3)
        assert swept == []
    sweeper.join()
    assert swept == [(0, 0), False]
    assert [row.name for row in queries.attachments_of("defect", [1])[1]] == ["invoice.pdf"]
    assert len(files(app)) == 1
