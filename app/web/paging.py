"""Which part of a long list an address asks for."""

from flask import request

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


def id_before(cursor: str) -> int:
    """Read a cursor that is the id of the last row seen, 0 where it is empty; raises Invalid."""
    is_number = cursor.isascii() and cursor.isdecimal() and len(cursor) < 12
    if cursor and not (is_number and int(cursor) <= LARGEST_ID):
        raise Invalid("cursor: Follow the link of the part before.", "cursor")
    return int(cursor or 0)
