"""Searches of words within texts, and the few or many rows that meet conditions, in an order.

An index of trigrams finds words of three characters or more, however many rows there are.
PostgreSQL uses it by itself; in SQLite it is a table of its own, kept by triggers.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, TypeVarTuple

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column

from app import names
from app.db import db
from app.paging import COUNT_LIMIT, AtLeast, Part
from app.sorting import SortOrder
from app.sums import count_matches

TRIGRAM_LENGTH = 3

Columns = TypeVarTuple("Columns")
Sorted = TypeVar("Sorted")

Conditions = Callable[[bool], Sequence[sa.ColumnElement[bool]]]
"""Returns the conditions of a list; with True conditions that test each row without an index."""


class SearchedText:
    """A column for the text that searches look in; the class has their keys in `searched_texts`."""

    search_key: Mapped[str] = mapped_column(sa.Text)


@sa.event.listens_for(SearchedText, "before_insert", propagate=True)
@sa.event.listens_for(SearchedText, "before_update", propagate=True)
def _set_search_key(_mapper: object, _connection: sa.Connection, row: Any) -> None:
    row.search_key = search_key(row.searched_texts)


def search_key(keys: Iterable[str]) -> str:
    """Return the text in which a search finds words of each key, and none across two of them."""
    return "\n".join(keys)


@dataclass(frozen=True)
class TextIndex:
    """The trigrams of the keys in a column of texts.

    PostgreSQL uses its index of the column by itself. In SQLite it is a table of its own, named
    after the column's table, whose `rowid` is the id of the text's row.
    """

    id: InstrumentedAttribute[int]
    text: InstrumentedAttribute[str]

    def contains(self, words: Collection[str]) -> list[sa.ColumnElement[bool]]:
        """Return the conditions that a row's text contains every word, in any order.

        `words` are keys (names.search_words). The index finds words of three characters or more.
        """
        indexed, short = _split(words)
        if not indexed or not _is_sqlite():
            return self.compare(words)
        found = sa.select(self.table.c.rowid).where(_matches(self.table, indexed))
        return [*self.compare(short), self.id.in_(found)]

    def compare(self, words: Collection[str]) -> list[sa.ColumnElement[bool]]:
        """Return the same conditions, for texts in an order: soon done if words are frequent."""
        return [self.text.contains(word, autoescape=True) for word in words]

    def look_up(
        self, statement: sa.Select[*Columns], words: Collection[str]
    ) -> sa.Select[*Columns] | None:
        """Restrict a statement to the rows whose text contains every word, found by the index.

        Give it a limit and no order: then rows are read in the order of the index, and no more of
        them. Returns None for short words, which only `compare` finds.
        """
        indexed, short = _split(words)
        if not indexed:
            return None
        if not _is_sqlite():
            return statement.where(*self.compare(words))
        is_found = (_matches(self.table, indexed), *self.compare(short))
        return statement.join(self.table, self.table.c.rowid == self.id).where(*is_found)

    @cached_property
    def table(self) -> sa.TableClause:
        """Return the index as SQLite has it."""
        searched = self.text.property.columns[0]
        columns = sa.column("rowid", sa.Integer), sa.column(searched.name, sa.String)
        return sa.table(f"{searched.table.name}_search", *columns)


def contains_words(
    text: InstrumentedAttribute[str], search: str, *, by_row: bool = False
) -> list[sa.ColumnElement[bool]]:
    """Return the conditions that a column of keys contains every word of a search.

    In SQLite they join the index, and a row is in it once.
    With `by_row` SQLite tests each row that it reads: better for words that many rows have.
    """
    words, rows = names.search_words(search), text.property.columns[0].table
    index = TextIndex(rows.c.id, text)
    indexed, short = _split(words)
    if by_row or not indexed or not _is_sqlite():
        return index.compare(words)
    # SQLite looks the words up for each row if the index can be asked for one.
    is_row = index.id == index.table.c.rowid + sa.literal_column("0")
    return [*index.compare(short), _matches(index.table, indexed), is_row]


def without_index(text: InstrumentedAttribute[str]) -> sa.SQLColumnExpression[str]:
    """Return a text column that SQLite doesn't look up in an index; PostgreSQL decides better."""
    return text.concat(sa.literal_column("''")) if _is_sqlite() else text


def _is_sqlite() -> bool:
    return db.session.get_bind().dialect.name == "sqlite"


