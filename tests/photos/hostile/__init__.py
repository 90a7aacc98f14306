"""Generated files that pretend to be photos, each with the status of its refusal."""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO

from PIL import Image

from tests.photos.photo_files import encoded, jpeg, marked

PAYLOAD = b"<script>alert('hostile')</script>"

Hostile = tuple[str, bytes, int]


def refused() -> Iterator[Hostile]:
    """Yield name, content and status of every file that must be refused."""
    yield from _of_other_types()
    yield from _truncated()
    yield from _broken_jpegs()
    yield from _broken_pngs()
    yield from _broken_webps()


def disguised() -> Iterator[tuple[str, bytes]]:
    """Yield name and content of pictures with hidden data, which must be removed."""
    good = jpeg()
    zipped = b"PK\3\4" + PAYLOAD + b"PK\5\6" + b"\0" * 18
    yield "JPEG with a ZIP behind it", good + zipped
    yield "JPEG with a page in its comment", good[:2] + _segment(0xFE, PAYLOAD) + good[2:]
    yield "JPEG with a page as profile", good[:2] + _segment(0xE2, PAYLOAD) + good[2:]
    yield "JPEG with EXIF that loops", good[:2] + _segment(0xE1, _looping_exif()) + good[2:]
    yield "JPEG with EXIF of 65,535 tags", good[:2] + _segment(0xE1, _endless_exif()) + good[2:]
    yield (
        "JPEG with a broken preview list",
        good[:2] + _segment(0xE2, b"MPF\0" + PAYLOAD) + good[2:],
    )
    adobe = _segment(0xEE, b"Adobe" + PAYLOAD[:7])
    yield "JPEG with a wrong Adobe marker", good[:2] + adobe + _segment(0xFE, PAYLOAD) + good[2:]
    yield "PNG with a script behind it", _png() + PAYLOAD
    yield "PNG with a script in its text", _png(_chunk(b"tEXt", b"Comment\0" + PAYLOAD))
    bomb = zlib.compress(b"\0" * 50_000_000, 9)
    yield "PNG with a bomb as text", _png(_chunk(b"zTXt", b"Comment\0\0" + bomb) + _text())
    yield "PNG with a bomb as profile", _png(_chunk(b"iCCP", b"p\0\0" + bomb) + _text())
    yield "PNG with EXIF that repeats itself", _png(_chunk(b"eXIf", _repeating_exif()) + _text())
    yield "PNG of 100,000 empty parts", _png(_chunk(b"IDAT", b"") * 100_000 + _text())
    yield "WebP with something behind it", encoded(marked(), "WEBP") + PAYLOAD
    yield "WebP with a page as XMP", encoded(marked(), "WEBP", xmp=PAYLOAD)


def _of_other_types() -> Iterator[Hostile]:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    yield "an empty file", b"", 422
    yield "one byte", b"\xff", 415
    yield "zeros", b"\0" * 4096, 415
    yield "SVG", svg, 415
    yield "SVG with a declaration", b'<?xml version="1.0"?>' + svg, 415
    yield "SVGZ", b"\x1f\x8b\x08\0" + zlib.compress(svg), 415
    yield "HTML", b"<!doctype html><html>" + PAYLOAD, 415
    yield "a script", b"#!/bin/sh\nrm -rf /\n", 415
    yield "GIF named .jpg", encoded(marked(), "GIF"), 415
    yield "GIF that is JavaScript", b"GIF89a/*" + b"\0" * 20 + b"*/=1;alert(1)", 415
    yield "BMP", encoded(marked(), "BMP"), 415
    yield "TIFF", encoded(marked(), "TIFF"), 415
    yield "ICO", encoded(marked((32, 32)), "ICO"), 415
    yield "PPM", encoded(marked(), "PPM"), 415
    yield "JPEG 2000", encoded(marked(), "JPEG2000"), 415
    yield "AVIF", encoded(marked((64, 64)), "AVIF"), 415
    yield "HEIC", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 200, 415
    yield "PDF", b"%PDF-1.7\n1 0 obj\n<</JavaScript 2 0 R>>\nendobj\n%%EOF", 415
    yield "PostScript", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 99 99\n(x) run\n", 415
    yield "ZIP", b"PK\3\4" + b"\0" * 200, 415
    yield "EXE", b"MZ\x90\0" + b"\0" * 200, 415
    yield "ELF", b"\x7fELF" + b"\0" * 200, 415
    yield "a page before a JPEG", PAYLOAD + jpeg(), 415
    yield "WAV, RIFF too", b"RIFF\x24\0\0\0WAVEfmt " + b"\0" * 30, 415
    yield "more than 8 MB", jpeg() + b"\0" * (8 * 1024 * 1024), 413


