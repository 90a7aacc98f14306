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


Numbered = TypeVar("Numbered", bound=NumberedRow)


def sorted_part(
    total: int,
    values: Select[*tuple[Any, ...]],
    order: SortOrder,
    load: Callable[[Sequence[int]], Iterable[Numbered]],
) -> Part[Numbered]:
    """Return few rows in an order that no index has.

    `values` selects the id of each row and what it is sorted by, in the list's own order, which
    decides between equal ones. `load` reads rows by their ids in any order.
    """

    def load_some(limit: int, offset: int) -> Sequence[Numbered]:
        ids = sorted_ids(values, order)[offset : offset + limit]
        rows = {row.id: row for row in load(ids)}
        return [rows[id_] for id_ in ids if id_ in rows]

    return Part(total, load_some)


def sorted_ids(values: Select[*tuple[Any, ...]], order: SortOrder) -> Sequence[int]:
    """Return the ids of rows in an order, those without a value last."""
    rows = db.session.execute(values.limit(COUNT_LIMIT)).all()
    return sort_ids([(row[0], row[1:]) for row in rows], order)


def sort_ids(rows: Iterable[tuple[int, Sequence[Any]]], order: SortOrder) -> Sequence[int]:
    """Return the ids of rows sorted by their values; rows with equal ones stay as they are."""

    def key(row: tuple[int, Sequence[Any]]) -> list[tuple[bool, Any]]:
        return [_key(value, descending=order.descending) for value in row[1]]

    return [id_ for id_, _ in sorted(rows, key=key, reverse=order.descending)]


def _key(value: Any, *, descending: bool) -> tuple[bool, Any]:
    """Return what a value is sorted by: empty ones come last in both directions."""
    if value is None or value == "":
        return not descending, ""
    return descending, names.key(value) if isinstance(value, str) else value
