"""Photos as they are kept: small, upright, and nothing in them but what one sees (design §4)."""

import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import BytesIO
from threading import BoundedSemaphore
from typing import Final

from PIL import Image
from PIL.ImageFile import ImageFile as Decoder
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from app.errors import Invalid, QuartermasterError, TooLarge, Unavailable
from app.fleet.rules.image_files import (
    BROKEN,
    CUT_OFF,
    ImageFile,
    ImageType,
    drawn_part,
    filled,
)

log = logging.getLogger(__name__)

MOST_BYTES = 8 * 1024 * 1024
MOST_PIXELS = 40_000_000
MOST_PIXELS_AT_ONCE = 120_000_000
LARGE = 12_000_000
LONGEST_WAIT = 10.0
LONGEST_SENT = 30_000
LONGEST_SIDE = 1600
THUMBNAIL_SIDE = 160
QUALITIES = (85, 75, 65, 55)
LIGHT = 240_000
"""Bytes that a picture has at most, if one of the qualities gets it there."""
ROWS_AT_A_TIME = 256

TOO_LARGE = "A photo may have at most 8 MB."
_TOO_MANY_PIXELS = "A photo may have at most 40 megapixels."
_TOO_LONG = "A photo may be at most 30,000 pixels long."
_TOO_MANY_AT_ONCE = (
    "The photos of one request may have at most 120 megapixels together. Make them smaller, or "
    "send each on its own."
)
_BUSY = "Too many photos are being read just now. Try again in a moment."
_EMPTY = "The photo is empty."

_DECODERS: Final[dict[ImageType, type[Decoder]]] = {
    ImageType.JPEG: JpegImageFile,
    ImageType.PNG: PngImageFile,
    ImageType.WEBP: WebPImageFile,
}
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


class Places:
    """Where pictures are drawn: so many at once in each process, of large ones one.

    Whoever has no place after `wait` seconds is told to come back.
    """

    def __init__(self, number: int, wait: float) -> None:
        self.wait = wait
        self._any = BoundedSemaphore(number)
        self._large = BoundedSemaphore(1)

    @contextmanager
    def taken(self, *, large: bool) -> Iterator[None]:
        """Take a place, or raise Unavailable."""
        # A large picture that waits for another large one keeps no place from the others.
        with self._one_of(self._large) if large else nullcontext(), self._one_of(self._any):
            yield

    @contextmanager
    def _one_of(self, free: BoundedSemaphore) -> Iterator[None]:
        if not free.acquire(timeout=self.wait):
            raise Unavailable(_BUSY)
        try:
            yield
        finally:
            free.release()


places = Places(2, LONGEST_WAIT)


class PixelBudget:
    """The pixels that one request may have drawn."""

    def __init__(self) -> None:
        self._left = MOST_PIXELS_AT_ONCE

    def spend(self, pixels: int) -> None:
        """Take pixels off; raises Invalid when they are too many."""
        self._left -= pixels
        if self._left < 0:
            raise Invalid(_TOO_MANY_AT_ONCE)


@dataclass(frozen=True)
class Picture:
    """A photo ready to be kept: `hash` is of `data`, `sent_hash` of what was sent."""

    sent_hash: str
    hash: str
    width: int
    height: int
    data: bytes
    thumbnail: bytes


def prepare(data: bytes, budget: PixelBudget | None = None) -> Picture:
    """Turn what was sent into what is kept, without a database.

    Of an animation that is its first frame. Where a request has several pictures, each spends of
    its budget. Raises TooLarge, Unsupported when it is no JPEG, PNG or WebP, Invalid when it can't
    be drawn, and Unavailable when too many others are.
    """
    if not data:
        raise Invalid(_EMPTY)
    if len(data) > MOST_BYTES:
        raise TooLarge(TOO_LARGE)
    file = drawn_part(data)
    with _opened(file.type, file.data) as image:
        pixels = _pixels(image)
    if budget:
        budget.spend(pixels)
    with places.taken(large=pixels > LARGE):
        drawn = _drawn(file)
        encoded = _encoded(drawn)
        thumbnail = drawn.copy()
        thumbnail.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
        return Picture(
            sent_hash=hashlib.sha256(data).hexdigest(),
            hash=hashlib.sha256(encoded).hexdigest(),
            width=drawn.width,
            height=drawn.height,
            data=encoded,
            thumbnail=_encoded(thumbnail),
        )


