"""What changes of upkeep lock, in this order: their vehicles, the list's version, and numbers."""

from collections.abc import Collection

from app.db import advisory_lock
from app.fleet.rules.versions import UPKEEP
from app.reference_numbers import Series, next_number
from app.versions import lock_version


def lock_upkeep(reg_keys: Collection[str]) -> None:
    """Lock the upkeep of vehicles until the transaction ends; changes of one follow each other."""
    advisory_lock(*(f"checks of {key}" for key in sorted(set(reg_keys))))


def take_number(series: Series) -> int:
    """Return the next number of a series, which no other row gets.

    It locks the list's version first: a change that has given the list a new one, and then opens a
    defect, would otherwise deadlock with one that opens a defect before that.
    """
    lock_version(UPKEEP)
    return next_number(series)
