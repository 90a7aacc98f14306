"""What a JPEG, PNG or WebP file needs to be drawn, without all else that it carries; pure.

What isn't drawn (profiles, texts, previews, further frames, whatever stands behind the picture)
is taken off before a decoder sees it, so that it can neither be stored nor fill the memory.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.errors import Invalid, Unsupported

UPRIGHT = 1
MOST_SCANS = 32
MOST_TAGS = 1000
MOST_PARTS = 150_000

_WRONG_TYPE = "Only JPEG, PNG and WebP photos can be kept."
CUT_OFF = "The photo is cut off: its end is missing."
BROKEN = "The photo can't be read: it is damaged."

_JPEG_END = b"\xff\xd9"
# Neither padding, nor what has no content, nor what stands inside a scan.
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
_PNG = b"\x89PNG\r\n\x1a\n"
_DRAWN_PNG = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_DRAWN_WEBP = (b"VP8 ", b"VP8L", b"ALPH", b"ANIM")
_ALPHA_AND_ANIMATION = 0x12
_ORIENTATION, _SHORT = 0x0112, 3


class ImageType(StrEnum):
    """The types that are taken."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WEBP"


@dataclass(frozen=True)
class ImageFile:
    """What is drawn of a file, and how it must be turned: 1 to 8 as EXIF counts."""

    type: ImageType
    data: bytes
    orientation: int


def image_type(data: bytes) -> ImageType:
    """Tell what a file is by its content.

    Raises Unsupported when it is none of the types that are taken.
    """
    if data.startswith(b"\xff\xd8\xff"):
        return ImageType.JPEG
    if data.startswith(_PNG):
        return ImageType.PNG
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return ImageType.WEBP
    raise Unsupported(_WRONG_TYPE)


def drawn_part(data: bytes) -> ImageFile:
    """Return what is drawn of a file, one picture.

    Raises Unsupported for other types, and Invalid when the file is cut off or damaged.
    """
    kind = image_type(data)
    read = {ImageType.JPEG: _jpeg, ImageType.PNG: _png, ImageType.WEBP: _webp}[kind]
    try:
        drawn, exif = read(data)
    except (struct.error, IndexError):
        raise Invalid(CUT_OFF) from None
    return ImageFile(kind, drawn, orientation(exif))


def orientation(exif: bytes) -> int:
    """Return how EXIF says that a picture must be turned; broken EXIF says nothing."""
    exif = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None:
        return UPRIGHT
    try:
        (start,) = struct.unpack_from(order + "I", exif, 4)
        (tags,) = struct.unpack_from(order + "H", exif, start)
        for number in range(min(tags, MOST_TAGS)):
            tag, kind, _, value = struct.unpack_from(order + "HHIH", exif, start + 2 + 12 * number)
            if tag == _ORIENTATION:
                return value if kind == _SHORT and 1 <= value <= 8 else UPRIGHT
    except struct.error:
        pass
    return UPRIGHT


def filled(jpeg: bytes, byte: bytes) -> bytes:
    """Return a drawn part of a JPEG with more to draw before its end, which says nothing.

    A decoder draws it only where what comes before is cut off.
    """
    more = b"".join(byte * 32 + bytes([0xFF, restart]) for restart in range(0xD0, 0xD8))
    return jpeg.removesuffix(_JPEG_END) + more + _JPEG_END


def _jpeg(data: bytes) -> tuple[bytes, bytes]:
    kept, exif, scans = [b"\xff\xd8"], b"", 0
    for marker, start, end in _segments(data):
        segment = data[start:end]
        is_colour = (marker == 0xE0 and segment[4:8] == b"JFIF") or (
            marker == 0xEE and segment[4:9] == b"Adobe"
        )
        if marker == 0xDA:
            scans += 1
            if scans > MOST_SCANS:
                raise Invalid(BROKEN)
        if marker == 0xE1 and segment[4:10] == b"Exif\0\0" and not exif:
            exif = segment[4:]
        if is_colour or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            kept.append(segment)
    if not scans:
        raise Invalid(CUT_OFF)
    return b"".join([*kept, _JPEG_END]), exif


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield marker, start and end of a JPEG's segments up to its end, a scan with its content."""
    at = 2
    for _ in range(MOST_PARTS):
        at = _next_marker(data, at)
        marker = data[at + 1]
        if marker == 0xD9:
            return
        (length,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + length
        if length < 2 or end > len(data):
            raise Invalid(CUT_OFF if length >= 2 else BROKEN)
        if marker == 0xDA:
            end = _next_marker(data, end)
        yield marker, at, end
        at = end
    raise Invalid(BROKEN)


def _next_marker(data: bytes, at: int) -> int:
    found = _MARKER.search(data, at)
    if found is None:
        raise Invalid(CUT_OFF)
    return found.start()


def _png(data: bytes) -> tuple[bytes, bytes]:
    kept, exif = [_PNG], b""
    at = len(_PNG)
    for _ in range(MOST_PARTS):
        (length,) = struct.unpack_from(">I", data, at)
        kind, end = data[at + 4 : at + 8], at + 12 + length
        (checksum,) = struct.unpack_from(">I", data, end - 4)
        if kind in _DRAWN_PNG:
            if zlib.crc32(data[at + 4 : end - 4]) != checksum or (at == 8) != (kind == b"IHDR"):
                raise Invalid(BROKEN)
            if length or kind == b"IEND":
                kept.append(data[at:end])
        elif kind == b"eXIf":
            exif = data[at + 8 : end - 4]
        if kind == b"IEND":
            return b"".join(kept), exif
        at = end
    raise Invalid(BROKEN)


def _webp(data: bytes) -> tuple[bytes, bytes]:
    kept, exif, at, has_frame = [b"WEBP"], b"", 12, False
    whole = 8 + struct.unpack_from("<I", data, 4)[0]
    if whole > len(data):
        raise Invalid(CUT_OFF)
    for _ in range(MOST_PARTS):
        if at + 8 > whole:
            body = b"".join(kept)
            return b"RIFF" + struct.pack("<I", len(body)) + body, exif
        kind, length = struct.unpack_from("<4sI", data, at)
        end = at + 8 + length
        if end > whole:
            raise Invalid(CUT_OFF)
        content = data[at + 8 : end]
        if kind == b"VP8X" and content:
            content = bytes([content[0] & _ALPHA_AND_ANIMATION]) + content[1:]
        # Of an animation the first frame alone.
        if kind in (*_DRAWN_WEBP, b"VP8X") or (kind == b"ANMF" and not has_frame):
            has_frame = has_frame or kind == b"ANMF"
            kept.append(struct.pack("<4sI", kind, length) + content + b"\0" * (length % 2))
        elif kind == b"EXIF":
            exif = content
        at = end + length % 2
    raise Invalid(BROKEN)
