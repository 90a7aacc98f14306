"""Photos that were sent, and whose they are."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app import dates
from app.db import db
from app.errors import Invalid
from app.fleet.models import Photo, PhotoUpload
from app.fleet.services.pictures import Picture


@dataclass(frozen=True)
class KeptPhoto:
    """A photo as its sender knows it: its id is the SHA-256 of what was sent."""

    id: str
    size: int
    width: int
    height: int


def keep(picture: Picture, *, by: int) -> KeptPhoto:
    """Note a photo and who sent it; one that is there already stays as it is."""
    photo = db.session.get(Photo, picture.hash)
    if photo is None:
        photo = Photo(
            hash=picture.hash,
            size=len(picture.data),
            width=picture.width,
            height=picture.height,
            stored_at=dates.utc_now(),
        )
        db.session.add(photo)
        db.session.flush()
    if picture.sent_hash not in _hashes([picture.sent_hash], by):
        db.session.add(
            PhotoUpload(
                user_id=by,
                sent_hash=picture.sent_hash,
                photo_hash=photo.hash,
                sent_at=dates.utc_now(),
            )
        )
        db.session.flush()
    return KeptPhoto(picture.sent_hash, photo.size, photo.width, photo.height)


def claimed(ids: Sequence[str], *, by: int) -> list[str]:
    """Return the stored photos behind what somebody sent, in order; raises Invalid."""
    found = _hashes(ids, by)
    for number, id_ in enumerate(ids, start=1):
        if id_ not in found:
            raise Invalid(f"Photo {number} was not sent by you. Send it again.", "photos")
    return [found[id_] for id_ in ids]


def _hashes(ids: Sequence[str], by: int) -> dict[str, str]:
    statement = select(PhotoUpload.sent_hash, PhotoUpload.photo_hash).where(
        PhotoUpload.user_id == by, PhotoUpload.sent_hash.in_(ids)
    )
    return {row.sent_hash: row.photo_hash for row in db.session.execute(statement)}
