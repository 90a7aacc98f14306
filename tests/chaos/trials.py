"""A trial: one scenario on one engine, with an installation of its own that is checked after it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from app.engines import sqlite_library
from tests.chaos.books import Books
from tests.chaos.http import Account
from tests.chaos.load import Clients, working
from tests.databases import connect
from tests.postgresql_server import PostgresqlServer
from tests.serving import ROOT, Server, environment

INITIAL = 1_000_000
"""Each item's amount at first, so that no withdrawal fails."""

REPLAYED = 20


@dataclass(frozen=True)
class Outcome:
    """What a scenario counted, and what was wrong."""

    scenario: str
    engine: str
    seconds: float
    counts: Mapping[str, float]
    problems: Sequence[str]

    @property
    def is_right(self) -> bool:
        return not self.problems


@dataclass
class Place:
    """Where the databases of an engine come from; each function returns the URL of a new one.

    `fresh` makes a filled one, `empty` one with tables alone, `bare` one without tables, and
    `copy` a copy of another. `other` is the place of the other engine.
    """

    engine: str
    fresh: Callable[[], str]
    empty: Callable[[], str]
    bare: Callable[[], str]
    copy: Callable[[str], str]
    server: PostgresqlServer | None = None
    other: "Place | None" = None


@dataclass
class Trial:
    """One scenario on one engine; `size` is the part of the whole run's numbers."""

    place: Place
    folder: Path
    rng: Random
    size: float = 1
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.url = self.place.fresh()
        self.books = Books()
        self.problems: list[str] = []
        self.counts: dict[str, float] = {}
        (self.folder / "photos").mkdir(parents=True, exist_ok=True)

    @property
    def engine(self) -> str:
        return self.place.engine

    def times(self, number: int) -> int:
        """Return how many of something this size of a run has."""
        return max(1, round(number * self.size))

    def environment(self) -> dict[str, str]:
        """Return the variables of the installation."""
        return environment(self.url, self.folder) | self.variables

    @contextmanager
    def serving(self) -> Iterator[Server]:
        """Serve the installation during the block; it must stop well."""
        server = Server(self.folder, self.environment())
        try:
            yield server
        finally:
            if server.process.poll() is None and server.stop() != 0:
                self.problems.append("the server did not stop well")

    @contextmanager
    def load(self, server: Server, **options: Any) -> Iterator[Clients]:
        """Submit bulk updates during the block, then send some of them again."""
        with working(Clients(Account(server.port), self.books, self.rng, **options)) as clients:
            yield clients
        clients.resend(REPLAYED)

    def flask(self, *arguments: str, url: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command of the installation."""
        variables = self.environment() | ({"DATABASE_URL": url} if url else {})
        command = [sys.executable, "-m", "flask", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False
        )

    def expect(self, is_true: object, problem: str) -> None:
        """Note a problem unless something is true."""
        if not is_true:
            self.problems.append(problem)

    def expect_success(self, done: subprocess.CompletedProcess[str], what: str) -> None:
        """Note how a command failed, if it did."""
        output = f"{done.stdout}\n{done.stderr}".strip()[-2000:]
        self.expect(done.returncode == 0, f"{what} ended with {done.returncode}: {output}")

    def compare(self, *, url: str = "", expected: Sequence[str] | None = None) -> None:
        """Compare what is stored with the books, and let `flask verify` check it."""
        url = url or self.url
        with querying(url) as query:
            self.problems += self.books.problems(query, INITIAL, expected)
        self.expect_success(self.flask("verify", url=url), "flask verify")

    def outcome(self, scenario: str, begun: float) -> Outcome:
        """Return what came out, the load's counts included."""
        load = {"acknowledged": len(self.books.acknowledged)} if self.books.submissions else {}
        counts = self.counts | load | dict(sorted(self.books.counts.items()))
        problems = [*self.problems, *self.books.faults]
        seconds = time.monotonic() - begun
        return Outcome(scenario, self.engine, seconds, counts, problems)


@contextmanager
def querying(url: str) -> Iterator[Callable[[str], Sequence[Sequence[Any]]]]:
    """Yield a function that runs SQL on a database, without the application."""
    is_sqlite = url.startswith("sqlite")
    file = url.removeprefix("sqlite:///")
    with closing(sqlite_library.connect(file) if is_sqlite else connect(url)) as connection:
        yield lambda statement: connection.execute(statement).fetchall()


def kill(process: int) -> None:
    """Kill a process with SIGKILL, if it still runs."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return