def _truncated() -> Iterator[Hostile]:
    whole = {"JPEG": jpeg(), "PNG": _png(), "WebP": encoded(marked(), "WEBP", lossless=True)}
    whole["progressive JPEG"] = jpeg(progressive=True)
    for kind, data in whole.items():
        for part in (0.02, 0.1, 0.3, 0.6, 0.9, 0.99):
            cut = max(14, int(len(data) * part))
            yield f"{kind} cut at {part:.0%}", data[:cut], 422
    for kind in ("JPEG", "progressive JPEG"):
        for part in (0.5, 0.9, 0.99):
            cut = whole[kind][: int(len(whole[kind]) * part)]
            yield f"{kind} cut at {part:.0%} and ended", cut + b"\xff\xd9", 422
    rows = encoded(marked((320, 640)), restart_marker_rows=1)
    cut = rows[: rows.index(b"\xff\xd4")]
    yield "JPEG cut between two rows and ended", cut + b"\xff\xd9", 422
    yield "the beginning of a JPEG", b"\xff\xd8\xff", 422
    yield "the beginning of a PNG", b"\x89PNG\r\n\x1a\n", 422
    yield "the beginning of a WebP", b"RIFF\x24\0\0\0WEBP", 422
    yield "JPEG without its last byte", jpeg()[:-1], 422
    yield "PNG without its end", _png()[:-12], 422


def _broken_jpegs() -> Iterator[Hostile]:
    good = jpeg()
    frame = good.index(b"\xff\xc0")
    yield "JPEG claiming 65,535 x 65,535", _sized(good, frame, 65_535, 65_535), 422
    yield "JPEG claiming 8,000 x 8,000", _sized(good, frame, 8_000, 8_000), 422
    yield "JPEG of no height", _sized(good, frame, 320, 0), 422
    yield "JPEG of 12 bits", good[: frame + 4] + b"\x0c" + good[frame + 5 :], 422
    yield "JPEG of 7 layers", good[: frame + 9] + b"\7" + good[frame + 10 :], 422
    yield "JPEG that is its end", b"\xff\xd8\xff\xd9", 422
    yield "JPEG of padding", b"\xff\xd8" + b"\xff" * 100_000, 422
    yield "JPEG with a segment of no length", good[:2] + b"\xff\xe1\0\0" + good[2:], 422
    scan = good.index(b"\xff\xda")
    yield "JPEG without tables", good[:2] + good[frame : frame + 19] + good[scan:], 422
    yield "JPEG of 2,000 scans", good[:-2] + good[scan : scan + 14] * 2000 + b"\xff\xd9", 422
    yield "two frames in a JPEG", good[:scan] + good[frame : frame + 19] + good[scan:], 422
    cmyk = encoded(marked(mode="CMYK"))
    at = cmyk.index(b"\xff\xc0")
    wrong = cmyk[:at] + cmyk[at : at + 9] + b"\3" + cmyk[at + 10 :]
    yield "CMYK that says it is RGB", wrong, 422


