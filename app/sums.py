"""Sums in SQL that can exceed 64 bits, added up in two parts, and counts that end at a limit."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, cast, func, select

from app.db import db
from app.money import PRICE_PART
from app.paging import COUNT_LIMIT, AtLeast


def sum_of(amount: Any) -> ColumnElement[int]:
    """Return the SQL sum of a column of amounts, 0 without rows."""
    return func.coalesce(func.sum(cast(amount, BigInteger)), 0)


def value_sums(amount: Any, price: Any) -> tuple[ColumnElement[int], ColumnElement[int]]:
    """Return the SQL sums of amount × high and low part of the price: one sum exceeds 64 bits."""
    big_amount = cast(amount, BigInteger)
    return (
        func.coalesce(func.sum(big_amount * (price // PRICE_PART)), 0),
        func.coalesce(func.sum(big_amount * (price % PRICE_PART)), 0),
    )


def combine_value(high: Any, low: Any) -> int:
    """Return the value in pence from the two parts that `value_sums` selected."""
    return int(high) * PRICE_PART + int(low)


def capped(count: int) -> int:
    """Return a count that stopped one above COUNT_LIMIT, there as AtLeast the limit."""
    return AtLeast(COUNT_LIMIT) if count > COUNT_LIMIT else count


def add_counts(counts: Iterable[int]) -> int:
    """Return the sum of some counts, AtLeast it if one of them ended at its limit."""
    found = list(counts)
    total = sum(map(int, found))
    return AtLeast(total) if any(isinstance(count, AtLeast) for count in found) else total


def count_matches(statement: Select[*tuple[Any, ...]]) -> int:
    """Return the number of a statement's rows, AtLeast the limit: no more rows are read."""
    return count_each(statement)[0]


def count_each(*statements: Select[*tuple[Any, ...]]) -> Sequence[int]:
    """Return how many rows each of some statements selects, as `count_matches`, by one of SQL."""
    counts = [capped_count(each).scalar_subquery() for each in statements]
    return [capped(count) for count in db.session.execute(select(*counts)).one()]


def capped_count(statement: Select[*tuple[Any, ...]]) -> Select[int]:
    """Return the statement that counts a statement's rows up to one above COUNT_LIMIT."""
    some = statement.order_by(None).limit(COUNT_LIMIT + 1).subquery()
    return select(func.count()).select_from(some)
