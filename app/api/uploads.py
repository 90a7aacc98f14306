"""Calls that take a file by the SHA-256 of its bytes."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from app.errors import Invalid, TooLarge, Unsupported

BINARY: dict[str, Any] = {"type": "string", "format": "binary"}
EXAMPLE_HASH = hashlib.sha256(b"front.jpg").hexdigest()
SENT_HASH: dict[str, Any] = {
    "in": "path",
    "name": "sha256",
    "required": True,
    "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "example": EXAMPLE_HASH,
}
_HASH = re.compile(r"[0-9a-f]{64}")


def body_of_types(media_types: Sequence[str]) -> dict[str, Any]:
    """Return the description of a body that is a file of one of these types."""
    content = {media_type: {"schema": BINARY} for media_type in media_types}
    return {"requestBody": {"required": True, "content": content}}


def sent_bytes(
    sha256: str, *, what: str, begins: str, wrong_type: str, max_bytes: int, too_large: str
) -> bytes:
    """Return the body of a request after comparing it with the hash in its address.

    `what` is the file in messages, such as 'photo', and `begins` the beginning of its media type.
    Raises Invalid, Unsupported and TooLarge, the last before the body is read.
    """
    if not _HASH.fullmatch(sha256):
        raise Invalid(
            f"The address must end with the {what}'s SHA-256, in 64 lower-case hex digits."
        )
    if not request.mimetype.startswith(begins):
        raise Unsupported(wrong_type)
    request.max_content_length = max_bytes
    try:
        data = request.get_data()
    except RequestEntityTooLarge:
        raise TooLarge(too_large) from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Invalid(f"The {what} arrived damaged. Send it again.")
    return data
