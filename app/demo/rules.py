"""Photos and papers for the demo, drawn when they are needed; pure."""

from hashlib import sha256
from io import BytesIO
from time import gmtime

from PIL import Image, ImageDraw

_SIZE = (640, 480)
_PAINT_COLOURS = ("#e8ebee", "#2f5d8a", "#b23a2e", "#3f6b45", "#c9a227")


def draw_photo(name: str) -> bytes:
    """Draw a scratched van as a JPEG; each name gets a van of its own."""
    digest = sha256(name.encode()).digest()
    paint = _PAINT_COLOURS[digest[0] % len(_PAINT_COLOURS)]
    image = Image.new("RGB", _SIZE, "#b9c7d3")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 360, 640, 480), fill="#6d7075")
    pen.rounded_rectangle((60, 130, 470, 370), 24, fill=paint)
    pen.polygon(((460, 190), (540, 200), (600, 290), (600, 370), (460, 370)), fill=paint)
    pen.polygon(((480, 205), (534, 212), (572, 280), (480, 280)), fill="#23303a")
    for wheel in (120, 470):
        pen.ellipse((wheel, 320, wheel + 100, 420), fill="#1c1d1f")
        pen.ellipse((wheel + 30, 350, wheel + 70, 390), fill="#a9adb2")
    left, top = 110 + digest[1] % 240, 190 + digest[2] % 90
    for line in range(5):
        bend = digest[3 + line] % 24
        start, end = (left, top + 6 * line), (left + 80, top + 6 * line + bend)
        pen.line((start, end), fill="#1d1d1d", width=3)
    file = BytesIO()
    image.save(file, "JPEG", quality=80)
    return file.getvalue()


def draw_invoice(number: str) -> bytes:
    """Draw a garage's invoice as a PDF."""
    image = Image.new("L", (595, 842), 255)
    pen = ImageDraw.Draw(image)
    lines = ("Hartley's Garage", f"Invoice {number}", "Rear light, labour: 38.00")
    for place, line in enumerate(lines):
        pen.text((60, 60 + 24 * place), line, fill=0)
    file = BytesIO()
    image.save(file, "PDF", creationDate=gmtime(0), modDate=gmtime(0))
    return file.getvalue()
