"""Words within texts, found by trigrams: three consecutive characters."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVarTuple

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    String,
    TableClause,
    column,
    select,
    table,
)
from sqlalchemy.orm import InstrumentedAttribute

from app.db import db

TRIGRAM_LENGTH = 3

Columns = TypeVarTuple("Columns")


@dataclass(frozen=True)
class TextIndex:
    """The trigrams of the keys in a column of texts.

    PostgreSQL uses its index of the column by itself. In SQLite it is a table of its own, named
    after the column's table, whose `rowid` is the id of the text's row.
    """

    id: InstrumentedAttribute[int]
    text: InstrumentedAttribute[str]

    def contains(self, words: Collection[str]) -> list[ColumnElement[bool]]:
        """Return the conditions that a row's text contains every word, in any order.

        `words` are keys (names.search_words). The index finds words of three characters or more.
        """
        indexed, short = _split(words)
        if not indexed or not _is_table():
            return self.compare(words)
        found = select(self._table.c.rowid).where(self._matches(indexed))
        return [*self.compare(short), self.id.in_(found)]

    def compare(self, words: Collection[str]) -> list[ColumnElement[bool]]:
        """Return the same conditions for reading the texts in an order until enough have matched.

        That is soon where the words are frequent.
        """
        return [self.text.contains(word, autoescape=True) for word in words]

    def look_up(
        self, statement: Select[*Columns], words: Collection[str]
    ) -> Select[*Columns] | None:
        """Restrict a statement to the rows whose text contains every word, found by the index.

        Give it a limit and no order: then rows are read as the index names them, and no more of
        them. Returns None for short words, which only `compare` finds.
        """
        indexed, short = _split(words)
        if not indexed:
            return None
        if not _is_table():
            return statement.where(*self.compare(words))
        is_found = (self._matches(indexed), *self.compare(short))
        return statement.join(self._table, self._table.c.rowid == self.id).where(*is_found)

    def _matches(self, words: Collection[str]) -> ColumnElement[bool]:
        quoted = " AND ".join('"' + word.replace('"', '""') + '"' for word in words)
        return self._table.c[self.text.key].op("MATCH", is_comparison=True)(quoted)

    @cached_property
    def _table(self) -> TableClause:
        return table(
            f"{self.id.class_.__tablename__}_search",
            column("rowid", Integer),
            column(self.text.key, String),
        )


def _is_table() -> bool:
    return db.session.get_bind().dialect.name == "sqlite"


def _split(words: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the words that are long enough for the index, and the others."""
    indexed = [word for word in words if len(word) >= TRIGRAM_LENGTH]
    return indexed, [word for word in words if len(word) < TRIGRAM_LENGTH]
