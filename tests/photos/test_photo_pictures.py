"""Stored pictures: small, upright and without metadata."""

import hashlib
import struct
import time
from io import BytesIO

import pytest
from PIL import Image, ImageOps

from app.errors import Invalid, QuartermasterError
from app.photos.rules import MAX_BYTES, extract_image, parse_orientation
from app.photos.services.photos import prepare_picture
from tests.photos import hostile
from tests.photos.photo_files import CORNER, encoded, jpeg, marked

REFUSED = list(hostile.refused())
DISGUISED = list(hostile.disguised())
LONDON = {1: "N", 2: (51.0, 30.0, 26.0), 3: "W", 4: (0.0, 7.0, 39.0)}


def opened(data):
    return Image.open(BytesIO(data))


def near(colour, other):
    return all(abs(a - b) < 12 for a, b in zip(colour, other, strict=True))


def test_a_photo_is_at_most_1600_pixels_long_and_its_thumbnail_160():
    picture = prepare_picture(jpeg((4000, 3000)))
    assert (picture.width, picture.height) == (1600, 1200)
    assert opened(picture.data).size == (1600, 1200)
    assert opened(picture.thumbnail).size == (160, 120)
    tall = prepare_picture(encoded(marked((1000, 2500)), "PNG"))
    assert (tall.width, tall.height) == (640, 1600)


def test_a_thumbnail_of_the_finest_detail_weighs_at_most_3_kb():
    noise = Image.merge("RGB", [Image.effect_noise((160, 160), 128) for _ in "RGB"])
    thumbnail = prepare_picture(encoded(noise, "PNG")).thumbnail
    assert opened(thumbnail).size == (160, 160)
    assert len(thumbnail) <= 3 * 1024


@pytest.mark.parametrize("size", [(1, 1), (320, 240), (1600, 1200)])
def test_a_small_photo_is_not_made_larger(size):
    picture = prepare_picture(jpeg(size))
    assert (picture.width, picture.height) == size


def test_a_picture_has_the_hash_of_the_sent_and_of_the_stored_bytes():
    data = jpeg()
    picture = prepare_picture(data)
    assert picture.sent_hash == hashlib.sha256(data).hexdigest()
    assert picture.hash == hashlib.sha256(picture.data).hexdigest()
    assert prepare_picture(data) == picture


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turn", range(1, 9))
def test_a_photo_is_turned_upright_by_its_exif_orientation(kind, turn):
    exif = Image.Exif()
    exif[0x0112] = turn
    lying = encoded(marked((300, 200)), kind, exif=exif)
    upright = ImageOps.exif_transpose(opened(lying)).convert("RGB")
    picture = opened(prepare_picture(lying).data)
    assert picture.size == upright.size
    corners = [(5, 5), (upright.width - 5, 5), (5, upright.height - 5)]
    assert all(near(picture.getpixel(at), upright.getpixel(at)) for at in corners)


def test_a_stored_photo_has_no_metadata():
    exif = Image.Exif()
    exif[0x010F] = "Camera of somebody"
    exif.get_ifd(0x8825).update(LONDON)
    profile = b"a profile of one's own"
    sent = jpeg(exif=exif, icc_profile=profile, comment=b"a comment", xmp=b"<x:xmpmeta/>")
    for trace in (b"Exif", b"somebody", profile, b"a comment", b"xmpmeta"):
        assert trace in sent
    picture = prepare_picture(sent)
    for kept in (picture.data, picture.thumbnail):
        image = opened(kept)
        assert image.format == "JPEG"
        assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
        assert not image.getexif()
        assert b"Exif" not in kept
        assert b"somebody" not in kept


def transparent(mode):
    image = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    image.paste((200, 30, 30, 255), (20, 0, 40, 40))
    return image.convert(mode)


@pytest.mark.parametrize(
    "data",
    [
        encoded(transparent("RGBA"), "PNG"),
        encoded(transparent("RGBA"), "WEBP", lossless=True),
        encoded(transparent("P"), "PNG"),
        encoded(transparent("RGB"), "PNG", transparency=(0, 0, 0)),
    ],
    ids=["RGBA", "WebP", "palette", "one colour"],
)
def test_transparent_pixels_become_white(data):
    image = opened(prepare_picture(data).data)
    assert near(image.getpixel((4, 20)), (255, 255, 255))
    assert near(image.getpixel((34, 20)), CORNER)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_png_is_read(mode):
    image = Image.new(mode, (40, 40), 32_768) if mode == "I;16" else marked((40, 40), mode)
    kept = opened(prepare_picture(encoded(image, "PNG")).data)
    assert kept.mode == "RGB"
    if mode == "I;16":
        assert near(kept.getpixel((20, 20)), (128, 128, 128))


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("progressive", [False, True])
def test_every_kind_of_jpeg_is_read(mode, progressive):
    kept = opened(prepare_picture(encoded(marked(mode=mode), progressive=progressive)).data)
    assert kept.mode == "RGB"
    if mode != "L":
        assert near(kept.getpixel((20, 20)), CORNER)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_the_first_frame_of_an_animation_is_stored(kind):
    green = Image.new("RGB", (64, 64), (0, 200, 0))
    frames = [Image.new("RGB", (64, 64), (0, 0, 200)) for _ in range(3)]
    data = encoded(green, kind, save_all=True, append_images=frames, duration=50)
    assert near(opened(prepare_picture(data).data).getpixel((30, 30)), (0, 200, 0))


def test_the_first_picture_of_a_multi_picture_file_is_stored():
    data = encoded(marked(), "MPO", save_all=True, append_images=[marked((64, 64))])
    assert (prepare_picture(data).width, prepare_picture(data).height) == (320, 240)


