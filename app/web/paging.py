"""Which part of a long list an address asks for."""

from flask import current_app, request
from itsdangerous import BadData, URLSafeSerializer

from app.errors import Invalid

LARGEST_ID = 2**31 - 1


def page_asked() -> int:
    """Return the page that the address asks for, the first where it says nothing sensible."""
    text = request.args.get("page", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 1
    return max(number, 1)


def within(page: int, *, total: int, per_page: int) -> tuple[int, int]:
    """Return the page to show and how many there are; one beyond the last is the last."""
    pages = max(1, -(-total // per_page))
    return min(max(page, 1), pages), pages


def cursor_after(last: str) -> str:
    """Return the cursor of the part that follows the row with this key or id, in this list."""
    written: str = _signer().dumps(last)
    return written


def row_before(cursor: str) -> str:
    """Return the key or id of the row that a cursor of this list follows.

    Raises Invalid for any other text: what isn't a cursor would give the wrong rows.
    """
    try:
        return str(_signer().loads(cursor))
    except BadData:
        raise Invalid("Follow the link of the part before.", "cursor") from None


def _signer() -> URLSafeSerializer:
    salt = f"quartermaster-cursor {request.path}"
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=salt)
