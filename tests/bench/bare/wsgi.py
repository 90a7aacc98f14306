"""The bare application: what Flask, Jinja and the driver need at least for the same work.

Run `flask serve` in this folder: it is served exactly as the product is. BENCH_BARE names a JSON
file of tests.bench.recording with the rows to render and the statements to execute.
"""

import csv
import io
import json
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import psycopg
from flask import Flask, Response, jsonify, render_template, request

from app.cli.serve import serve
from app.engines import engine_options
from tests.bench.recording import filled

ROWS_PER_CHUNK = 1000
_content = json.loads(Path(os.environ["BENCH_BARE"]).read_text())
_thread = threading.local()

app = Flask(__name__, template_folder=".")
app.cli.add_command(serve)


class SqliteDriver:
    """SQLite with the product's pragmas."""

    def __init__(self) -> None:
        module = engine_options("sqlite://")["module"]
        self.connection = module.connect(_content["address"], isolation_level=None, timeout=15)
        for pragma in _content["pragmas"]:
            self.connection.execute(f"PRAGMA {pragma}")

    @contextmanager
    def transaction(self, *, is_immediate: bool) -> Iterator[None]:
        """Run a transaction that takes its lock at the beginning where the product does."""
        self.connection.execute("BEGIN IMMEDIATE" if is_immediate else "BEGIN")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def inserted_id(self, cursor: Any) -> int:
        """Return the id of the row that was just inserted."""
        return int(cursor.lastrowid)

    def stream_cursor(self) -> Any:
        """Return a cursor for many rows."""
        return self.connection.cursor()


class PostgresqlDriver:
    """PostgreSQL through psycopg."""

    def __init__(self) -> None:
        self.connection = psycopg.connect(_content["address"], autocommit=True)

    def transaction(self, *, is_immediate: bool) -> AbstractContextManager[Any]:  # noqa: ARG002
        """Run a transaction."""
        return self.connection.transaction()

    def inserted_id(self, cursor: Any) -> int:
        """Return the id that the statement returned, 0 if it returned none."""
        has_id = cursor.description and cursor.description[0][0] == "id"
        return int(cursor.fetchone()[0]) if has_id else 0

    def stream_cursor(self) -> Any:
        """Return a cursor for many rows, which the server sends in parts."""
        return self.connection.cursor(name="export")


def driver() -> SqliteDriver | PostgresqlDriver:
    """Return this thread's connection."""
    if not hasattr(_thread, "driver"):
        is_sqlite = _content["engine"] == "sqlite"
        _thread.driver = SqliteDriver() if is_sqlite else PostgresqlDriver()
    return _thread.driver


@app.get("/empty")
def empty() -> Response:
    """Reply with a constant."""
    return jsonify(status="ok")


@app.get("/rows")
def rows() -> str:
    """Render the rows of a stock list from memory."""
    return render_template("rows.html", rows=_content["rows"])


@app.get("/replay")
def replay() -> Response:
    """Execute the statements of a change as the product did, in the same transactions."""
    values = {"key": secrets.token_hex(8), "client_key": secrets.token_hex(32)}
    for transaction in _content["replays"][request.args["call"]]:
        with driver().transaction(is_immediate=transaction["is_immediate"]):
            for statement in transaction["statements"]:
                _execute(statement, values)
    return jsonify(values)


def _execute(statement: Any, values: dict[str, Any]) -> None:
    cursor = driver().connection.cursor()
    execute = cursor.executemany if statement["is_many"] else cursor.execute
    execute(statement["sql"], filled(statement, values))
    if statement["inserts"]:
        values[statement["inserts"]] = driver().inserted_id(cursor)
    elif cursor.description and not statement["is_many"]:
        cursor.fetchall()
    cursor.close()


@app.get("/export")
def export() -> Response:
    """Stream the rows of the history's export as CSV."""
    return Response(_export_lines(), mimetype="text/csv")


def _export_lines() -> Iterator[str]:
    statement = _content["export"]
    with driver().transaction(is_immediate=False):
        cursor = driver().stream_cursor()
        cursor.execute(statement["sql"], filled(statement, {}))
        while found := cursor.fetchmany(ROWS_PER_CHUNK):
            chunk = io.StringIO()
            csv.writer(chunk).writerows(found)
            yield chunk.getvalue()
        cursor.close()
