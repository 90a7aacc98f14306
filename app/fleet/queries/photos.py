"""Reads of the photos of checks."""

from sqlalchemy import select

from app.db import db
from app.fleet.models import CheckPhoto
from app.photos.models import Photo


def check_photo(check_id: int, position: int) -> Photo | None:
    """Return a photo of a check; the first has position 0."""
    statement = select(Photo).join(CheckPhoto).filter_by(check_id=check_id, position=position)
    return db.session.execute(statement).scalar_one_or_none()
