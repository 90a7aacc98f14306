"""Checks the files of photos against their rows."""

import hashlib
from collections.abc import Iterator

from sqlalchemy import select

from app.db import stream_columns
from app.errors import NotFound
from app.photos.models import Photo
from app.photos.queries import existing_photos
from app.photos.services.photo_store import photo_store
from app.photos.services.photos import picture_file, thumbnail_file


def photo_problems() -> Iterator[str]:
    """Yield a problem for each photo with a lost picture or thumbnail, or with a foreign picture.

    Raises Unavailable when the store can't be reached.
    """
    for photo_hash, size in stream_columns(select(Photo.hash, Photo.size).order_by(Photo.hash)):
        problem = _problem(photo_hash, size)
        # A sweep may have removed it meanwhile.
        if problem and existing_photos([photo_hash]):
            yield problem


def _problem(photo_hash: str, size: int) -> str:
    store = photo_store()
    try:
        data = store.get(picture_file(photo_hash))
    except NotFound:
        return f"Photo {picture_file(photo_hash)} is not in the photo store"
    if len(data) != size or hashlib.sha256(data).hexdigest() != photo_hash:
        return f"Photo {picture_file(photo_hash)} is damaged"
    if not store.exists(thumbnail_file(photo_hash)):
        return f"Thumbnail {thumbnail_file(photo_hash)} is not in the photo store"
    return ""
