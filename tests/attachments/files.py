"""Documents and photos for tests of attachments."""

import hashlib

from app.sent_files import SentFile
from tests.photos.photo_files import jpeg

NOT_PDF = b"<html><script>alert(1)</script></html>"


def pdf(text: str = "Invoice", *, before: bytes = b"", after: bytes = b"\n") -> bytes:
    """Return a small whole PDF whose only page is empty; `text` makes it one of its own."""
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >>",
        b"<< /Title (" + text.encode() + b") >>",
    )
    data, places = before + b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(data)
    data += b"xref\n0 5\n0000000000 65535 f \n" + table
    data += b"trailer\n<< /Size 5 /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF" % start
    return data + after


def invoice(name: str = "invoice.pdf", text: str = "Invoice") -> SentFile:
    return SentFile.with_data(name, pdf(text))


def photo(name: str = "mirror.jpg", size: tuple[int, int] = (320, 240)) -> SentFile:
    return SentFile.with_data(name, jpeg(size))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
