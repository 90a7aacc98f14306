"""Pages of a list: which one is asked for, and which one there is."""


def page_number(text: str) -> int:
    """Read the number of a page from an address; what is no number means the first page."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 1
    return max(number, 1)


def page_of(wanted: int, total: int, rows_per_page: int) -> tuple[int, int]:
    """Return which page to show and how many there are; one beyond the last is the last."""
    pages = max(1, -(-total // rows_per_page))
    return min(max(wanted, 1), pages), pages