def test_a_film_behind_a_photo_is_ignored():
    film = (b"\0\0\0\x18ftypmp42" + b"\xff\xda\xff\xd9" * 50) * 5_000
    assert len(film) > 1_000_000
    assert prepare_picture(jpeg() + film).data == prepare_picture(jpeg()).data
    data = jpeg(progressive=True)
    assert data.count(b"\xff\xda") > 2
    assert prepare_picture(data + b"\xff\xda\xff\xd9" * 50).data == prepare_picture(data).data


@pytest.mark.parametrize("size", [(1, 1), (17, 9), (641, 333), (3100, 40)])
@pytest.mark.parametrize(
    "options",
    [{}, {"progressive": True}, {"restart_marker_rows": 1}, {"restart_marker_blocks": 3}],
    ids=["plain", "progressive", "a row at a time", "3 blocks at a time"],
)
@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_a_complete_photo_is_never_refused_as_cut_off(size, options, mode):
    noise = Image.effect_noise(size, 90).convert("RGB").convert(mode)
    assert prepare_picture(encoded(noise, **options)).width == min(size[0], 1600)


@pytest.fixture
def jpeg_decodings(monkeypatch):
    """Return a list that gets an entry for each time a JPEG is decoded."""
    decodings = []
    get_decoder = Image._getdecoder

    def counted(mode, name, *args):
        if name == "jpeg":
            decodings.append(mode)
        return get_decoder(mode, name, *args)

    monkeypatch.setattr(Image, "_getdecoder", counted)
    return decodings


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize(
    "options",
    [{}, {"restart_marker_rows": 1}, {"quality": 100, "subsampling": 0}],
    ids=["plain", "restart markers", "best quality"],
)
def test_a_jpeg_of_one_scan_is_decoded_once(options, mode, jpeg_decodings):
    noise = Image.effect_noise((1641, 333), 90).convert("RGB").convert(mode)
    prepare_picture(encoded(noise, **options))
    assert len(jpeg_decodings) == 1


def test_only_a_jpeg_that_may_be_cut_off_is_decoded_twice(jpeg_decodings):
    prepare_picture(jpeg(progressive=True))
    assert len(jpeg_decodings) == 2
    with pytest.raises(Invalid):
        prepare_picture(jpeg()[:-400] + b"\xff\xd9")
    assert len(jpeg_decodings) == 4


def test_a_comment_between_the_scans_of_a_photo_is_removed():
    data = jpeg(progressive=True)
    at = data.rindex(b"\xff\xda")
    comment = b"\xff\xfe" + struct.pack(">H", 2 + len(hostile.PAYLOAD)) + hostile.PAYLOAD
    assert extract_image(data[:at] + comment + data[at:]) == extract_image(data)


@pytest.mark.parametrize(("name", "data", "status"), REFUSED, ids=[name for name, *_ in REFUSED])
def test_a_hostile_file_is_refused_with_a_reason(name, data, status):
    with pytest.raises(QuartermasterError) as refusal:
        prepare_picture(data)
    assert refusal.value.status == status
    assert refusal.value.message.startswith(("The photo ", "A photo may ", "Use a JPEG, PNG"))


@pytest.mark.parametrize(("name", "data"), DISGUISED, ids=[name for name, _ in DISGUISED])
def test_data_hidden_in_a_picture_is_removed(name, data):
    assert hostile.PAYLOAD[:7] in data
    picture = prepare_picture(data)
    for kept in (picture.data, picture.thumbnail):
        assert hostile.PAYLOAD[:7] not in kept
        assert b"PK\3\4" not in kept


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xd8" + b"\xff" * MAX_BYTES,
        b"\xff\xd8" + b"\xff\0" * (MAX_BYTES // 2),
        b"\xff\xd8" + b"\xff\xfe\0\2" * (MAX_BYTES // 4),
        jpeg()[:-2] + b"\xff" * MAX_BYTES,
        b"RIFF" + struct.pack("<I", MAX_BYTES - 8) + b"WEBP" + b"VP8 \0\0\0\0" * (MAX_BYTES // 8),
        encoded(marked(), "PNG")[:33] + b"\0\0\0\0text\0\0\0\0" * (MAX_BYTES // 12),
    ],
    ids=["padding", "nothing", "comments", "padding in a scan", "WebP", "PNG"],
)
def test_8_mb_of_empty_segments_are_refused_quickly(data):
    before = time.thread_time()
    with pytest.raises(Invalid):
        extract_image(data[:MAX_BYTES])
    assert time.thread_time() - before < 0.9


def test_a_refused_photo_has_its_reason():
    with pytest.raises(Invalid, match=r"^The photo is incomplete\. Send it again\.$"):
        prepare_picture(jpeg()[:-400])
    with pytest.raises(Invalid, match=r"^The photo is incomplete\. Send it again\.$"):
        prepare_picture(jpeg()[:-400] + b"\xff\xd9")
    with pytest.raises(Invalid, match=r"^A photo may have at most 40 megapixels\.$"):
        prepare_picture(encoded(Image.new("1", (8000, 5001)), "PNG"))
    with pytest.raises(Invalid, match=r"^A photo may be at most 30,000 pixels long\.$"):
        prepare_picture(encoded(Image.new("1", (3, 30_001)), "PNG"))


def test_broken_exif_is_ignored():
    for exif in (
        b"",
        b"II*\0",
        b"Exif\0\0MM\0*\0\0\0\x08",
        b"XX*\0\x08\0\0\0",
        b"II*\0" + struct.pack("<I", 2**32 - 1),
        b"II*\0" + struct.pack("<IHHHII", 8, 1, 0x0112, 3, 1, 9),
        b"II*\0" + struct.pack("<IHHHII", 8, 1, 0x0112, 2, 1, 6),
    ):
        assert parse_orientation(exif) == 1, exif