def _broken_pngs() -> Iterator[Hostile]:
    header = _header(64, 64)
    pixels = _chunk(b"IDAT", zlib.compress(b"\0" * 64 * 193))
    end = _chunk(b"IEND", b"")
    sign = b"\x89PNG\r\n\x1a\n"
    huge = _chunk(b"IDAT", zlib.compress(b"\0" * 10_000_000, 9))
    yield "PNG of 50,000 x 50,000", sign + _header(50_000, 50_000) + huge + end, 422
    yield "PNG of 7,000 x 7,000", sign + _header(7_000, 7_000) + huge + end, 422
    yield "PNG of 2^31 x 2^31", sign + _header(2**31 - 1, 2**31 - 1) + pixels + end, 422
    yield "PNG of no width", sign + _header(0, 64) + pixels + end, 422
    yield "PNG of too few pixels", sign + _header(600, 600) + pixels + end, 422
    yield "PNG without pixels", sign + header + end, 422
    yield "PNG without a header", sign + pixels + end, 422
    yield "PNG with two headers", sign + header + header + pixels + end, 422
    yield "PNG of an unknown colour", sign + _header(64, 64, colour=5) + pixels + end, 422
    yield "PNG with a wrong checksum", sign + header + pixels[:-4] + b"\0\0\0\0" + end, 422
    yield "PNG with a chunk of 4 GB", sign + header + b"\xff\xff\xff\xffIDAT" + pixels + end, 422
    garbage = _chunk(b"IDAT", b"not what zlib writes")
    yield "PNG of garbage", sign + header + garbage + end, 422
    corrupt = bytearray(zlib.compress(bytes(range(256)) * 49, 6))
    corrupt[len(corrupt) // 2] ^= 0xFF
    yield "PNG of corrupt pixels", sign + header + _chunk(b"IDAT", bytes(corrupt)) + end, 422


def _broken_webps() -> Iterator[Hostile]:
    lossy, lossless = encoded(marked(), "WEBP"), encoded(marked(), "WEBP", lossless=True)
    yield "WebP claiming 4 GB", lossy[:4] + b"\xf0\xff\xff\xff" + lossy[8:], 422
    yield "WebP claiming nothing", lossy[:4] + b"\0\0\0\0" + lossy[8:], 422
    yield "WebP with a chunk of 4 GB", lossy[:16] + b"\xf0\xff\xff\xff" + lossy[20:], 422
    yield "WebP of an unknown kind", lossy[:12] + b"VP9 " + lossy[16:], 422
    largest = struct.pack("<I", 16_382 | 16_382 << 14)
    yield "WebP of 16,383 x 16,383", lossless[:21] + largest + lossless[25:], 422
    wide = struct.pack("<I", 7_000 | 7_000 << 14)
    yield "WebP of 7,001 x 7,001", lossless[:21] + wide + lossless[25:], 422
    canvas = b"VP8X" + struct.pack("<I", 10) + b"\0\0\0\0" + b"\xff\x3f\0\xff\x3f\0"
    body = b"WEBP" + canvas + lossy[12:]
    sizes = b"RIFF" + struct.pack("<I", len(body)) + body
    yield "WebP whose sizes disagree", sizes, 422
    yield "WebP of zeros", lossy[:30] + b"\0" * (len(lossy) - 30), 422
    animation = encoded(
        marked(), "WEBP", save_all=True, append_images=[marked((320, 240)).rotate(90)]
    )
    at = animation.index(b"ANMF")
    broken = animation[: at + 32] + b"\0" * 60 + animation[at + 92 :]
    yield "animation with a broken frame", broken, 422


def _segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def _sized(data: bytes, frame: int, width: int, height: int) -> bytes:
    return data[: frame + 5] + struct.pack(">HH", height, width) + data[frame + 9 :]


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def _header(width: int, height: int, colour: int = 2) -> bytes:
    return _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))


def _png(extra: bytes = b"") -> bytes:
    """Return a valid PNG with additional chunks behind its header."""
    file = BytesIO()
    Image.effect_noise((160, 120), 60).convert("RGB").save(file, "PNG")
    data = file.getvalue()
    return data[:33] + extra + data[33:]


def _text() -> bytes:
    return _chunk(b"tEXt", b"Comment\0" + PAYLOAD)


def _looping_exif() -> bytes:
    """Return EXIF whose next and GPS directories are itself."""
    tag = struct.pack("<HHII", 0x8825, 4, 1, 8)
    return b"Exif\0\0II*\0" + struct.pack("<IH", 8, 1) + tag + struct.pack("<I", 8) + PAYLOAD


def _endless_exif() -> bytes:
    return b"Exif\0\0II*\0" + struct.pack("<IH", 8, 65_535) + PAYLOAD


def _repeating_exif() -> bytes:
    """Return EXIF of 60,000 tags that all claim nearly the whole file as their text."""
    tags = b"".join(struct.pack("<HHII", n, 2, 700_000, 8) for n in range(1, 60_001))
    return b"II*\0" + struct.pack("<IH", 8, 60_000) + tags + b"\0\0\0\0"
