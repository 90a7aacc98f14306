"""Photos as they are stored: small, upright and without metadata.

See docs/domain.md, Photos and documents.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from threading import BoundedSemaphore

from app.errors import Invalid, TooLarge, Unavailable
from app.photos.rules import extract_image

MAX_BYTES = 8 * 1024 * 1024
MAX_REQUEST_PIXELS = 120_000_000
LARGE_PIXELS = 12_000_000
MAX_WAIT_SECONDS = 10.0

TOO_LARGE = "A photo may have at most 8 MB."
_TOO_MANY_REQUEST_PIXELS = (
    "The photos of one request may have at most 120 megapixels together. Make them smaller, or "
    "send each on its own."
)
_BUSY = "Too many photos are being read just now. Try again in a moment."
_EMPTY = "The photo is empty."


class DecodeSlots:
    """Limits how many pictures a process decodes at once, and large ones to one."""

    def __init__(self, number: int, wait_seconds: float) -> None:
        self.wait_seconds = wait_seconds
        self._all = BoundedSemaphore(number)
        self._large = BoundedSemaphore(1)

    @contextmanager
    def acquire(self, *, large: bool) -> Iterator[None]:
        """Occupy a slot; raises Unavailable when none is free within `wait_seconds`."""
        # A large picture that waits for another large one must not occupy a common slot.
        with self._slot(self._large) if large else nullcontext(), self._slot(self._all):
            yield

    @contextmanager
    def _slot(self, semaphore: BoundedSemaphore) -> Iterator[None]:
        if not semaphore.acquire(timeout=self.wait_seconds):
            raise Unavailable(_BUSY)
        try:
            yield
        finally:
            semaphore.release()


decode_slots = DecodeSlots(2, MAX_WAIT_SECONDS)


class PixelBudget:
    """The pixels that one request may still have decoded."""

    def __init__(self) -> None:
        self._left = MAX_REQUEST_PIXELS

    def spend(self, pixels: int) -> None:
        """Subtract pixels; raises Invalid when the budget is exceeded."""
        self._left -= pixels
        if self._left < 0:
            raise Invalid(_TOO_MANY_REQUEST_PIXELS)


@dataclass(frozen=True)
class Picture:
    """A photo to be stored: `hash` is the SHA-256 of `data`, `sent_hash` of the sent bytes."""

    sent_hash: str
    hash: str
    width: int
    height: int
    data: bytes
    thumbnail: bytes


def prepare_picture(data: bytes, budget: PixelBudget | None = None) -> Picture:
    """Re-encode a sent photo as it is stored; of an animation, the first frame. No database.

    The pictures of one request share a `budget`. Raises TooLarge, Unsupported when it isn't a JPEG,
    PNG or WebP, Invalid when it can't be decoded, and Unavailable when all slots are occupied.
    """
    if not data:
        raise Invalid(_EMPTY)
    if len(data) > MAX_BYTES:
        raise TooLarge(TOO_LARGE)
    file = extract_image(data)
    # Pillow is imported into a process only when it gets its first photo.
    from app.photos.services import decoding

    pixels = decoding.count_pixels(file)
    if budget:
        budget.spend(pixels)
    with decode_slots.acquire(large=pixels > LARGE_PIXELS):
        upright = decoding.decode_upright(file)
        encoded = decoding.encode(upright)
        return Picture(
            sent_hash=hashlib.sha256(data).hexdigest(),
            hash=hashlib.sha256(encoded).hexdigest(),
            width=upright.width,
            height=upright.height,
            data=encoded,
            thumbnail=decoding.encode(decoding.thumbnail_of(upright)),
        )
