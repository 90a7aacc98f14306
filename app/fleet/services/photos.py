"""Photos are kept, claimed by checks, and swept when no check needs them (design §4)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from app import dates
from app.db import advisory_lock, db
from app.errors import Invalid
from app.fleet.models import Photo, PhotoUpload
from app.fleet.queries import photos as queries
from app.fleet.services.photo_store import photo_store
from app.fleet.services.pictures import Picture


@dataclass(frozen=True)
class KeptPhoto:
    """A photo as its sender knows it: `id` is the hash of what was sent, `hash` of what is kept."""

    id: str
    hash: str
    size: int
    width: int
    height: int
    is_new: bool = False


@dataclass(frozen=True)
class Forgotten:
    """What a sweep took from the records."""

    uploads: int = 0
    photos: int = 0


def picture_file(photo_hash: str) -> str:
    """Return the name of a photo's file."""
    return f"{photo_hash}.jpg"


def thumbnail_file(photo_hash: str) -> str:
    """Return the name of its thumbnail's file."""
    return f"{photo_hash}.thumbnail.jpg"


def store(picture: Picture) -> None:
    """Write the files of a photo; do it before the transaction that keeps it.

    A store may be slow, and who writes meanwhile must not wait for it.
    """
    files = photo_store()
    files.put(picture_file(picture.hash), picture.data)
    files.put(thumbnail_file(picture.hash), picture.thumbnail)


def keep(picture: Picture, *, by: int) -> KeptPhoto:
    """Keep a stored photo as sent by a person; the same again only renews when it was sent."""
    _hold(picture.hash)
    now = dates.utc_now()
    photo = db.session.get(Photo, picture.hash)
    if photo is None:
        _store_if_swept(picture)
        photo = Photo(
            hash=picture.hash,
            size=len(picture.data),
            width=picture.width,
            height=picture.height,
            stored_at=now,
        )
        db.session.add(photo)
        db.session.flush()
    upload = _upload(picture.sent_hash, by)
    is_new = upload is None
    if upload is None:
        upload = PhotoUpload(user_id=by, sent_hash=picture.sent_hash)
        db.session.add(upload)
    upload.photo_hash = photo.hash
    upload.sent_at = now
    db.session.flush()
    return _kept(photo, picture.sent_hash, is_new=is_new)


def send_again(sent_hash: str, *, by: int) -> KeptPhoto | None:
    """Renew when a photo was sent that is there already; None when it has to be prepared."""
    upload = _upload(sent_hash, by)
    if upload is None:
        return None
    _hold(upload.photo_hash)
    # A sweep may have been faster.
    photo = queries.sent_photo(sent_hash, by)
    if photo is None:
        return None
    upload.sent_at = dates.utc_now()
    db.session.flush()
    return _kept(photo, sent_hash, is_new=False)


def is_there(kept: KeptPhoto) -> bool:
    """Tell whether the store has a photo; ask it after the transaction, for it may be slow.

    A store may have lost what its records name.
    """
    return photo_store().exists(picture_file(kept.hash))


def claimed(ids: Sequence[str], *, by: int) -> list[str]:
    """Return the stored photos behind what a person sent, held until the transaction ends.

    Raises Invalid for one that this person didn't send.
    """
    hold_all(set(queries.sent_hashes(ids, by).values()))
    # A sweep may have been faster.
    found = queries.sent_hashes(ids, by)
    check_sent(ids, found)
    return [found[sent_hash] for sent_hash in ids]


def check_sent(ids: Sequence[str], found: Collection[str]) -> None:
    """Check that each photo was found among those that its sender sent; raises Invalid."""
    for number, sent_hash in enumerate(ids, 1):
        if sent_hash not in found:
            raise Invalid(f"Photo {number} was not sent by you. Send it again.", "photos")


def forget(photo_hash: str, *, before: datetime) -> Forgotten:
    """Remove a photo's uploads from before a moment, and the photo when none is left.

    What a check shows stays.
    """
    _hold(photo_hash)
    if queries.is_in_check(photo_hash):
        return Forgotten()
    uploads = db.session.execute(
        delete(PhotoUpload)
        .where(PhotoUpload.photo_hash == photo_hash, PhotoUpload.sent_at < before)
        .returning(PhotoUpload.id)
    ).all()
    if queries.is_sent(photo_hash):
        return Forgotten(len(uploads))
    photos = db.session.execute(
        delete(Photo)
        .where(Photo.hash == photo_hash, Photo.stored_at < before)
        .returning(Photo.hash)
    ).all()
    return Forgotten(len(uploads), len(photos))


def discard_file(name: str, photo_hash: str) -> bool:
    """Remove a file that belongs to no photo; False when it does."""
    _hold(photo_hash)
    if is_file_of(name, queries.stored([photo_hash])):
        return False
    photo_store().delete(name)
    return True


def is_file_of(name: str, photo_hashes: set[str]) -> bool:
    """Tell whether a file is a photo's, or the thumbnail of one, and not left over."""
    photo_hash = name.partition(".")[0]
    is_whole = name in (picture_file(photo_hash), thumbnail_file(photo_hash))
    return is_whole and photo_hash in photo_hashes


def hold_all(photo_hashes: Collection[str]) -> None:
    """Let nobody keep, claim or sweep these photos meanwhile; everybody takes them in one order."""
    for photo_hash in sorted(photo_hashes):
        _hold(photo_hash)


def _hold(photo_hash: str) -> None:
    """Let nobody keep, claim or sweep the same photo meanwhile."""
    advisory_lock(f"photo {photo_hash}")


def _store_if_swept(picture: Picture) -> None:
    """Write the files again that a sweep took before their row was there."""
    names = (picture_file(picture.hash), thumbnail_file(picture.hash))
    if not all(photo_store().exists(name) for name in names):
        store(picture)


def _upload(sent_hash: str, by: int) -> PhotoUpload | None:
    statement = select(PhotoUpload).filter_by(sent_hash=sent_hash, user_id=by)
    return db.session.execute(statement).scalar_one_or_none()


def _kept(photo: Photo, sent_hash: str, *, is_new: bool) -> KeptPhoto:
    return KeptPhoto(sent_hash, photo.hash, photo.size, photo.width, photo.height, is_new)
