"""Reads of photos: their uploaders, and the unused ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, union
from sqlalchemy.orm import InstrumentedAttribute

from app.db import db, references_to, single_read
from app.photos.models import Photo, PhotoUpload


@dataclass(frozen=True)
class Uploads:
    """The table of stored contents, the table of their uploads, and its column with the hash."""

    contents: type[Any]
    uploads: type[Any]
    name: InstrumentedAttribute[str]


UPLOADS = Uploads(Photo, PhotoUpload, PhotoUpload.photo_hash)


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


def unused_photos(before: datetime) -> Sequence[str]:
    """Return the hashes of unused photos that were sent, or stored, before a time."""
    return unused_contents(UPLOADS, before)


def unused_contents(tables: Uploads, before: datetime) -> Sequence[str]:
    """Return the hashes of unused contents that were sent, or stored, before a time."""
    contents, uploads, name = tables.contents, tables.uploads, tables.name
    uses = references_to(contents, but=uploads)
    sent = select(name).where(
        uploads.sent_at < before, *(~select(use).where(use == name).exists() for use in uses)
    )
    any_upload = select(uploads.id).where(name == contents.hash)
    unreferenced = select(contents.hash).where(
        contents.stored_at < before,
        ~any_upload.exists(),
        *(~select(use).where(use == contents.hash).exists() for use in uses),
    )
    return db.session.execute(union(sent, unreferenced)).scalars().all()


def existing_photos(hashes: Iterable[str]) -> set[str]:
    """Return the hashes of stored photos among `hashes`."""
    statement = select(Photo.hash).where(Photo.hash.in_(set(hashes)))
    return set(db.session.execute(statement).scalars())


def photo_count() -> int:
    """Return the number of photos."""
    return db.session.execute(select(func.count()).select_from(Photo)).scalar_one()


def number_stored() -> int:
    """Return the number of stored photos, read on a connection of its own."""
    with single_read() as connection:
        return connection.execute(select(func.count()).select_from(Photo)).scalar_one()
