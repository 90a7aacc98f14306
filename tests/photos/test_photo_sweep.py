"""`flask photos sweep`: unused photos are removed after a day, those of checks never."""

import os
import threading
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select, update

from app import dates
from app.db import db, transaction
from app.divisions import Division
from app.errors import Invalid
from app.fleet.models import CheckPhoto
from app.fleet.queries.check_values import check_photo
from app.photos.models import Photo, PhotoUpload
from app.photos.services.contents import PHOTO
from app.photos.services.photos import prepare_picture
from tests import factories
from tests.photos.photo_files import check_with, use

TWO_DAYS = timedelta(days=2)

# Photos and checks are made older, and checks inserted without their events.
pytestmark = [pytest.mark.differs_by_engine, pytest.mark.writes_directly]


@pytest.fixture
def sweep(app):
    def sweep(*options):
        result = app.test_cli_runner().invoke(args=["photos", "sweep", *options])
        assert result.exit_code == 0, result.output
        return result.output.splitlines()[-1]

    return sweep


@pytest.fixture
def by(context):
    return factories.user("driver", Division.FLEET)


@pytest.fixture
def age(app, context):
    """Return a function that makes all photos and files two days older."""

    def age():
        then = dates.utc_now() - TWO_DAYS
        with transaction():
            db.session.execute(update(Photo).values(stored_at=then))
            db.session.execute(update(PhotoUpload).values(sent_at=then))
        for path in files(app):
            os.utime(path, (then.timestamp(), then.timestamp()))

    return age


def files(app):
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def rows(model):
    db.session.rollback()
    return len(db.session.execute(select(model)).scalars().all())


def test_a_photo_without_a_check_is_removed_after_a_day(app, by, sweep, age):
    factories.photo(by, "red")
    factories.photo(by, "green")
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 0 files of 0 bytes."
    age()
    size = sum(path.stat().st_size for path in files(app))
    assert sweep() == f"Removed 2 uploads, 2 photos, 0 documents and 4 files of {size:,} bytes."
    assert files(app) == []
    assert (rows(Photo), rows(PhotoUpload)) == (0, 0)
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 0 files of 0 bytes."


def test_a_photo_of_a_check_is_never_removed(app, by, sweep, age):
    kept, other = factories.photo(by, "red"), factories.photo(by, "green")
    check = check_with([kept], by)
    age()
    assert sweep().startswith("Removed 1 uploads, 1 photos, 0 documents and 2 files")
    photo = check_photo(check, 0)
    assert {path.name for path in files(app)} == {
        PHOTO.file(photo.hash),
        PHOTO.file(photo.hash, "thumbnail"),
    }
    assert PHOTO.uploaded(kept, by) is not None
    assert PHOTO.uploaded(other, by) is None


def test_a_photo_with_a_recent_upload_is_not_removed(app, by, sweep, age):
    sent = factories.photo(by, "red")
    age()
    other = factories.user("colleague", Division.GPM)
    factories.photo(other, "red")
    assert sweep() == "Removed 1 uploads, 0 photos, 0 documents and 0 files of 0 bytes."
    assert PHOTO.uploaded(sent, other) is not None
    assert len(files(app)) == 2


def test_sending_a_photo_again_renews_it(by, sweep, age):
    sent = factories.photo(by)
    age()
    with transaction():
        assert PHOTO.renew(sent, by=by) is not None
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 0 files of 0 bytes."


def test_a_dry_run_prints_what_would_be_removed(app, by, sweep, age):
    factories.photo(by)
    age()
    size = sum(path.stat().st_size for path in files(app))
    assert sweep("--dry-run") == (
        f"Would remove 1 uploads, 1 photos, 0 documents and 2 files of {size:,} bytes. "
        "Dry run: nothing was removed."
    )
    assert len(files(app)) == 2
    assert (rows(Photo), rows(PhotoUpload)) == (1, 1)


def test_the_age_can_be_chosen(app, by, sweep, age):
    factories.photo(by)
    age()
    assert sweep("--older-than", "72").startswith("Removed 0 uploads")
    assert sweep("--older-than", "47").startswith("Removed 1 uploads")
    refused = app.test_cli_runner().invoke(args=["photos", "sweep", "--older-than", "0"])
    assert refused.exit_code == 2


def test_files_left_behind_by_a_crash_are_removed(app, by, sweep, age):
    kept = factories.photo(by)
    check_with([kept], by)
    photo = PHOTO.uploaded(kept, by)
    folder = files(app)[0].parent
    lost = folder / f"{photo.hash[:2]}{'0' * 62}.jpg"
    unfinished = folder / f"{photo.hash}.jpg.0011223344556677.part"
    foreign = folder / "holiday.jpg"
    for path in (lost, unfinished, foreign):
        path.write_bytes(b"12345")
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 0 files of 0 bytes."
    age()
    assert sweep() == "Removed 0 uploads, 0 photos, 0 documents and 2 files of 10 bytes."
    assert foreign.exists()
    assert len(files(app)) == 3


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


def test_files_that_a_sweep_removed_before_the_photo_was_saved_are_restored(app, by, sweep, age):
    file = BytesIO()
    Image.new("RGB", (64, 48)).save(file, "JPEG")
    picture = prepare_picture(file.getvalue())
    PHOTO.store(picture)
    age()
    assert sweep().startswith("Removed 0 uploads, 0 photos, 0 documents and 2 files")
    with transaction():
        PHOTO.save(picture, by=by)
    assert len(files(app)) == 2


def test_a_check_can_use_only_photos_of_its_sender(by):
    mine = [factories.photo(by, colour) for colour in ("red", "green")]
    other = factories.user("colleague", Division.GPM)
    theirs = factories.photo(other, "blue")
    with transaction():
        claimed = use([mine[1], mine[0], mine[1]], by=by)
    assert claimed[0] == claimed[2] != claimed[1]
    assert claimed[1] == PHOTO.uploaded(mine[0], by).hash
    for ids, number in (([theirs], 1), ([mine[0], "0" * 64], 2)):
        with transaction(), pytest.raises(Invalid) as refusal:
            use(ids, by=by)
        message = f"Photo {number} was not sent by you. Send it again."
        assert (refusal.value.message, refusal.value.field) == (message, "photos")


def test_a_photo_that_a_check_uses_during_a_sweep_is_not_removed(app, by, age):
    sent = factories.photo(by)
    photo_hash = PHOTO.uploaded(sent, by).hash
    age()
    check = check_with([], by)
    is_claimed, swept = threading.Event(), []
    before = dates.utc_now()

    def sweep_meanwhile():
        with app.app_context():
            is_claimed.wait()
            with transaction():
                swept.append(PHOTO.sweep(photo_hash, before=before))
            for name in PHOTO.files(photo_hash):
                with transaction():
                    swept.append(PHOTO.delete_orphan_file(name))

    sweeper = threading.Thread(target=sweep_meanwhile)
    sweeper.start()
    with transaction():
        use([sent], by=by)
        is_claimed.set()
        # Give the sweep time to do harm before this check is saved.
        sweeper.join(0.3)
        assert swept == []
        db.session.add(CheckPhoto(check_id=check, photo_hash=photo_hash, position=0))
    sweeper.join()
    assert swept == [(0, 0), False, False]
    assert check_photo(check, 0) is not None
    assert len(files(app)) == 2


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
