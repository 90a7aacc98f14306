"""The page number in a list's address."""

from flask import request


def requested_page() -> int:
    """Return the page number in the address, 1 where it is missing or not a number."""
    text = request.args.get("page", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 1
    return max(number, 1)
