"""The product's own SQL statements: recorded, counted, and prepared to be executed again."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from psycopg.types.json import Json
from sqlalchemy import Engine, event, text

from app.db import Base, db
from tests.bench.calls import Request

_CONTROL = ("BEGIN", "PRAGMA", "SAVEPOINT", "RELEASE", "ROLLBACK", "COMMIT")
_INSERTED = re.compile(r"INSERT INTO (\w+)")


@dataclass
class Statement:
    """A statement as the driver got it; `is_many` if with several sets of parameters."""

    sql: str
    parameters: Any
    is_many: bool

    @property
    def inserts(self) -> str:
        """Return the table that it inserts a row with an id into, '' for any other statement."""
        found = _INSERTED.search(self.sql)
        table = Base.metadata.tables.get(found[1]) if found and not self.is_many else None
        return table.name if table is not None and "id" in table.columns else ""


@dataclass
class Recording:
    """The transactions of a request, each a list of statements, and its reply's text and type.

    `inserted` has the ids of the last rows that it inserted, by table; `key` is its
    Idempotency-Key, and `client_key` what its stock operation keeps of that.
    """

    transactions: list[list[Statement]] = field(default_factory=list)
    reply: str = ""
    mimetype: str = ""
    inserted: dict[str, int] = field(default_factory=dict)
    key: str = ""
    client_key: str = ""

    def statements(self) -> list[Statement]:
        """Return all statements except BEGIN, COMMIT and savepoints."""
        return [s for part in self.transactions for s in part if not s.sql.startswith(_CONTROL)]


def record(app: Flask, request: Request) -> Recording:
    """Send one request to the application in this process and record its statements."""
    method, path, body, headers = request
    headers = {name: value for name, value in headers.items() if name != "Accept-Encoding"}
    with app.app_context():
        engine = db.engine
    with recording(engine) as recorded:
        client = app.test_client(use_cookies=False)
        reply = client.open(path, method=method, data=body, headers=headers)
        recorded.reply = reply.get_data().decode(errors="replace")
        recorded.mimetype = reply.mimetype or ""
    if reply.status_code >= 400:
        raise RuntimeError(f"{path} was answered by {reply.status_code}: {recorded.reply[:500]}")
    recorded.key = headers.get("Idempotency-Key", "")
    with engine.connect() as connection:
        for table in {statement.inserts for statement in recorded.statements()} - {""}:
            last = connection.execute(text(f"SELECT max(id) FROM {table}"))
            recorded.inserted[table] = last.scalar_one()
        if "stock_operation" in recorded.inserted:
            newest = "SELECT client_key FROM stock_operation ORDER BY id DESC LIMIT 1"
            recorded.client_key = connection.execute(text(newest)).scalar_one()
    return recorded


@contextmanager
def recording(engine: Engine) -> Iterator[Recording]:
    """Record the statements that an engine executes."""
    recorded = Recording()
    current: dict[object, list[Statement]] = {}

    def execute(
        connection: object, _cursor: object, sql: str, parameters: Any, _: object, is_many: bool
    ) -> None:
        if connection not in current:
            current[connection] = []
            recorded.transactions.append(current[connection])
        current[connection].append(Statement(sql, parameters, is_many))

    def end(connection: object) -> None:
        current.pop(connection, None)

    listeners = (("before_cursor_execute", execute), ("commit", end), ("rollback", end))
    for name, listener in listeners:
        event.listen(engine, name, listener)
    try:
        yield recorded
    finally:
        for name, listener in listeners:
            event.remove(engine, name, listener)


def replayable(first: Recording, second: Recording) -> list[dict[str, Any]]:
    """Return a change's transactions as JSON, with slots where two recordings of it differ.

    A slot is a parameter that was the Idempotency-Key, the client key, or the id of a row inserted
    before: each replay has its own.
    """
    marks: dict[str, tuple[str | int, str | int]] = {"key": (first.key, second.key)}
    if first.client_key:
        marks["client_key"] = (first.client_key, second.client_key)
    marks |= {
        table: (id_, second.inserted[table])
        for table, id_ in first.inserted.items()
        # The same id twice means that the row was there already.
        if id_ != second.inserted[table]
    }
    transactions = []
    for one, other in zip(first.transactions, second.transactions, strict=True):
        pairs = [
            pair for pair in zip(one, other, strict=True) if not pair[0].sql.startswith(_CONTROL)
        ]
        if pairs:
            transactions.append(
                {
                    "is_immediate": one[0].sql.startswith("BEGIN IMMEDIATE"),
                    "statements": [as_json(a, _slots(a, b, marks)) for a, b in pairs],
                }
            )
    return transactions


def as_json(statement: Statement, slots: Sequence[Any] = ()) -> dict[str, Any]:
    """Return a statement in the form that the bare application executes."""
    return {
        "sql": statement.sql,
        "parameters": _plain(statement.parameters),
        "slots": slots,
        "is_many": statement.is_many,
        "inserts": statement.inserts,
    }


def filled(statement: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """Return a statement's parameters with these values in its slots."""
    parameters = statement["parameters"]
    if not statement["slots"]:
        return parameters
    parameters = [*map(copy, parameters)] if statement["is_many"] else copy(parameters)
    for path, name in statement["slots"]:
        target = parameters
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = values[name]
    return parameters


def _slots(
    first: Statement, second: Statement, marks: Mapping[str, tuple[Any, Any]]
) -> list[tuple[list[Any], str]]:
    values = dict(_leaves(second.parameters))
    return [
        (list(path), name)
        for path, value in _leaves(first.parameters)
        for name, pair in marks.items()
        if (value, values.get(path)) == pair
    ]


def _leaves(parameters: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(parameters, Mapping):
        steps: Any = parameters.items()
    elif isinstance(parameters, list | tuple):
        steps = enumerate(parameters)
    else:
        yield path, parameters
        return
    for step, value in steps:
        yield from _leaves(value, (*path, step))


def _plain(value: Any) -> Any:
    """Return parameters as JSON can hold them; both drivers parse the texts."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Json):
        return json.dumps(value.obj)
    return value if isinstance(value, str | int | float | None) else str(value)
