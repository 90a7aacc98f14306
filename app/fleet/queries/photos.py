"""Reads of photos: who sent them, which checks show them, what nobody needs."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, union

from app.db import db
from app.fleet.models import CheckPhoto, Photo, PhotoUpload


def sent_photo(sent_hash: str, by: int) -> Photo | None:
    """Return the photo that a person sent under this hash."""
    statement = (
        select(Photo).join(PhotoUpload).where(PhotoUpload.sent_hash == sent_hash, _is_of(by))
    )
    return db.session.execute(statement).scalar_one_or_none()


def sent_hashes(ids: Iterable[str], by: int) -> dict[str, str]:
    """Return the hash of the stored photo by the hash under which a person sent it."""
    statement = select(PhotoUpload.sent_hash, PhotoUpload.photo_hash).where(
        PhotoUpload.sent_hash.in_(set(ids)), _is_of(by)
    )
    return dict(db.session.execute(statement).all())


def check_photo(check_id: int, position: int) -> Photo | None:
    """Return a photo of a check; the first has position 0."""
    statement = select(Photo).join(CheckPhoto).filter_by(check_id=check_id, position=position)
    return db.session.execute(statement).scalar_one_or_none()


def is_in_check(photo_hash: str) -> bool:
    """Tell whether any check shows a photo."""
    statement = select(CheckPhoto.id).filter_by(photo_hash=photo_hash).limit(1)
    return db.session.execute(statement).first() is not None


def is_sent(photo_hash: str) -> bool:
    """Tell whether any upload is of a photo."""
    statement = select(PhotoUpload.id).filter_by(photo_hash=photo_hash).limit(1)
    return db.session.execute(statement).first() is not None


def unneeded(before: datetime) -> Sequence[str]:
    """Return the photos without a check of which something was sent before a moment."""
    in_check = select(CheckPhoto.id).where(CheckPhoto.photo_hash == PhotoUpload.photo_hash)
    old = select(PhotoUpload.photo_hash).where(PhotoUpload.sent_at < before, ~in_check.exists())
    shown = select(CheckPhoto.id).where(CheckPhoto.photo_hash == Photo.hash)
    sent = select(PhotoUpload.id).where(PhotoUpload.photo_hash == Photo.hash)
    alone = select(Photo.hash).where(Photo.stored_at < before, ~shown.exists(), ~sent.exists())
    return db.session.execute(union(old, alone)).scalars().all()


def stored(hashes: Iterable[str]) -> set[str]:
    """Return those of these hashes that are photos."""
    statement = select(Photo.hash).where(Photo.hash.in_(set(hashes)))
    return set(db.session.execute(statement).scalars())


def photo_count() -> int:
    """Return how many photos there are."""
    return db.session.execute(select(func.count()).select_from(Photo)).scalar_one()


def _is_of(by: int) -> ColumnElement[bool]:
    return PhotoUpload.user_id == by
