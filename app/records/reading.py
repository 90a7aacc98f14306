"""Reads of a kind of record: a page of its list, all rows, or a part of its call."""

import json
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from operator import methodcaller
from typing import Any, cast

from sqlalchemy import Select, TypeDecorator, func, literal, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from app import day_counts
from app.day_counts import Days
from app.db import db
from app.errors import Invalid
from app.paging import COUNT_LIMIT, AtLeast, Page, Part, load_page_of_parts
from app.records.filters import DayRange, OnDays
from app.records.record import Query, R, Record
from app.search import Matches, find_matches, sorted_part
from app.sorting import SORT, SortOrder, describe_unsortable
from app.sums import count_matches
from app.versions import cached


def read_page(
    record: Record[R], query: Query, number: int, version: Hashable, total: int | None = None
) -> Page[R]:
    """Return a page of the rows that match; `version` changes with them, and was read before.

    `total` is their number if it is known; they aren't counted again then.
    """
    parts = [_part(record, each, version, total) for each in record.parts(query)]
    page = load_page_of_parts(number, parts, per_page=record.per_page)
    rows = (record.page_rows or record.rows)(page.rows)
    return Page(rows, page.number, page.pages, page.total)


def read_all(record: Record[R], query: Query | None = None) -> Sequence[R]:
    """Return all rows that match, in the order of the list; without a query, all it has."""
    matching = _matching(record, query or record.parse({}))
    return record.rows(_load(record, matching.order_by(*record.order)))


def read_whole(record: Record[R], query: Query) -> Iterable[R]:
    """Return all rows that match, in the requested order, else in the call's."""
    matching, order = _matching(record, query), query.order
    if order is None and record.stream:
        return record.stream(record.where(query))
    if order is None or record.has_index(query):
        return record.rows(_load(record, matching.order_by(*record.order_by(order))))
    return record.rows(_sorted(record, query, order, COUNT_LIMIT).load(COUNT_LIMIT, 0))


def check_order(record: Record[R], query: Query, *, is_part: bool) -> None:
    """Raise Invalid unless a call can have its order: by an index, or whole if few rows match."""
    if not record.has_index(query):
        matching = _matching(record, query).with_only_columns(record.model.id)
        check_unindexed(matching, record.indexed_orders(query), is_part=is_part)


def check_unindexed(
    matching: Select[*tuple[Any, ...]], indexed: Sequence[str], *, is_part: bool
) -> None:
    """Raise Invalid unless few rows match and are read whole; `indexed` are the other orders."""
    is_few = not isinstance(count_matches(matching), AtLeast)
    if is_part or not is_few:
        raise Invalid(describe_unsortable(indexed, is_few=is_few), SORT)


def read_part(
    record: Record[R], query: Query, after: str, limit: int
) -> tuple[Sequence[R], str | None]:
    """Return up to `limit` rows that match and follow one, in an order that an index has.

    `after` is the key of that row, '' for none. Returns also the key of the last row returned,
    None if nothing follows it.
    """
    keys = record.keys(query.order)
    statement = _matching(record, query)
    if after:
        row, last = tuple_(*keys), tuple_(*_last(record, query, after))
        is_descending = record.is_descending(query.order)
        statement = statement.where(row < last if is_descending else row > last)
    # One row more tells whether another part follows.
    found = _load(record, statement.order_by(*record.order_by(query.order)).limit(limit + 1))
    if len(found) <= limit:
        return record.rows(found), None
    row = found[limit - 1]
    if query.order is None:
        return record.rows(found[:limit]), str(getattr(row, record.key.key))
    values = [getattr(row, key.key) for key in keys]
    return record.rows(found[:limit]), json.dumps(values, default=methodcaller("isoformat"))


def is_match(record: Record[R], query: Query, row_id: int) -> bool:
    """Return whether a row matches."""
    conditions = [*record.where(query, by_row=True), record.model.id == row_id]
    return db.session.execute(select(record.model.id).where(*conditions)).first() is not None


