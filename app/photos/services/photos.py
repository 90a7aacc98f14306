"""Photos as they are stored: small, upright and without metadata; checks use them.

See docs/domain.md, Photos and documents.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import BoundedSemaphore

from app.errors import ErrorCode, Invalid, QuartermasterError, TooLarge, Unavailable
from app.photos.rules import MAX_BYTES, TOO_LARGE, extract_image
from app.photos.services.contents import PHOTO, NewContent, StoredContent
from app.sent_files import SentFile

MAX_REQUEST_PIXELS = 120_000_000
LARGE_PIXELS = 12_000_000

_TOO_MANY_REQUEST_PIXELS = (
    "The photos of one request may have at most 120 megapixels together. Make them smaller, or "
    "send each on its own."
)
_BUSY = "Too many photos are being read just now. Try again in a moment."


class FileNotSent(Invalid):
    """A photo or document is named that its sender hasn't uploaded."""

    code = ErrorCode.PHOTOS_MISSING
    message = "A file was not sent by you. Send it again."


class DecodeSlots:
    """Limits how many pictures a process decodes at once, and large ones to one."""

    def __init__(self, number: int, wait_seconds: float) -> None:
        self.wait_seconds = wait_seconds
        self._all = BoundedSemaphore(number)
        self._large = BoundedSemaphore(1)

    @contextmanager
    def acquire(self, *, large: bool) -> Iterator[None]:
        """Occupy a slot; raises Unavailable when none is free within `wait_seconds`."""
        with ExitStack() as slots:
            # A large picture that waits for another large one must not occupy a common slot.
            for semaphore in (self._large, self._all) if large else (self._all,):
                if not semaphore.acquire(timeout=self.wait_seconds):
                    raise Unavailable(_BUSY)
                slots.callback(semaphore.release)
            yield


decode_slots = DecodeSlots(2, wait_seconds=10.0)


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
class Picture(NewContent):
    """A photo as it is stored."""

    width: int
    height: int
    thumbnail: bytes


def prepare_picture(data: bytes, budget: PixelBudget | None = None) -> Picture:
    """Re-encode a sent photo as it is stored; of an animation, the first frame. No database.

    The pictures of one request share a `budget`. Raises TooLarge, Unsupported when it isn't a JPEG,
    PNG or WebP, Invalid when it can't be decoded, and Unavailable when all slots are occupied.
    """
    if not data:
        raise Invalid("The photo is empty.")
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
            thumbnail=decoding.encode_thumbnail(upright),
        )


def prepare_photos(photos: Sequence[SentFile], stored: Iterable[StoredContent]) -> list[Picture]:
    """Decode the photos that come with their content and write their files, each once.

    Photos in `stored` with a file are skipped. Call it outside a transaction, since it takes long.
    Raises the errors of `prepare_picture`, with the number of the photo.
    """
    done = {photo.id for photo in stored if PHOTO.is_stored(photo.row.hash)}
    budget = PixelBudget()
    pictures: list[Picture] = []
    for number, photo in enumerate(photos, start=1):
        if photo.data is not None and photo.id not in done:
            done.add(photo.id)
            try:
                pictures.append(prepare_picture(photo.data, budget))
            except QuartermasterError as error:
                error.message = f"Photo {number}: {error.message}"
                error.fields = {f"photos.{number - 1}.dataUri": error.message}
                raise
    for picture in pictures:
        PHOTO.store(picture)
    return pictures


def check_uploaded(ids: Sequence[str], uploaded: Collection[str]) -> None:
    """Check that its sender has uploaded every photo; raises FileNotSent."""
    for number, sent_hash in enumerate(ids, 1):
        if sent_hash not in uploaded:
            raise FileNotSent(f"Photo {number} was not sent by you. Send it again.", "photos")


def use_photos(
    ids: Sequence[str], pictures: Sequence[Picture], uploads: Mapping[str, str], *, by: int
) -> list[str]:
    """Save new pictures and return the stored hashes of the photos with these ids, all locked.

    `uploads` are the stored hashes of earlier uploads. Raises Invalid for a photo that this user
    didn't upload.
    """
    current = PHOTO.use(ids, pictures, uploads, by=by)
    check_uploaded(ids, current)
    return [current[sent_hash] for sent_hash in ids]
