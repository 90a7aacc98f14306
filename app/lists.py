"""Whole lists: replaced or imported at once, under one lock, in batches."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import Row, Select

from app.db import db
from app.errors import Invalid
from app.versions import lock_version

BATCH_SIZE = 1000
"""How many rows one statement reads or writes; engines limit the parameters of a statement."""

Key = TypeVar("Key")
Entry = TypeVar("Entry")
Rows = TypeVar("Rows")
Columns = TypeVarTuple("Columns")


@dataclass(frozen=True)
class ListChange:
    """How many entries a list added, changed, left unchanged and removed."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    @property
    def summary(self) -> str:
        """Return the numbers of an import, which removes nothing."""
        return f"{self.added} added, {self.changed} changed, {self.unchanged} unchanged"


@dataclass(frozen=True)
class Added:
    """How many entries were added to a history."""

    added: int


def grouped(pairs: Iterable[tuple[Key, Entry]]) -> Mapping[Key, list[Entry]]:
    """Return the values of pairs by their keys."""
    found: defaultdict[Key, list[Entry]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def lock_list(lock_rows: Callable[[], Rows], versions: Iterable[str]) -> tuple[Rows, int]:
    """Lock a list, whose rows `lock_rows` locks; return its rows and the sum of its versions."""
    return lock_rows_and_version(lock_rows, lambda: sum(map(lock_version, versions)))


def lock_rows_and_version(
    lock_rows: Callable[[], Rows], lock_list_version: Callable[[], int]
) -> tuple[Rows, int]:
    """Lock the rows of a list and then its version until the transaction ends; return both.

    Single changes lock rows before the version, and so does this. `lock_rows` is called twice:
    rows that were added before the version was locked are read by the second call.
    """
    lock_rows()
    version = lock_list_version()
    return lock_rows(), version


def check_unique(entries: Iterable[tuple[str, str]], field: str | Callable[[int], str]) -> None:
    """Check that no entry of a list is named twice.

    `entries` are pairs of an entry's key and label; an empty key is never a duplicate. Raises
    Invalid that names `field` of the second entry by its index, such as '3.id'; if entries differ
    in it, `field` returns it for an index.
    """
    seen: set[str] = set()
    for index, (key, label) in enumerate(entries):
        if key and key in seen:
            name = field if isinstance(field, str) else field(index)
            raise Invalid(f'"{label}" is in the list twice', f"{index}.{name}")
        seen.add(key)


def rows_with(
    statement: Select[*Columns], column: Any, values: Iterable[Any]
) -> Iterator[Row[*Columns]]:
    """Yield the rows whose column has one of these values, in batches and each in its order."""
    for some in batches(sorted(set(values))):
        yield from db.session.execute(statement.where(column.in_(some)))


def batches(entries: Sequence[Entry], size: int = BATCH_SIZE) -> Iterator[Sequence[Entry]]:
    """Yield consecutive slices of at most `size` entries."""
    for start in range(0, len(entries), size):
        yield entries[start : start + size]