@contextmanager
def _opened(kind: ImageType, data: bytes) -> Iterator[Decoder]:
    """Open a picture; whatever its decoder says of it is that it is damaged."""
    try:
        with _DECODERS[kind](BytesIO(data)) as image:
            yield image
    except QuartermasterError:
        raise
    except Image.DecompressionBombError:
        raise Invalid(_TOO_MANY_PIXELS) from None
    except Exception as error:
        # What a decoder raises about a hostile file is not to be foreseen.
        log.info("A photo was refused: %r", error)
        raise Invalid(BROKEN) from None


def _pixels(image: Decoder) -> int:
    pixels = image.width * image.height
    if pixels > MOST_PIXELS:
        raise Invalid(_TOO_MANY_PIXELS)
    if max(image.size) > LONGEST_SENT:
        raise Invalid(_TOO_LONG)
    return pixels


def _drawn(file: ImageFile) -> Image.Image:
    """Draw a file upright, at most LONGEST_SIDE long, on white.

    Where a JPEG is cut off and ended, its decoder draws grey and says nothing. What is put before
    the end is drawn there instead, and tells.
    """
    if file.type is ImageType.JPEG:
        drawn, other = (_small(file.type, filled(file.data, byte)) for byte in (b"\0", b"\x55"))
        if drawn != other:
            raise Invalid(CUT_OFF)
    else:
        drawn = _small(file.type, file.data)
    turn = _TURNS.get(file.orientation)
    return drawn if turn is None else drawn.transpose(turn)


def _small(kind: ImageType, data: bytes) -> Image.Image:
    """Draw a picture at most LONGEST_SIDE long, on white."""
    with _opened(kind, data) as image:
        _read_small(image)
        shrunk = _shrunk(image)
        shrunk.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
        return shrunk


def _read_small(image: Decoder) -> None:
    """Decode a picture; a JPEG no larger than it is needed."""
    if isinstance(image, JpegImageFile):
        scale = max(1.0, max(image.size) / LONGEST_SIDE)
        image.draft(None, (max(1, int(image.width / scale)), max(1, int(image.height / scale))))
    image.load()


def _shrunk(image: Image.Image) -> Image.Image:
    """Return a picture in RGB, made smaller by a whole number.

    It goes a strip at a time, so that a large one isn't held twice.
    """
    factor = max(1, max(image.size) // LONGEST_SIDE)
    small = Image.new("RGB", (-(-image.width // factor), -(-image.height // factor)))
    rows = factor * max(1, ROWS_AT_A_TIME // factor)
    for top in range(0, image.height, rows):
        strip = image.crop((0, top, image.width, min(top + rows, image.height)))
        small.paste(_on_white(strip).reduce(factor), (0, top // factor))
    return small


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I;16"):
        # Shades of 16 bits: their upper 8.
        return image.point(lambda shade: shade * (1 / 256) + 0, "L").convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    seen = image.convert("RGBA")
    white = Image.new("RGB", image.size, "white")
    white.paste(seen, mask=seen.getchannel("A"))
    return white


def _encoded(image: Image.Image) -> bytes:
    """Write a picture as JPEG, of the first quality that is light enough."""
    written = b""
    for quality in QUALITIES:
        file = BytesIO()
        image.save(file, "JPEG", quality=quality, optimize=True)
        written = file.getvalue()
        if len(written) <= LIGHT:
            break
    return written
