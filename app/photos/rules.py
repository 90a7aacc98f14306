"""Rules of image files and documents; pure."""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.errors import Invalid, TooLarge, Unsupported

JPEG, PDF = "image/jpeg", "application/pdf"

MAX_BYTES = 8 * 1024 * 1024
"""The most bytes of a sent photo or document."""

UPRIGHT = 1
MAX_SCANS = 32
MAX_TAGS = 1000
MAX_SEGMENTS = 150_000

TOO_LARGE = "A photo may have at most 8 MB."
CUT_OFF = "The photo is incomplete. Send it again."
BROKEN = "The photo can't be read. Take it again or choose another."

JPEG_END = b"\xff\xd9"
JPEG_PADDING = b"\xff\x00" * 8
"""Bytes for a decoder that reads beyond the last scan: 8 bytes of ones, too few for two blocks."""
# Matches no fill bytes, no markers without content and nothing that occurs inside a scan.
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNKS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_WEBP_CHUNKS = (b"VP8 ", b"VP8L", b"ALPH", b"ANIM")
_ALPHA_AND_ANIMATION = 0x12
_ORIENTATION, _SHORT = 0x0112, 3


class ImageType(StrEnum):
    """The file types that are accepted."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WEBP"


@dataclass(frozen=True)
class ImageFile:
    """The picture in a file; `data` is a file of its own, `orientation` is EXIF's, 1 to 8."""

    type: ImageType
    data: bytes
    orientation: int


def image_type(data: bytes) -> ImageType | None:
    """Return a file's type by its content, None for others than the accepted ones."""
    if data.startswith(b"\xff\xd8\xff"):
        return ImageType.JPEG
    if data.startswith(_PNG):
        return ImageType.PNG
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return ImageType.WEBP
    return None


def extract_image(data: bytes) -> ImageFile:
    """Return the first picture of a file alone; raises Unsupported, and Invalid if damaged."""
    kind = image_type(data)
    if kind is None:
        raise Unsupported("Use a JPEG, PNG or WebP photo.")
    extract = {
        ImageType.JPEG: _extract_jpeg,
        ImageType.PNG: _extract_png,
        ImageType.WEBP: _extract_webp,
    }[kind]
    try:
        image, exif = extract(data)
    except (struct.error, IndexError):
        raise Invalid(CUT_OFF) from None
    return ImageFile(kind, image, parse_orientation(exif))


def parse_orientation(exif: bytes) -> int:
    """Return the orientation in EXIF data, UPRIGHT if the data is missing or broken."""
    exif = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None:
        return UPRIGHT
    try:
        (start,) = struct.unpack_from(order + "I", exif, 4)
        (tags,) = struct.unpack_from(order + "H", exif, start)
        for number in range(min(tags, MAX_TAGS)):
            tag, kind, _, value = struct.unpack_from(order + "HHIH", exif, start + 2 + 12 * number)
            if tag == _ORIENTATION:
                return value if kind == _SHORT and 1 <= value <= 8 else UPRIGHT
    except struct.error:
        pass
    return UPRIGHT


def jpeg_ending(filler: bytes) -> bytes:
    """Return an end for a JPEG without one; only a scan that is cut off shows its filler."""
    restarts = range(0xD0, 0xD8)
    return b"".join(filler * 32 + bytes([0xFF, restart]) for restart in restarts) + JPEG_END


def _extract_jpeg(data: bytes) -> tuple[bytes, bytes]:
    chunks, exif, scans = [b"\xff\xd8"], b"", 0
    for marker, start, end in _segments(data):
        segment = data[start:end]
        is_colour = (marker == 0xE0 and segment[4:8] == b"JFIF") or (
            marker == 0xEE and segment[4:9] == b"Adobe"
        )
        if marker == 0xDA:
            scans += 1
            if scans > MAX_SCANS:
                raise Invalid(BROKEN)
        if marker == 0xE1 and segment[4:10] == b"Exif\0\0" and not exif:
            exif = segment[4:]
        if is_colour or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            chunks.append(segment)
    if not scans:
        raise Invalid(CUT_OFF)
    return b"".join([*chunks, JPEG_END]), exif


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield marker, start and end of each segment of a JPEG; a scan includes its content."""
    at = 2
    for _ in range(MAX_SEGMENTS):
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


def _extract_png(data: bytes) -> tuple[bytes, bytes]:
    chunks, exif = [_PNG], b""
    at = len(_PNG)
    for _ in range(MAX_SEGMENTS):
        (length,) = struct.unpack_from(">I", data, at)
        kind, end = data[at + 4 : at + 8], at + 12 + length
        (checksum,) = struct.unpack_from(">I", data, end - 4)
        if kind in _PNG_CHUNKS:
            if zlib.crc32(data[at + 4 : end - 4]) != checksum or (at == 8) != (kind == b"IHDR"):
                raise Invalid(BROKEN)
            if length or kind == b"IEND":
                chunks.append(data[at:end])
        elif kind == b"eXIf":
            exif = data[at + 8 : end - 4]
        if kind == b"IEND":
            return b"".join(chunks), exif
        at = end
    raise Invalid(BROKEN)


def _extract_webp(data: bytes) -> tuple[bytes, bytes]:
    chunks, exif, at, has_frame = [b"WEBP"], b"", 12, False
    file_size = 8 + struct.unpack_from("<I", data, 4)[0]
    if file_size > len(data):
        raise Invalid(CUT_OFF)
    for _ in range(MAX_SEGMENTS):
        if at + 8 > file_size:
            body = b"".join(chunks)
            return b"RIFF" + struct.pack("<I", len(body)) + body, exif
        kind, length = struct.unpack_from("<4sI", data, at)
        end = at + 8 + length
        if end > file_size:
            raise Invalid(CUT_OFF)
        content = data[at + 8 : end]
        if kind == b"VP8X" and content:
            content = bytes([content[0] & _ALPHA_AND_ANIMATION]) + content[1:]
        # Only the first frame of an animation is wanted.
        if kind in (*_WEBP_CHUNKS, b"VP8X") or (kind == b"ANMF" and not has_frame):
            has_frame = has_frame or kind == b"ANMF"
            chunks.append(struct.pack("<4sI", kind, length) + content + b"\0" * (length % 2))
        elif kind == b"EXIF":
            exif = content
        at = end + length % 2
    raise Invalid(BROKEN)


DOCUMENT_TOO_LARGE = "A document may have at most 8 MB."

_HEADER = re.compile(rb"%PDF-[12]\.[0-9]")
_TRAILER = re.compile(rb"startxref\s+[0-9]{1,10}\s+%%EOF")


def is_pdf(data: bytes) -> bool:
    """Return whether a file declares early that it is a PDF, and is no web page as well."""
    found = _HEADER.search(data[:1024])
    return found is not None and b"<" not in data[: found.start()]


def check_document(data: bytes) -> None:
    """Check that a file is a whole PDF of at most MAX_BYTES.

    Nothing inside it is read: it is only downloaded, never shown here. Raises TooLarge, Unsupported
    for another kind of file, and Invalid when its end is missing.
    """
    if len(data) > MAX_BYTES:
        raise TooLarge(DOCUMENT_TOO_LARGE)
    if not is_pdf(data):
        raise Unsupported("Use a PDF document.")
    if not _TRAILER.search(data[-2048:]):
        raise Invalid("The PDF is incomplete. Send it again.")
