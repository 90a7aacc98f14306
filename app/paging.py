"""Pages of a long list: the rows of a page number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

MAX_ID = 2**31 - 1
"""The largest id that a row can have on both engines."""

COUNT_LIMIT = 1_000
"""How many matches of a search are counted: nobody pages through more, and counting takes time."""

Row = TypeVar("Row", covariant=True)


class AtLeast(int):
    """A count that ended at its limit; formatted as '1,000+'."""

    def __format__(self, spec: str) -> str:
        """Format the number with a plus sign."""
        return f"{int(self):{spec}}+"


@dataclass(frozen=True)
class Page(Generic[Row]):
    """The rows of one page; `total` counts the rows of all `pages`."""

    rows: Sequence[Row]
    number: int
    pages: int
    total: int


def clamp_page(page: int, *, total: int, per_page: int) -> tuple[int, int]:
    """Return the page to show, at most the last, and the number of pages.

    There are AtLeast so many if the total is AtLeast.
    """
    pages = max(1, -(-total // per_page))
    return min(max(page, 1), pages), AtLeast(pages) if isinstance(total, AtLeast) else pages


def load_page(
    page: int, *, total: int, per_page: int, load: Callable[[int, int], Sequence[Row]]
) -> Page[Row]:
    """Return a page of `total` rows, at most the last; `load` takes a limit and an offset."""
    number, pages = clamp_page(page, total=total, per_page=per_page)
    rows = load(per_page, (number - 1) * per_page) if total else ()
    return Page(rows, number, pages, total)


def page_of(rows: Sequence[Row], page: int, *, per_page: int) -> Page[Row]:
    """Return a page of rows that are read already, the last one for a page beyond it."""
    return load_page(
        page,
        total=len(rows),
        per_page=per_page,
        load=lambda limit, offset: rows[offset : offset + limit],
    )


@dataclass(frozen=True)
class Part(Generic[Row]):
    """A part of a list: how many rows it has, and the function of load_page that loads some."""

    total: int
    load: Callable[[int, int], Sequence[Row]]


def reversed_part(part: Part[Row]) -> Part[Row]:
    """Return a part in the opposite order; its total must be exact."""

    def load(limit: int, offset: int) -> Sequence[Row]:
        end = max(0, part.total - offset)
        start = max(0, end - limit)
        return part.load(end - start, start)[::-1]

    return Part(part.total, load)


def load_page_of_parts(page: int, parts: Sequence[Part[Row]], *, per_page: int) -> Page[Row]:
    """Return a page of a list whose parts each have an order of their own."""

    def load(limit: int, offset: int) -> Sequence[Row]:
        rows: list[Row] = []
        for part in parts:
            missing = limit - len(rows)
            if missing and offset < part.total:
                rows += part.load(missing, offset)
            offset = max(0, offset - part.total)
        return rows

    total = sum(part.total for part in parts)
    if any(isinstance(part.total, AtLeast) for part in parts):
        total = AtLeast(COUNT_LIMIT)
    return load_page(page, total=total, per_page=per_page, load=load)
