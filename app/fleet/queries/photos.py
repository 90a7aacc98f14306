"""Reads of photos: who uploaded them, which checks use them, which are unused."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import func, select, union

from app.db import db, single_read
from app.fleet.models import CheckPhoto, Photo, PhotoUpload


def uploaded_photo(sent_hash: str, user_id: int) -> Photo | None:
    """Return the photo that a user uploaded under this hash."""
    statement = select(Photo).join(PhotoUpload).filter_by(sent_hash=sent_hash, user_id=user_id)
    return db.session.execute(statement).scalar_one_or_none()


def uploaded_hashes(sent_hashes: Iterable[str], user_id: int) -> dict[str, str]:
    """Return the hashes of the stored photos by the hashes that a user uploaded them under."""
    statement = (
        select(PhotoUpload.sent_hash, PhotoUpload.photo_hash)
        .filter_by(user_id=user_id)
        .where(PhotoUpload.sent_hash.in_(set(sent_hashes)))
    )
    return dict(db.session.execute(statement).all())


def check_photo(check_id: int, position: int) -> Photo | None:
    """Return a photo of a check; the first has position 0."""
    statement = select(Photo).join(CheckPhoto).filter_by(check_id=check_id, position=position)
    return db.session.execute(statement).scalar_one_or_none()


def is_in_check(photo_hash: str) -> bool:
    """Return whether a photo belongs to a check."""
    statement = select(CheckPhoto.id).filter_by(photo_hash=photo_hash).limit(1)
    return db.session.execute(statement).first() is not None


def is_uploaded(photo_hash: str) -> bool:
    """Return whether a photo has an upload."""
    statement = select(PhotoUpload.id).filter_by(photo_hash=photo_hash).limit(1)
    return db.session.execute(statement).first() is not None


def unused_photos(before: datetime) -> Sequence[str]:
    """Return the hashes of photos without a check that were uploaded, or stored, before a time."""
    in_check = select(CheckPhoto.id).where(CheckPhoto.photo_hash == PhotoUpload.photo_hash)
    uploads = select(PhotoUpload.photo_hash).where(PhotoUpload.sent_at < before, ~in_check.exists())
    checks = select(CheckPhoto.id).where(CheckPhoto.photo_hash == Photo.hash)
    any_upload = select(PhotoUpload.id).where(PhotoUpload.photo_hash == Photo.hash)
    unreferenced = select(Photo.hash).where(
        Photo.stored_at < before, ~checks.exists(), ~any_upload.exists()
    )
    return db.session.execute(union(uploads, unreferenced)).scalars().all()


def existing_photos(hashes: Iterable[str]) -> set[str]:
    """Return those of these hashes that belong to photos."""
    statement = select(Photo.hash).where(Photo.hash.in_(set(hashes)))
    return set(db.session.execute(statement).scalars())


def photo_count() -> int:
    """Return the number of photos."""
    return db.session.execute(select(func.count()).select_from(Photo)).scalar_one()


def number_stored() -> int:
    """Return how many photos are stored."""
    with single_read() as connection:
        return connection.execute(select(func.count()).select_from(Photo)).scalar_one()
