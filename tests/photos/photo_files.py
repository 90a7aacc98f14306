"""Photos for tests, and checks that use them."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

from app import dates
from app.db import db, transaction
from app.fleet.models import Check, CheckPhoto
from app.photos.services import photos
from app.photos.services.contents import PHOTO
from tests.person import Caller

CORNER = (200, 30, 30)


def marked(size: tuple[int, int] = (320, 240), mode: str = "RGB") -> Image.Image:
    """Draw a picture whose upper left corner is red, the rest blue."""
    image = Image.new("RGB", size, (30, 30, 200))
    ImageDraw.Draw(image).rectangle((0, 0, size[0] // 3, size[1] // 3), fill=CORNER)
    return image.convert(mode)


def encoded(image: Image.Image, kind: str = "JPEG", **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def jpeg(size: tuple[int, int] = (320, 240), **options: Any) -> bytes:
    return encoded(marked(size), **options)


def address(data: bytes) -> str:
    return f"/api/photos/{hashlib.sha256(data).hexdigest()}"


def send(call: Caller, data: bytes, kind: str = "image/jpeg", path: str = "") -> Any:
    return call("PUT", path or address(data), data, Content_Type=kind)


def use(ids: Sequence[str], by: int) -> list[str]:
    """Return the stored hashes of photos as a check uses them, in a transaction."""
    return photos.use_photos(ids, [], PHOTO.uploaded_hashes(ids, by), by=by)


def check_with(sent: Sequence[str], by: int) -> int:
    """Insert a check with photos that a user uploaded; return its id."""
    with transaction():
        check = Check(
            reg="LK19 VTE",
            reg_key="lk19vte",
            day=dates.today(),
            odometer=48_210,
            items={},
            search_key="lk19vte",
            submitted_by=by,
            submitted_at=datetime.now(UTC),
        )
        db.session.add(check)
        db.session.flush()
        for position, photo_hash in enumerate(use(sent, by=by)):
            db.session.add(CheckPhoto(check_id=check.id, photo_hash=photo_hash, position=position))
        return check.id
