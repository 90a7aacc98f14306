"""The few rows of a list sorted by a column that has no index: in Python, alike on both engines."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Select

from app import names
from app.db import db
from app.paging import COUNT_LIMIT, Part
from app.sorting import SortOrder


class NumberedRow(Protocol):
    """A row with an id."""

    @property
    def id(self) -> int:
        """Return the row's id."""


Row = TypeVar("Row")
Numbered = TypeVar("Numbered", bound=NumberedRow)


def sorted_part(
    total: int,
    values: Select[*tuple[Any, ...]],
    order: SortOrder,
    load: Callable[[Sequence[int]], Iterable[Numbered]],
) -> Part[Numbered]:
    """Return few rows in an order without an index.

    `values` selects the id and the sort value of each row, in the list's own order, which decides
    between equal ones. `load` reads rows by their ids in any order.
    """

    def load_some(limit: int, offset: int) -> Sequence[Numbered]:
        ids = sorted_ids(values, order)[offset : offset + limit]
        rows = {row.id: row for row in load(ids)}
        return [rows[id_] for id_ in ids if id_ in rows]

    return Part(total, load_some)


def sorted_ids(values: Select[*tuple[Any, ...]], order: SortOrder) -> Sequence[int]:
    """Return the ids of rows in an order, empty values last."""
    rows = db.session.execute(values.limit(COUNT_LIMIT)).all()
    return [row[0] for row in sort_rows(rows, lambda row: row[1:], order)]


def sort_rows(
    rows: Iterable[Row], values: Callable[[Row], Iterable[Any]], order: SortOrder
) -> Sequence[Row]:
    """Return rows sorted by values of each; rows with equal values keep their order."""

    def key(row: Row) -> list[tuple[bool, Any]]:
        return [_key(value, descending=order.descending) for value in values(row)]

    return sorted(rows, key=key, reverse=order.descending)


def _key(value: Any, *, descending: bool) -> tuple[bool, Any]:
    """Return a value's sort key: empty ones come last in both directions."""
    if value is None or value == "":
        return not descending, ""
    return descending, names.key(value) if isinstance(value, str) else value
