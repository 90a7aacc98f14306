"""Signed cursors: where the next part of a list begins."""

from flask import current_app, request
from itsdangerous import BadData, URLSafeSerializer

from app.errors import Invalid


def encode_cursor(last: str) -> str:
    """Return the cursor of the part that follows the row with this key or id, in this list."""
    cursor: str = _signer().dumps(last)
    return cursor


def decode_cursor(cursor: str) -> str:
    """Return the key or id of the row that a cursor of this list follows.

    Raises Invalid for a text that isn't a cursor of this list.
    """
    try:
        return str(_signer().loads(cursor))
    except BadData:
        raise Invalid(
            "This cursor is not valid. Use the one in the Link header of the previous part.",
            "cursor",
        ) from None


def _signer() -> URLSafeSerializer:
    salt = f"quartermaster-cursor {request.path}"
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=salt)
