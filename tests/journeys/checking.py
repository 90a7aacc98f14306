"""Functions that fill in the check form."""

import io
from functools import cache

from PIL import Image
from playwright.sync_api import Page, expect

LONG = 120_000
ORIENTATION, GPS = 0x0112, 0x8825
TURNED_RIGHT = 6


@cache
def photo(position: int) -> bytes:
    """Return a picture as a phone held upright stores it, red at its top.

    The first has 12 megapixels, as phones make them; the others have 3, which take less time.
    """
    width, height = (4000, 3000) if position == 0 else (2000, 1500)
    noise = Image.effect_noise((width // 4, height // 4), 40).resize((width, height))
    picture = Image.merge("RGB", (noise, noise, noise))
    picture.paste((200, 20, 20), (0, 0, width * 3 // 8, height))
    exif = Image.Exif()
    exif[ORIENTATION] = TURNED_RIGHT
    latitude = (51.0, 30.0, float(position))
    exif.get_ifd(GPS).update({1: "N", 2: latitude, 3: "W", 4: (0.0, 7.0, 0.0)})
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=92, exif=exif)
    return written.getvalue()


def pick(page: Page, *names: str) -> None:
    pictures = [
        {"name": name, "mimeType": "image/jpeg", "buffer": photo(position)}
        for position, name in enumerate(names)
    ]
    page.get_by_label("Add photos").set_input_files(pictures)


def fill(page: Page, mileage: str = "48300") -> None:
    page.get_by_label("Name").fill("Jo Marsh")
    plate = page.get_by_label("Number plate")
    plate.fill("lk19")
    page.get_by_role("listbox", name="Vehicles").get_by_text("LK19 VTE").click()
    expect(plate).to_have_value("LK19 VTE")
    page.get_by_label("Mileage").fill(mileage)


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit Check").click()
