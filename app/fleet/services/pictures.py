"""Photos as they are kept: upright, small, and nothing in them but what one sees."""

import hashlib
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from app.errors import Invalid

LONGEST_SIDE = 1600
THUMBNAIL_SIDE = 160
QUALITY = 85


@dataclass(frozen=True)
class Picture:
    """A photo ready to be kept: `hash` is of `data`, `sent_hash` of what was sent."""

    sent_hash: str
    hash: str
    width: int
    height: int
    data: bytes
    thumbnail: bytes


def prepare(data: bytes) -> Picture:
    """Turn what was sent into what is kept; raises Invalid when it can't be drawn."""
    try:
        with Image.open(BytesIO(data), formats=("JPEG", "PNG", "WEBP")) as opened:
            image = ImageOps.exif_transpose(opened).convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        raise Invalid("The photo can't be read.") from None
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    kept = _encoded(image)
    size = image.size
    image.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    return Picture(
        sent_hash=hashlib.sha256(data).hexdigest(),
        hash=hashlib.sha256(kept).hexdigest(),
        width=size[0],
        height=size[1],
        data=kept,
        thumbnail=_encoded(image),
    )


def _encoded(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()
