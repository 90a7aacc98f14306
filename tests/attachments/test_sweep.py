"""`flask photos sweep`: what no record has is removed after a day, what a record has never."""

import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from app import dates
from app.attachments import queries
from app.attachments.services import FileNotSent, add_attachments, prepare_files, remove_attachment
from app.db import db, transaction
from app.divisions import Division
from app.errors import Invalid
from app.fleet.models import CheckPhoto
from app.fleet.queries.checks import check_photo
from app.photos.models import Document, DocumentUpload, Photo, PhotoUpload
from app.photos.services.contents import DOCUMENT, PHOTO, read_document
from app.photos.services.photos import prepare_picture
from app.sent_files import SentFile
from tests import factories
from tests.attachments.files import invoice, pdf, photo
from tests.photos.photo_files import check_with, jpeg, use

NOTHING = "Removed 0 uploads, 0 photos, 0 documents and 0 files of 0 bytes."

pytestmark = pytest.mark.differs_by_engine


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
        then = dates.utc_now() - timedelta(days=2)
        with transaction():
            for model in (Document, Photo):
                db.session.execute(update(model).values(stored_at=then))
            for model in (DocumentUpload, PhotoUpload):
                db.session.execute(update(model).values(sent_at=then))
        for path in files(app):
            os.utime(path, (then.timestamp(), then.timestamp()))

    return age


def files(app):
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def rows():
    db.session.rollback()
    models = (Photo, PhotoUpload, Document, DocumentUpload)
    return [db.session.execute(select(func.count()).select_from(m)).scalar_one() for m in models]


def test_what_no_record_has_is_removed_after_a_day(app, by, sweep, age):
    factories.photo(by, "red")
    factories.photo(by, "green")
    factories.document(by, pdf())
    assert sweep() == NOTHING
    age()
    size = sum(path.stat().st_size for path in files(app))
    removed = f"3 uploads, 2 photos, 1 documents and 5 files of {size:,} bytes."
    dry_run = sweep("--dry-run")
    assert dry_run == f"Would remove {removed} Dry run: nothing was removed."
    assert (len(files(app)), rows()) == (5, [2, 2, 1, 1])
    assert sweep() == f"Removed {removed}"
    assert (files(app), rows()) == ([], [0, 0, 0, 0])
    assert sweep() == NOTHING


@pytest.mark.writes_directly
def test_a_photo_of_a_check_is_never_removed(app, by, sweep, age):
    kept, other = factories.photo(by, "red"), factories.photo(by, "green")
    check = check_with([kept], by)
    age()
    assert sweep().startswith("Removed 1 uploads, 1 photos, 0 documents and 2 files")
    names = PHOTO.files(check_photo(check, 0).hash)
    assert {path.name for path in files(app)} == set(names)
    assert PHOTO.uploaded(kept, by) is not None
    assert PHOTO.uploaded(other, by) is None


def test_what_a_record_has_is_never_removed_also_once_it_is_taken_off(app, by, sweep, age):
    first, _ = factories.attach([invoice(), photo()], by=by)
    with transaction():
        remove_attachment(first, by=by)
    age()
    assert sweep() == NOTHING
    assert len(files(app)) == 3


def test_a_photo_with_a_recent_upload_is_not_removed(app, by, sweep, age):
    sent = factories.photo(by, "red")
    age()
    other = factories.user("colleague", Division.GPM)
    factories.photo(other, "red")
    assert sweep() == "Removed 1 uploads, 0 photos, 0 documents and 0 files of 0 bytes."
    assert PHOTO.uploaded(sent, other) is not None
    assert len(files(app)) == 2


def test_sending_something_again_renews_it(by, sweep, age):
    sent = factories.photo(by)
    factories.document(by, pdf())
    age()
    with transaction():
        assert PHOTO.renew(sent, by=by) is not None
    factories.document(by, pdf())
    assert sweep() == NOTHING


def test_the_age_can_be_chosen(app, by, sweep, age):
    factories.photo(by)
    age()
    assert sweep("--older-than", "72").startswith("Removed 0 uploads")
    assert sweep("--older-than", "47").startswith("Removed 1 uploads")
    refused = app.test_cli_runner().invoke(args=["photos", "sweep", "--older-than", "0"])
    assert refused.exit_code == 2