@dataclass(frozen=True)
class Matches:
    """Rows that meet conditions; `backwards` is the reversed order, for those near the end."""

    total: int
    statement: sa.Select[*tuple[Any, ...]]
    row_id: InstrumentedAttribute[int]
    where: Sequence[sa.ColumnElement[bool]] = ()
    backwards: Sequence[sa.ColumnElement[Any]] = ()

    def part(self, limit: int, offset: int) -> sa.Select[*tuple[Any, ...]]:
        """Return the statement of some rows; those before them are skipped without being read."""
        ids = self.statement.with_only_columns(self.row_id).where(*self.where).correlate(None)
        if self.backwards and offset > self.total // 2 and not isinstance(self.total, AtLeast):
            limit = min(limit, self.total - offset)
            ids = ids.order_by(None).order_by(*self.backwards)
            offset = self.total - offset - limit
        return self.statement.where(self.row_id.in_(ids.limit(limit).offset(offset)))


def find_matches(
    statement: sa.Select[*tuple[Any, ...]],
    row_id: InstrumentedAttribute[int],
    conditions: Conditions,
    total: int | None = None,
) -> Matches:
    """Return the rows of a statement that meet conditions, in its order; their number is capped.

    They are counted unless their `total` is given. A few matches are sorted. For many, the order
    is walked until a page is full.
    """
    found = sa.select(row_id).where(*conditions(False)).correlate(None)
    total = count_matches(found) if total is None else total
    matches = conditions(True) if isinstance(total, AtLeast) else [row_id.in_(found)]
    return Matches(total, statement, row_id, matches)


def distinct_values(
    values: InstrumentedAttribute[Any] | sa.Column[Any],
    *where: sa.ColumnElement[bool],
    limit: int | None = None,
) -> sa.CTE:
    """Return the distinct values of an indexed column, up to a limit, as `value` in order.

    It steps from one value to the next in the index: they are few among many rows. The last value
    is null.
    """
    first = sa.select(sa.func.min(values).label("value"), sa.literal(1).label("place")).where(
        *where
    )
    found = first.cte("found", recursive=True)
    # The moving bound first: of two, SQLite searches the index for the first, and tests the other.
    after = values > found.c.value
    following = sa.select(sa.func.min(values)).where(after, *where).scalar_subquery()
    more: list[sa.ColumnElement[bool]] = [found.c.value.is_not(None)]
    if limit is not None:
        more.append(found.c.place < limit)
    return found.union_all(sa.select(following, found.c.place + 1).where(*more))


def _matches(index: sa.TableClause, words: Iterable[str]) -> sa.ColumnElement[bool]:
    quoted = " AND ".join('"' + word.replace('"', '""') + '"' for word in words)
    return list(index.c)[1].op("MATCH", is_comparison=True)(quoted)


def _split(words: Collection[str]) -> tuple[list[str], list[str]]:
    indexed = [word for word in words if len(word) >= TRIGRAM_LENGTH]
    return indexed, [word for word in words if len(word) < TRIGRAM_LENGTH]


def sorted_part(
    total: int,
    values: sa.Select[*tuple[Any, ...]],
    order: SortOrder,
    load: Callable[[Sequence[int]], Iterable[Any]],
) -> Part[Any]:
    """Return few rows in an order without an index, empty values last.

    `values` selects the id and the sort value of each row, in the list's own order, which decides
    between equal ones. `load` reads rows by their ids in any order.
    """

    def load_some(limit: int, offset: int) -> Sequence[Any]:
        read = db.session.execute(values.limit(COUNT_LIMIT)).all()
        ordered = sort_rows(read, lambda row: row[1:], order)[offset : offset + limit]
        ids = [row[0] for row in ordered]
        rows = {row.id: row for row in load(ids)}
        return [rows[id_] for id_ in ids if id_ in rows]

    return Part(total, load_some)


def sort_rows(
    rows: Iterable[Sorted], values: Callable[[Sorted], Iterable[Any]], order: SortOrder
) -> Sequence[Sorted]:
    """Return rows sorted by values of each; rows with equal values keep their order."""

    def key(row: Sorted) -> list[tuple[bool, Any]]:
        return [_key(value, descending=order.descending) for value in values(row)]

    return sorted(rows, key=key, reverse=order.descending)


def _key(value: Any, *, descending: bool) -> tuple[bool, Any]:
    """Return a sort key by which empty values come last in both directions."""
    if value is None or value == "":
        return not descending, ""
    return descending, names.key(value) if isinstance(value, str) else value