def _part(record: Record[R], query: Query, version: Hashable, total: int | None) -> Part[Any]:
    days = record.days(query) if record.days else None
    if days:
        part = _by_day(record, query, days, total)
    else:
        found = _matches(record, query, version, total)
        part = Part(found.total, lambda limit, offset: _load(record, found.part(limit, offset)))
    if query.order and record.sorting:
        order = record.sorting.usable(query.order, part.total)
        if not record.has_index(replace(query, order=order)) and order != record.default:
            return _sorted(record, query, order, part.total)
    return part


def _sorted(record: Record[R], query: Query, order: SortOrder, total: int) -> Part[Any]:
    values = _matching(record, query).order_by(*record.order)
    values = values.with_only_columns(record.model.id, *record.column(order).by)
    return sorted_part(total, values, order, lambda ids: _with_ids(record, ids))


def _matches(record: Record[R], query: Query, version: Hashable, total: int | None) -> Matches:
    is_walked = query.order and record.has_index(query)
    order = record.order_by(query.order) if is_walked else record.order
    statement = select(record.model).order_by(*order)
    row_id = record.model.id
    if record.is_search(query):
        return find_matches(statement, row_id, lambda by_row: record.where(query, by_row=by_row))
    where = record.where(query)
    if record.is_capped:
        total = count_matches(select(row_id).where(*where)) if total is None else total
        return Matches(total, statement, row_id, where)
    counted = select(func.count()).select_from(record.model).where(*where)
    total = cached(
        (record.list_name, version),
        lambda: db.session.execute(counted).scalar_one(),
        record.plural,
        *sorted(query.filters.items()),
    )
    return Matches(total, statement, row_id, where)


def _by_day(record: Record[R], query: Query, days: Days, total: int | None) -> Part[Any]:
    """Return the matches of counted days, in the order of a day; theirs leads to the far ones."""
    order = query.order if query.order and record.has_index(query) else record.default
    column, is_descending = record.keys(order)[0], record.is_descending(order)
    statement = _matching(record, query).order_by(*record.order_by(order))

    def load(limit: int, offset: int) -> Sequence[Any]:
        position = day_counts.position(offset, days, newest_first=is_descending) if offset else None
        if position is None:
            return _load(record, statement.limit(limit))
        (day, before), is_moment = position, issubclass(_type_of(column), datetime)
        rest = OnDays(column=column, is_moment=is_moment).where(
            DayRange(end=day) if is_descending else DayRange(start=day)
        )
        return _load(record, statement.where(*rest).limit(limit).offset(before))

    return Part(day_counts.totals(days)[0] if total is None else total, load)


def _matching(record: Record[R], query: Query) -> Select[*tuple[Any, ...]]:
    return select(record.model).where(*record.where(query))


def _with_ids(record: Record[R], ids: Sequence[int]) -> Sequence[Any]:
    return _load(record, select(record.model).where(record.model.id.in_(ids)))


def _load(record: Record[R], statement: Select[*tuple[Any, ...]]) -> Sequence[Any]:
    if record.read:
        return record.read(statement)
    return db.session.execute(statement).scalars().all()


def _last(record: Record[R], query: Query, after: str) -> Iterable[Any]:
    """Return the values that the row of a cursor has in the columns of its order."""
    if query.order is None:
        key = _literal(record.key, after)
        if record.call_by is None:
            return [key]
        return [select(record.call_by).where(record.key == key).scalar_subquery(), key]
    return map(_literal, record.keys(query.order), json.loads(after))


def _literal(column: InstrumentedAttribute[Any], value: Any) -> Any:
    """Return a value of a cursor as the column holds it."""
    of_value = _type_of(column)
    parse = of_value.fromisoformat if issubclass(of_value, date) else of_value
    return literal(parse(value), column.type)


def _type_of(column: InstrumentedAttribute[Any]) -> type[Any]:
    kind = column.type
    plain = kind.impl_instance if isinstance(kind, TypeDecorator) else kind
    return cast(type[Any], plain.python_type)
