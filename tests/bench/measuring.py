"""Measure one stage: an engine with data of one size, served beside the bare application."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import make_url

from app import create_app
from app.db import db
from app.stock.queries.levels import load_rows
from app.stock.rules.filters import StockFilters
from tests.bench import commands, data, figures
from tests.bench.calls import BY_NAME, CHANGES, MIXED, Call, Session
from tests.bench.data import Size
from tests.bench.figures import Figures, Measured, Stage
from tests.bench.load import Job, send_all
from tests.bench.processes import Served, served
from tests.bench.recording import Recording, as_json, record, replayable
from tests.bench.report import figures_of, progress
from tests.databases import settings_for
from tests.factories import MAIN
from tests.serving import ROOT, environment

BARE = Path(__file__).parent / "bare"
CLIENTS = 8
WATCHED_REQUESTS = 10_000
"""Over how many requests the growth of memory is measured."""
PRAGMAS = ("busy_timeout", "journal_mode", "synchronous", "foreign_keys", "trusted_schema")


@dataclass(frozen=True)
class Options:
    """How long each measurement lasts; and whether memory and commands are measured too."""

    seconds: float = 1.2
    is_whole: bool = True


@dataclass(frozen=True)
class Bench:
    """Measures on one engine; `copy` makes a database of a size, or an empty one."""

    engine: str
    copy: Callable[[Size | None], str]
    folder: Path
    load: Pool
    options: Options

    def stage(self, factor: int, size: Size, calls: Sequence[Call]) -> Stage:
        """Measure calls with data of a size, at the normal size also memory and commands.

        With more data, whole lists are left out: they take as long as they are.
        """
        is_whole = self.options.is_whole and factor == 1
        if factor > 1:
            calls = [call for call in calls if not call.reads_all]
        url = self.copy(size)
        app = create_app(settings_for(url, self.folder))
        session = data.sign_in(app)
        recordings = {call.name: record(app, call.request(session)) for call in calls}
        bare = self._measure_bare(url, app, session, calls, recordings)
        stage = self._measure_product(
            url, session, calls, recordings, bare, watches_memory=is_whole
        )
        with app.app_context():
            db.engine.dispose()
        others = dict(stage.others)
        if is_whole:
            others |= commands.measure(self.copy(None), self.folder)
        return replace(stage, size=factor, others=others)

    def _measure_bare(
        self,
        url: str,
        app: Flask,
        session: Session,
        calls: Sequence[Call],
        recordings: Mapping[str, Recording],
    ) -> dict[str, tuple[Figures, Figures]]:
        """Measure the bare views that the calls are compared with, by their paths."""
        content = self.folder / "bare.json"
        content.write_text(json.dumps(_bare_content(url, app, session, calls, recordings)))
        variables = environment(url, self.folder) | {"BENCH_BARE": str(content)}
        found: dict[str, tuple[Figures, Figures]] = {}
        with served(BARE, variables, "/empty", self.folder / "bare.log") as server:
            for call in calls:
                path = bare_path(call)
                if path and path not in found:
                    found[path] = self._one_and_eight(server, Job(server.port, path=path))
        return found

    def _measure_product(
        self,
        url: str,
        session: Session,
        calls: Sequence[Call],
        recordings: Mapping[str, Recording],
        bare: Mapping[str, tuple[Figures, Figures]],
        *,
        watches_memory: bool,
    ) -> Stage:
        measured: list[Measured] = []
        variables = environment(url, self.folder)
        with served(ROOT, variables, "/readyz", self.folder / "serve.log") as server:
            others = {
                figures.READY: server.ready_seconds,
                figures.MEMORY_AT_START: server.memory(),
            }
            for call in calls:
                job = Job(server.port, session, [call.name])
                one, eight = self._one_and_eight(server, job)
                changed = replace(job, change=CHANGES[call.division])
                bare_one, bare_eight = bare.get(bare_path(call), (None, None))
                recorded = recordings[call.name]
                found = Measured(
                    call.name,
                    len(recorded.statements()),
                    one,
                    eight,
                    self._figures(server, changed) if call.is_page else None,
                    bare_one,
                    bare_eight,
                    recorded.reply.count("\n") if call.reads_all else 0,
                )
                progress(self.engine, found)
                measured.append(found)
            if watches_memory:
                others |= self._watch_memory(server, session)
        shares = [part.client_share for found in measured for part in (found.one, found.eight)]
        others[figures.CLIENT_SHARE] = 100 * sum(shares) / len(shares)
        return Stage(self.engine, 1, measured, others)

    def _one_and_eight(self, server: Served, job: Job) -> tuple[Figures, Figures]:
        """Send a job once from several clients, and measure it at one client and at eight."""
        self.load.apply(send_all, [replace(job, clients=CLIENTS)])
        return self._figures(server, job), self._figures(server, replace(job, clients=CLIENTS))

    def _figures(self, server: Served, job: Job) -> Figures:
        before = server.cpu_seconds()
        timing = self.load.apply(send_all, [replace(job, seconds=self.options.seconds)])
        used = server.cpu_seconds() - before
        return figures_of(timing.milliseconds, timing.seconds, used, timing.cpu_seconds)

    def _watch_memory(self, server: Served, session: Session) -> dict[str, float]:
        """Return the memory after all that was measured, and by how much many requests add."""
        before = server.memory()
        job = Job(server.port, session, MIXED, clients=CLIENTS, requests=WATCHED_REQUESTS)
        self.load.apply(send_all, [job])
        after = server.memory()
        return {figures.MEMORY: after, figures.MEMORY_GROWTH: after - before}


def bare_path(call: Call) -> str:
    """Return the path of the bare view that a call is compared with, '' for none."""
    return f"/replay?call={CALL_NUMBERS[call.name]}" if call.bare == "/replay" else call.bare


CALL_NUMBERS = {name: number for number, name in enumerate(BY_NAME)}


def _bare_content(
    url: str,
    app: Flask,
    session: Session,
    calls: Sequence[Call],
    recordings: Mapping[str, Recording],
) -> dict[str, Any]:
    """Return what the bare application needs: rows, statements, and the way to the database."""
    address = make_url(url)
    is_sqlite = url.startswith("sqlite")
    replays = {
        CALL_NUMBERS[call.name]: replayable(
            recordings[call.name], record(app, call.request(session))
        )
        for call in calls
        if call.bare == "/replay"
    }
    exports = [recordings[call.name].statements()[-1] for call in calls if call.bare == "/export"]
    with app.app_context(), db.engine.connect() as connection:
        found = load_rows(MAIN, StockFilters(), "").rows
        pragmas = [
            f"{name}={connection.exec_driver_sql(f'PRAGMA {name}').scalar()}"
            for name in (PRAGMAS if is_sqlite else ())
        ]
    return {
        "engine": "sqlite" if is_sqlite else "postgresql",
        "address": address.database
        if is_sqlite
        else f"host={address.query['host']} user={address.username} dbname={address.database}",
        "pragmas": pragmas,
        "rows": [
            row._asdict() | {"amount": f"{row.amount:,}", "price": f"£{row.unit_price / 100:,.2f}"}
            for row in found
        ],
        "replays": replays,
        "export": as_json(exports[0]) if exports else None,
    }
