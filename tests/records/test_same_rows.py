"""Each list has the same rows on its pages, in its file, and in its call, whole or in parts."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import UniqueConstraint, func, insert, select
from sqlalchemy.exc import IntegrityError

from app import dates
from app.db import db, transaction
from app.records.calls import ListParameters
from app.records.filters import Filter, OnDays, OneOf, Search
from app.records.reading import read_all, read_page, read_part, read_whole
from app.records.record import Query, Record
from app.sorting import SortOrder
from app.stock.schemas.levels import list_of
from tests import factories
from tests.databases import filled_once
from tests.factories import MAIN
from tests.opened_pages import fill
from tests.silent_changes import written_directly

QUERIES, MORE_QUERIES = 2, 20
"""How many random queries each list is asked, and how many thoroughly."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(29)  # noqa: S311


@pytest.fixture
def records(request: pytest.FixtureRequest, app: Flask) -> Iterator[Sequence[Record[Any]]]:
    """Yield the records that have a call, with the rows of their models alone."""
    filled_once(request, app, "much", partial(fill, app))
    named = {each.record.plural: each.record for each in ListParameters.__subclasses__()}
    with app.app_context():
        named["levels"] = list_of(MAIN)
        for supplier in ("Glass & Co", "Oak 100%", "Ängström"):
            factories.supplier(supplier)
        for plate in ("VB1", "VB2", "VB3"):
            factories.vehicle(plate, vans=True)
        yield [replace(each, rows=list, page_rows=None) for each in named.values()]


def ids(rows: Any) -> list[int]:
    return [getattr(row, "id", None) or row[0].id for row in rows]


def some_texts(record: Record[Any], rng: random.Random) -> list[str]:
    """Return texts of some rows, and others that no row has."""
    rows = db.session.execute(select(record.model).where(*record.scope()).limit(40)).scalars().all()
    found = [text for row in rows for text in vars(row).values() if isinstance(text, str) and text]
    return [*rng.sample(found, min(len(found), 12)), "%", "_", '"*', "no such", "İ😀"]


def some_value(each: Filter, texts: Sequence[str], rng: random.Random) -> Mapping[str, str]:
    match each:
        case OnDays():
            days = [dates.today() - timedelta(days=rng.randrange(-3, 90)) for _ in range(2)]
            ends = dict(zip(("from", "to"), map(str, sorted(days)), strict=True))
            return {name: ends[name] for name in rng.choice((["from"], ["to"], ["from", "to"]))}
        case OneOf():
            return {each.name: rng.choice([*each.choices])}
        case Search():
            words = rng.choice(texts).split() or ["x"]
            return {each.name: rng.choice(words)[: rng.choice((2, 3, 5, 30))]}
    return {each.name: rng.choice(texts)}


def some_queries(
    record: Record[Any], rng: random.Random, number: int
) -> Iterator[tuple[Mapping[str, str], Query]]:
    texts = some_texts(record, rng)
    for n in range(number):
        chosen = (
            rng.sample([*record.filters], rng.randint(0, min(2, len(record.filters)))) if n else []
        )
        arguments = {}
        for each in chosen:
            arguments |= some_value(each, texts, rng)
        query = record.parse(arguments, in_call=True)
        if not query.problems:
            yield arguments, query


def pages_of(record: Record[Any], query: Query) -> Iterator[int]:
    number, pages = 1, 1
    while number <= pages:
        page = read_page(record, query, number, "version")
        yield from ids(page.rows)
        number, pages = number + 1, page.pages


def parts_of(record: Record[Any], query: Query, limit: int, between: Any = None) -> Iterator[int]:
    after: str | None = ""
    while after is not None:
        rows, after = read_part(record, query, after, limit)
        yield from ids(rows)
        if between:
            between()


def test_pages_files_and_calls_have_the_same_rows_under_any_filters(records, rng, pytestconfig):
    number = MORE_QUERIES if pytestconfig.option.thorough else QUERIES
    assert len(records) > 12
    for record in records:
        for arguments, query in some_queries(record, rng, number):
            about = (record.plural, arguments)
            matching = ids(read_all(record, query))
            assert len(set(matching)) == len(matching), about
            whole = ids(read_whole(record, query))
            assert sorted(whole) == sorted(matching), about
            assert [*parts_of(record, query, rng.choice((7, 40, 5000)))] == whole, about
            listed = [*pages_of(record, query)]
            assert sorted(listed) == sorted(matching), about


def orders(record: Record[Any], query: Query) -> Iterator[SortOrder | None]:
    yield None
    for name in record.indexed_orders(query):
        yield from (SortOrder(name), SortOrder(name, descending=True))


@pytest.mark.writes_directly
def test_a_walk_gives_each_row_once_while_others_are_inserted(records, rng):
    for record in records:
        query = record.parse({}, in_call=True)
        for order in orders(record, query):
            sorted_query = replace(query, order=order)
            before = ids(read_whole(replace(record, stream=None), sorted_query))
            copies = iter([rng.sample(before, min(2, len(before))) for _ in range(3)])
            between = partial(copy_rows, record.model, copies)
            walked = [*parts_of(record, sorted_query, max(len(before) // 4, 1), between)]
            about = (record.plural, str(order))
            assert len(set(walked)) == len(walked), about
            assert [id_ for id_ in walked if id_ in set(before)] == before, about
            assert len(ids(read_all(record, sorted_query))) > len(before), about


def copy_rows(model: type[Any], samples: Iterator[Sequence[int]]) -> None:
    """Store copies of the next sample of rows, each with its own values where they are unique."""
    row_ids = next(samples, [])
    table = model.__table__
    uniques = [each.columns for each in table.constraints if isinstance(each, UniqueConstraint)]
    uniques += [each.columns for each in table.indexes if each.unique]
    with written_directly(), transaction():
        rows = db.session.execute(select(table).where(table.c.id.in_(row_ids))).mappings().all()
        for row in rows:
            values = {name: value for name, value in row.items() if name != "id"}
            number = db.session.execute(select(func.max(table.c.id))).scalar_one() + 1
            for columns in uniques:
                column = max(
                    reversed([*columns]), key=lambda each: (each.nullable, not each.foreign_keys)
                )
                if column.nullable:
                    values[column.name] = None
                elif isinstance(values[column.name], str):
                    kept = values[column.name][: -len(str(number))] or "Z"
                    values[column.name] = f"{kept}{number}"
                else:
                    values[column.name] += 100_000 + number
            # A vehicle that is out already isn't booked again.
            with suppress(IntegrityError), db.session.begin_nested():
                db.session.execute(insert(table).values(values))
