"""The check of a document's content; pure."""

import re

from app.errors import Invalid, TooLarge, Unsupported

MAX_BYTES = 8 * 1024 * 1024
PDF = "application/pdf"

TOO_LARGE = "A document may have at most 8 MB."
_NO_DOCUMENT = "Use a PDF document."
_CUT_OFF = "The PDF is incomplete. Send it again."

_HEADER = re.compile(rb"%PDF-[12]\.[0-9]")
_HEADER_WITHIN = 1024
_TRAILER = re.compile(rb"startxref\s+[0-9]{1,10}\s+%%EOF")
_TRAILER_WITHIN = 2048


def is_pdf(data: bytes) -> bool:
    """Return whether a file declares near its start, where readers look, that it is a PDF.

    A file that could also be read as a web page is none.
    """
    found = _HEADER.search(data[:_HEADER_WITHIN])
    return found is not None and b"<" not in data[: found.start()]


def check_document(data: bytes) -> None:
    """Check that a file is a whole PDF of at most MAX_BYTES.

    Nothing inside it is read: it is only downloaded, never shown here. Raises TooLarge, Unsupported
    for another kind of file, and Invalid when its end is missing.
    """
    if len(data) > MAX_BYTES:
        raise TooLarge(TOO_LARGE)
    if not is_pdf(data):
        raise Unsupported(_NO_DOCUMENT)
    if not _TRAILER.search(data[-_TRAILER_WITHIN:]):
        raise Invalid(_CUT_OFF)
