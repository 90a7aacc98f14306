"""Pages of lists, read as their screens read them."""

from typing import Any

from app.paging import Page
from app.records.reading import read_page
from app.records.record import R, Record


def listed(record: Record[R], number: int = 1, **arguments: Any) -> Page[R]:
    """Return a page of the list of a kind of record."""
    return read_page(record, record.parse(arguments), number, record.current_version())