def test_files_that_a_crash_left_are_removed_and_others_stay(app, by, sweep, age):
    factories.attach([invoice(), photo()], by=by)
    kept = [path for path in files(app) if "thumbnail" not in path.name]
    for path in kept:
        lost = path.with_name(f"{path.name[:2]}{'0' * 62}{path.suffix}")
        unfinished = path.with_name(f"{path.name}.0011223344556677.part")
        for other in (lost, unfinished, path.with_name(f"holiday{path.suffix}")):
            other.write_bytes(b"12345")
    assert sweep() == NOTHING
    age()
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 4 files of 20 bytes."
    assert len(files(app)) == 5
    assert all(path.with_name(f"holiday{path.suffix}").exists() for path in kept)


def test_an_interrupted_sweep_is_finished_by_the_next(app, by, sweep, age):
    factories.photo(by)
    age()
    before = dates.utc_now() - timedelta(days=1)
    for photo_hash in PHOTO.unused(before):
        with transaction():
            PHOTO.sweep(photo_hash, before=before)
    assert len(files(app)) == 2
    assert sweep().startswith("Removed 0 uploads, 0 photos, 0 documents and 2 files")
    assert files(app) == []


def test_files_that_a_sweep_removed_before_their_row_are_stored_again(app, by, sweep, age):
    new = ((PHOTO, prepare_picture(jpeg())), (DOCUMENT, read_document(pdf())))
    for kind, content in new:
        kind.store(content)
    stored = files(app)
    age()
    assert sweep().startswith("Removed 0 uploads, 0 photos, 0 documents and 3 files")
    for kind, content in new:
        with transaction():
            kind.save(content, by=by)
    assert files(app) == stored


def test_a_check_can_use_only_photos_of_its_sender(by):
    mine = [factories.photo(by, colour) for colour in ("red", "green")]
    theirs = factories.photo(factories.user("colleague", Division.GPM), "blue")
    with transaction():
        claimed = use([mine[1], mine[0], mine[1]], by=by)
    assert claimed[0] == claimed[2] != claimed[1]
    assert claimed[1] == PHOTO.uploaded(mine[0], by).hash
    for ids, number in (([theirs], 1), ([mine[0], "0" * 64], 2)):
        with transaction(), pytest.raises(Invalid) as refusal:
            use(ids, by=by)
        message = f"Photo {number} was not sent by you. Send it again."
        assert (refusal.value.message, refusal.value.field) == (message, "photos")


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


@pytest.mark.writes_directly
def test_what_a_record_gets_during_a_sweep_stays(app, by, age):
    sent, document = factories.photo(by), factories.document(by, pdf())
    photo_hash = PHOTO.uploaded(sent, by).hash
    prepared = prepare_files([SentFile("invoice.pdf", document)], by=by)
    check = check_with([], by)
    age()
    before = dates.utc_now()

    def use_photo():
        use([sent], by=by)
        db.session.add(CheckPhoto(check_id=check, photo_hash=photo_hash, position=0))

    for kind, content_hash, use_content in (
        (PHOTO, photo_hash, use_photo),
        (DOCUMENT, document, lambda: add_attachments("defect", 1, prepared, by=by)),
    ):
        is_used, swept = threading.Event(), []

        def sweep_meanwhile(kind=kind, content_hash=content_hash, is_used=is_used, swept=swept):
            with app.app_context():
                is_used.wait()
                with transaction():
                    swept.append(kind.sweep(content_hash, before=before))
                for name in kind.files(content_hash):
                    with transaction():
                        swept.append(kind.delete_orphan_file(name))

        sweeper = threading.Thread(target=sweep_meanwhile)
        sweeper.start()
        with transaction():
            use_content()
            is_used.set()
            # Give the sweep time to do harm before this is saved.
            sweeper.join(0.3)
            assert swept == [], kind.label
        sweeper.join()
        assert swept == [(0, 0), *(False for _ in kind.files(content_hash))], kind.label
    assert check_photo(check, 0) is not None
    assert [row.name for row in queries.attachments_of("defect", [1])[1]] == ["invoice.pdf"]
    assert len(files(app)) == 3


def test_a_photo_that_is_uploaded_during_its_sweep_exists_afterwards(app, by, age):
    sent = factories.photo(by)
    photo_hash = PHOTO.uploaded(sent, by).hash
    age()
    is_forgotten, kept = threading.Event(), []

    def send_meanwhile():
        with app.app_context():
            is_forgotten.wait()
            kept.append(factories.photo(by))

    sender = threading.Thread(target=send_meanwhile)
    sender.start()
    with transaction():
        PHOTO.sweep(photo_hash, before=dates.utc_now())
        is_forgotten.set()
        sender.join(0.3)
        assert kept == []
    sender.join()
    with transaction():
        assert not PHOTO.delete_orphan_file(PHOTO.file(photo_hash))
    assert kept == [sent]
    assert PHOTO.uploaded(sent, by) is not None
    assert len(files(app)) == 2
