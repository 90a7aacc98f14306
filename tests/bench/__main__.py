"""`make bench`: requests per second, their times and numbers of SQL statements.

Compare figures only within one run; no test asserts any of them.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from flask import Flask
from sqlalchemy import event

from app import create_app
from app.db import db
from tests.bench.calls import CALLS, Call, Session
from tests.bench.data import fill
from tests.databases import postgresql_copies, settings_for, sqlite_copies
from tests.journeys.serving import serving

CLIENTS = (1, 8)
SUCCESSFUL = (200, 201)
ENGINES = {"sqlite": sqlite_copies, "postgresql": postgresql_copies}


@dataclass(frozen=True)
class Figures:
    """Measurements of one call; times are in milliseconds."""

    per_second: float
    p50: float
    p95: float


def statements_of(app: Flask, session: Session, call: Call) -> int:
    """Count the SQL statements of one request, without BEGIN and COMMIT."""
    seen: list[str] = []

    def record(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA", "SAVEPOINT", "RELEASE")):
            seen.append(statement)

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", record)
    try:
        method, path, body, headers = call.request(session)
        client = app.test_client(use_cookies=False)
        reply = client.open(path, method=method, data=body, headers=headers)
        reply.get_data()
        assert reply.status_code in SUCCESSFUL, (
            path,
            reply.status_code,
            reply.get_data(as_text=True),
        )
    finally:
        event.remove(engine, "before_cursor_execute", record)
    return len(seen)


def measure(port: int, session: Session, call: Call, clients: int) -> Figures:
    """Send a call's requests from several clients at once."""
    each = max(1, call.times // clients)

    def work(_: int) -> list[float]:
        connection = HTTPConnection("127.0.0.1", port, timeout=120)
        took = []
        for _n in range(each):
            method, path, body, headers = call.request(session)
            begins = time.perf_counter()
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            reply.read()
            took.append((time.perf_counter() - begins) * 1000)
            assert reply.status in SUCCESSFUL, (path, reply.status)
        connection.close()
        return took

    begins = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        took = sorted(ms for found in pool.map(work, range(clients)) for ms in found)
    seconds = time.perf_counter() - begins
    p95 = took[min(len(took) - 1, int(len(took) * 0.95))]
    return Figures(len(took) / seconds, statistics.median(took), p95)


def bench(url: str, folder: Path, calls: Sequence[Call]) -> None:
    """Print a table of figures for one database."""
    app = create_app(settings_for(url, folder))
    session = fill(app)
    print(f"\n{url.partition(':')[0]}")
    print(f"{'call':<28}{'clients':>8}{'req/s':>9}{'p50 ms':>9}{'p95 ms':>9}{'SQL':>6}")
    with serving(url, folder) as port:
        for call in calls:
            statements = statements_of(app, session, call)
            for clients in CLIENTS:
                found = measure(port, session, call, clients)
                print(
                    f"{call.name:<28}{clients:>8}{found.per_second:>9.1f}{found.p50:>9.1f}"
                    f"{found.p95:>9.1f}{statements:>6}",
                    flush=True,
                )
    with app.app_context():
        db.engine.dispose()


def main() -> None:
    """Run the benchmark on SQLite and PostgreSQL."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=list(ENGINES), action="append")
    parser.add_argument("--call", default="", help="part of the names of the calls to measure")
    options = parser.parse_args()
    calls = [call for call in CALLS if options.call in call.name]
    for engine in options.engine or ENGINES:
        folder = Path(tempfile.mkdtemp(prefix="qm-bench-"))
        try:
            with ENGINES[engine](folder) as copies:
                bench(copies.fresh(), folder, calls)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
