"""Keeps photos, and sweeps those that no record names."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app import dates
from app.db import db
from app.errors import ErrorCode, Invalid, QuartermasterError
from app.photos import queries
from app.photos.models import Photo, PhotoUpload
from app.photos.services.contents import ContentKind
from app.photos.services.photo_store import photo_store
from app.photos.services.pictures import Picture, PixelBudget, prepare_picture
from app.sent_files import SentFile


class PhotoMissing(Invalid):
    """A check has a photo that its sender hasn't uploaded."""

    code = ErrorCode.PHOTOS_MISSING


@dataclass(frozen=True)
class StoredPhoto:
    """A user's stored photo: `id` is the hash of the sent bytes, `hash` of the stored ones."""

    id: str
    hash: str
    size: int
    width: int
    height: int
    is_new: bool = False


def picture_file(photo_hash: str) -> str:
    """Return the name of a photo's file in the store."""
    return f"{photo_hash}.jpg"


def thumbnail_file(photo_hash: str) -> str:
    """Return the name of a photo's thumbnail in the store."""
    return f"{photo_hash}.thumbnail.jpg"


PHOTO = ContentKind(
    "Photo",
    Photo,
    PhotoUpload,
    PhotoUpload.photo_hash,
    lambda photo_hash: (picture_file(photo_hash), thumbnail_file(photo_hash)),
)


def prepare_photos(photos: Sequence[SentFile], stored: Iterable[StoredPhoto]) -> list[Picture]:
    """Decode the photos that come with their content and write their files, each once.

    Photos in `stored` with a file are skipped. Call it outside a transaction, since it takes long.
    Raises the errors of `prepare_picture`, with the number of the photo.
    """
    done = {photo.id for photo in stored if is_stored(photo.hash)}
    budget = PixelBudget()
    pictures: list[Picture] = []
    for number, photo in enumerate(photos, start=1):
        if photo.data is not None and photo.id not in done:
            done.add(photo.id)
            try:
                pictures.append(prepare_picture(photo.data, budget))
            except QuartermasterError as error:
                error.message = f"Photo {number}: {error.message}"
                error.fields = {f"photos.{number - 1}.dataUri": error.message}
                raise
    for picture in pictures:
        store_files(picture)
    return pictures


def store_files(picture: Picture) -> None:
    """Write the files of a photo; call it before the transaction that saves the photo.

    The store may be slow, and other writers must not wait for it.
    """
    store = photo_store()
    store.put(picture_file(picture.hash), picture.data)
    store.put(thumbnail_file(picture.hash), picture.thumbnail)


def save_photo(picture: Picture, *, by: int) -> StoredPhoto:
    """Save a photo with stored files, and its upload by a user; renew an earlier upload."""
    PHOTO.lock([picture.hash])
    now = dates.utc_now()
    photo = db.session.get(Photo, picture.hash)
    if photo is None:
        _restore_swept_files(picture)
        photo = Photo(
            hash=picture.hash,
            size=len(picture.data),
            width=picture.width,
            height=picture.height,
            stored_at=now,
        )
        db.session.add(photo)
        db.session.flush()
    upload = _find_upload(picture.sent_hash, by)
    is_new = upload is None
    if upload is None:
        upload = PhotoUpload(user_id=by, sent_hash=picture.sent_hash)
        db.session.add(upload)
    upload.photo_hash = photo.hash
    upload.sent_at = now
    db.session.flush()
    return _stored_photo(photo, picture.sent_hash, is_new=is_new)


def renew_upload(sent_hash: str, *, by: int) -> StoredPhoto | None:
    """Set a user's earlier upload of a photo to now, so that no sweep removes it.

    Returns None without an earlier upload; the photo must then be prepared.
    """
    upload = _find_upload(sent_hash, by)
    if upload is None:
        return None
    PHOTO.lock([upload.photo_hash])
    # A sweep may have removed the photo before it was locked.
    photo = queries.uploaded_photo(sent_hash, by)
    if photo is None:
        return None
    upload.sent_at = dates.utc_now()
    db.session.flush()
    return _stored_photo(photo, sent_hash, is_new=False)


def is_stored(photo_hash: str) -> bool:
    """Return whether the store still has a photo's file.

    Call it outside a transaction: the store may be slow.
    """
    return photo_store().exists(picture_file(photo_hash))


def check_uploaded(ids: Sequence[str], uploaded: Collection[str]) -> None:
    """Check that its sender has uploaded every photo; raises PhotoMissing."""
    for number, sent_hash in enumerate(ids, 1):
        if sent_hash not in uploaded:
            raise PhotoMissing(f"Photo {number} was not sent by you. Send it again.", "photos")


def use_photos(
    ids: Sequence[str], pictures: Sequence[Picture], uploads: Mapping[str, str], *, by: int
) -> list[str]:
    """Save new pictures and return the stored hashes of the photos with these ids, all locked.

    `uploads` are the stored hashes of earlier uploads. Raises Invalid for a photo that this user
    didn't upload.
    """
    new = {picture.sent_hash: picture.hash for picture in pictures}
    PHOTO.lock({*uploads.values(), *new.values()})
    for picture in pictures:
        save_photo(picture, by=by)
    # A sweep may have removed a photo before it was locked.
    current = queries.uploaded_hashes(ids, by)
    check_uploaded(ids, current)
    return [current[sent_hash] for sent_hash in ids]


def _restore_swept_files(picture: Picture) -> None:
    if not all(photo_store().exists(name) for name in PHOTO.files(picture.hash)):
        store_files(picture)


def _find_upload(sent_hash: str, by: int) -> PhotoUpload | None:
    statement = select(PhotoUpload).filter_by(sent_hash=sent_hash, user_id=by)
    return db.session.execute(statement).scalar_one_or_none()


def _stored_photo(photo: Photo, sent_hash: str, *, is_new: bool) -> StoredPhoto:
    return StoredPhoto(sent_hash, photo.hash, photo.size, photo.width, photo.height, is_new)
