"""Signed cursors: the beginning of a list's next part, for one query of the list."""

from urllib.parse import urlencode

from flask import current_app, request
from itsdangerous import BadData, URLSafeSerializer

from app.errors import Invalid

_PART = ("limit", "cursor")


def encode_cursor(last: str) -> str:
    """Return the cursor of the part that follows the row with this key or id, in this query."""
    cursor: str = _signer().dumps(last)
    return cursor


def decode_cursor(cursor: str) -> str:
    """Return the key or id of the row that a cursor of this list and its query follows.

    Raises Invalid for any other text.
    """
    try:
        return str(_signer().loads(cursor))
    except BadData:
        raise Invalid(
            "This cursor is not valid. Use the one in the Link header of the previous part.",
            "cursor",
        ) from None


def query_of_list() -> str:
    """Return the filters and the order that the request asks for, '' for none."""
    return urlencode(sorted((name, v) for name, v in request.args.items() if name not in _PART))


def _signer() -> URLSafeSerializer:
    salt = f"quartermaster-cursor {request.path} {query_of_list()}".rstrip()
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=salt)
