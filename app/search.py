"""Words within texts, found by trigrams: three consecutive characters."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Integer, String, column, select, table
from sqlalchemy.orm import InstrumentedAttribute

from app.db import db

TRIGRAM_LENGTH = 3


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
        if db.session.get_bind().dialect.name != "sqlite":
            return [self.text.contains(word, autoescape=True) for word in words]
        indexed = [word for word in words if len(word) >= TRIGRAM_LENGTH]
        short = [word for word in words if len(word) < TRIGRAM_LENGTH]
        where: list[ColumnElement[bool]] = [
            self.text.contains(word, autoescape=True) for word in short
        ]
        if indexed:
            where.append(self.id.in_(self._found(indexed)))
        return where

    def _found(self, words: Collection[str]) -> Any:
        quoted = " AND ".join('"' + word.replace('"', '""') + '"' for word in words)
        index = table(
            f"{self.id.class_.__tablename__}_search",
            column("rowid", Integer),
            column(self.text.key, String),
        )
        return select(index.c.rowid).where(index.c[self.text.key].op("MATCH")(quoted))
