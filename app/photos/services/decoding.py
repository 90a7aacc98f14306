"""Decode sent photos and encode stored ones, with Pillow."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from typing import Final

from PIL import ExifTags, Image, ImageOps
from PIL.ImageFile import ImageFile as Decoder
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from app.errors import Invalid, QuartermasterError
from app.photos import rules
from app.photos.rules import ImageFile, ImageType

log = logging.getLogger(__name__)

MAX_PIXELS = 40_000_000
MAX_SENT_SIDE = 30_000
MAX_STORED_SIDE = 1600
THUMBNAIL_SIDE = 160
QUALITIES = (85, 75, 65, 55)
TARGET_BYTES = 240_000
"""The size up to which a lower quality is tried; the lowest one may exceed it."""
THUMBNAIL_QUALITIES = (*QUALITIES, 40, 25, 10, 5)
THUMBNAIL_BYTES = 3 * 1024
"""The size of a thumbnail: a list has dozens, and even noise fits at the lowest quality."""
STRIP_ROWS = 256

_TOO_MANY_PIXELS = "A photo may have at most 40 megapixels."


class OpenEndedJpeg(JpegImageFile):
    """A JPEG that may lack its end: a decoder that needs more gets `ending`, `was_ended` is set."""

    ending = b""
    was_ended = False

    def load_read(self, read_bytes: int) -> bytes:
        """Return the next bytes of the file, and after its last ones the ending."""
        data = super().load_read(read_bytes)
        if data or self.was_ended:
            return data
        self.was_ended = True
        return self.ending


_DECODERS: Final[dict[ImageType, type[Decoder]]] = {
    ImageType.JPEG: JpegImageFile,
    ImageType.PNG: PngImageFile,
    ImageType.WEBP: WebPImageFile,
}


def _open(file: ImageFile) -> Decoder:
    return _DECODERS[file.type](BytesIO(file.data))


@contextmanager
def _refuse_undecodable() -> Iterator[None]:
    try:
        yield
    except QuartermasterError:
        raise
    except Image.DecompressionBombError:
        raise Invalid(_TOO_MANY_PIXELS) from None
    except Exception as error:
        # Decoders raise anything at all about a hostile file.
        log.info("A photo was refused: %r", error)
        raise Invalid(rules.BROKEN) from None


def count_pixels(file: ImageFile) -> int:
    """Return how many pixels a file has, by its header; raises Invalid if they are too many."""
    with _refuse_undecodable(), _open(file) as image:
        pixels = image.width * image.height
        if pixels > MAX_PIXELS:
            raise Invalid(_TOO_MANY_PIXELS)
        if max(image.size) > MAX_SENT_SIDE:
            raise Invalid("A photo may be at most 30,000 pixels long.")
        return pixels


def decode_upright(file: ImageFile) -> Image.Image:
    """Decode a file upright, at most MAX_STORED_SIDE long, on white."""
    decoded = _decode_jpeg(file) if file.type is ImageType.JPEG else _decode(file)
    decoded.getexif()[ExifTags.Base.Orientation] = file.orientation
    ImageOps.exif_transpose(decoded, in_place=True)
    return decoded


def _decode_jpeg(file: ImageFile) -> Image.Image:
    """Decode a JPEG; raises Invalid when its last scan is cut off, though the file has an end.

    Decoders fill missing parts with grey and report no error. So the JPEG is decoded without its
    end first, which a decoder of one complete scan doesn't need. If the decoder does need it (as
    with every JPEG of several scans), a second decoding shows whether another filler is visible.
    """
    open_ended = file.data.removesuffix(rules.JPEG_END)
    with _refuse_undecodable(), OpenEndedJpeg(BytesIO(open_ended + rules.JPEG_PADDING)) as image:
        image.ending = rules.jpeg_ending(b"\0")
        decoded = _load_small(image)
        is_complete = not image.was_ended
    if is_complete or decoded == _decode(
        replace(file, data=open_ended + rules.jpeg_ending(b"\x55"))
    ):
        return decoded
    raise Invalid(rules.CUT_OFF)


def _decode(file: ImageFile) -> Image.Image:
    with _refuse_undecodable(), _open(file) as image:
        return _load_small(image)


def _load_small(image: Decoder) -> Image.Image:
    """Decode a picture at most MAX_STORED_SIDE long, a JPEG at the smallest sufficient scale."""
    if isinstance(image, JpegImageFile):
        scale = max(1.0, max(image.size) / MAX_STORED_SIDE)
        image.draft(None, (max(1, int(image.width / scale)), max(1, int(image.height / scale))))
    image.load()
    small = _reduce(image)
    small.thumbnail((MAX_STORED_SIDE, MAX_STORED_SIDE), Image.Resampling.LANCZOS)
    return small


def _reduce(image: Image.Image) -> Image.Image:
    """Return a picture in RGB, reduced by a whole number, in strips to save memory."""
    factor = max(1, max(image.size) // MAX_STORED_SIDE)
    reduced = Image.new("RGB", (-(-image.width // factor), -(-image.height // factor)))
    rows = factor * max(1, STRIP_ROWS // factor)
    for top in range(0, image.height, rows):
        strip = image.crop((0, top, image.width, min(top + rows, image.height)))
        reduced.paste(_on_white(strip).reduce(factor), (0, top // factor))
    return reduced


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I;16"):
        # The upper 8 of 16 bits per pixel.
        return image.point(lambda shade: shade * (1 / 256) + 0, "L").convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    foreground = image.convert("RGBA")
    white = Image.new("RGB", image.size, "white")
    white.paste(foreground, mask=foreground.getchannel("A"))
    return white


def encode(
    image: Image.Image, qualities: Sequence[int] = QUALITIES, target: int = TARGET_BYTES
) -> bytes:
    """Return a picture as JPEG, of the highest quality that fits the target."""
    encoded = b""
    for quality in qualities:
        file = BytesIO()
        image.save(file, "JPEG", quality=quality, optimize=True)
        encoded = file.getvalue()
        if len(encoded) <= target:
            break
    return encoded


def encode_thumbnail(picture: Image.Image) -> bytes:
    """Return a small copy of a picture as JPEG."""
    thumbnail = picture.copy()
    thumbnail.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    return encode(thumbnail, THUMBNAIL_QUALITIES, THUMBNAIL_BYTES)
