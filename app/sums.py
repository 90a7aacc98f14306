"""What things come to, in parts: a whole sum may not fit into an engine's whole numbers."""

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, cast, func

PART = 100_000


def sum_of(amount: Any) -> ColumnElement[int]:
    """Return the sum of a column of amounts, 0 where there are none."""
    return func.coalesce(func.sum(cast(amount, BigInteger)), 0)


def value_sums(amount: Any, price: Any) -> tuple[ColumnElement[int], ColumnElement[int]]:
    """Return the two parts of the sum of amount × price; ten of the dearest would be too much."""
    many = cast(amount, BigInteger)
    return (
        func.coalesce(func.sum(many * (price // PART)), 0),
        func.coalesce(func.sum(many * (price % PART)), 0),
    )


def combine_value(high: Any, low: Any) -> int:
    """Return the sum whose parts were read, in pence."""
    return int(high) * PART + int(low)
