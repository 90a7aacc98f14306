"""Reads of photos and of their uploaders."""

from collections.abc import Iterable

from sqlalchemy import func, select

from app.db import db, single_read
from app.photos.models import Photo, PhotoUpload


def uploaded_photo(sent_hash: str, user_id: int) -> Photo | None:
    """Return the photo that a user uploaded under a hash."""
    statement = select(Photo).join(PhotoUpload).filter_by(sent_hash=sent_hash, user_id=user_id)
    return db.session.execute(statement).scalar_one_or_none()


def uploaded_hashes(sent_hashes: Iterable[str], user_id: int) -> dict[str, str]:
    """Return the hashes of a user's stored photos by the hashes of the uploads."""
    statement = (
        select(PhotoUpload.sent_hash, PhotoUpload.photo_hash)
        .filter_by(user_id=user_id)
        .where(PhotoUpload.sent_hash.in_(set(sent_hashes)))
    )
    return dict(db.session.execute(statement).all())


def number_stored() -> int:
    """Return the number of stored photos, read on a connection of its own."""
    with single_read() as connection:
        return connection.execute(select(func.count()).select_from(Photo)).scalar_one()
