"""/metrics for Prometheus: counters that all workers share, on a listener of its own.

Each worker counts into files of its own in the folder PROMETHEUS_MULTIPROC_DIR, and a process
beside them serves the sums. A worker that died is still part of them: counters never fall.
"""

import logging
import os
import signal
import time
from collections.abc import Iterable

from flask import Flask
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from sqlalchemy import Engine, event

from app.logs import RequestEntry, observers
from app.server.supervisor import PARENT_CHECK_SECONDS, supervisor_id

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

log = logging.getLogger(__name__)

_REQUESTS = Counter(
    "quartermaster_requests", "Requests answered.", ["method", "route", "status"], registry=None
)
_SECONDS = Histogram(
    "quartermaster_request_seconds",
    "Time in the application.",
    ["method", "route"],
    buckets=BUCKETS,
    registry=None,
)
_CHANGES = Counter("quartermaster_changes", "Changes made.", registry=None)
_REPLAYS = Counter("quartermaster_replays", "Changes sent again and not made again.", registry=None)
# Without labels they start at 0: the first failure is an increase that triggers an alert.
_CONFLICTS = Counter("quartermaster_conflicts", "Replies with 409 or 412.", registry=None)
_FAILURES = Counter("quartermaster_failures", "Replies with 5xx.", registry=None)
_DEATHS = Counter("quartermaster_process_deaths", "Processes that died.", registry=None)
_WORKERS = Gauge(
    "quartermaster_workers", "Workers alive.", registry=None, multiprocess_mode="livemax"
)
_IN_USE = Gauge(
    "quartermaster_database_connections_in_use",
    "Connections taken from the workers' pools.",
    registry=None,
    multiprocess_mode="livesum",
)


def begin(engine: Engine) -> None:
    """Count the requests of this process and its future workers, and their connections."""
    observers.append(observe)
    event.listen(engine, "checkout", lambda *_: _IN_USE.inc())
    event.listen(engine, "checkin", lambda *_: _IN_USE.dec())


def observe(entry: RequestEntry) -> None:
    """Count a request."""
    _REQUESTS.labels(entry.method, entry.route, entry.status).inc()
    _SECONDS.labels(entry.method, entry.route).observe(entry.milliseconds / 1000)
    if entry.changes:
        _CHANGES.inc(entry.changes)
    if entry.status in (409, 412):
        _CONFLICTS.inc()
    if entry.status >= 500:
        _FAILURES.inc()
    if entry.is_replay:
        _REPLAYS.inc()


class ProcessWatcher:
    """Counts the processes of the supervisor."""

    def died(self, process: int) -> None:
        """Count a death, and forget the gauges of the process."""
        _DEATHS.inc()
        mark_process_dead(process)  # type: ignore[no-untyped-call]

    def count(self, workers: int) -> None:
        """Note how many workers are alive."""
        _WORKERS.set(workers)


class InstallationCollector(Collector):
    """Reads the gauges of the application at each scrape; a gauge that fails is left out."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def collect(self) -> Iterable[Metric]:
        """Yield the gauges that have a value."""
        for name, gauge in self._app.extensions["gauges"].items():
            try:
                with self._app.app_context():
                    value = gauge.read()
            except Exception:
                log.exception("%s can't be read", name)
                continue
            if value is not None:
                yield GaugeMetricFamily(name, gauge.explanation, value)


def listen(app: Flask, host: str, port: int) -> None:
    """Serve /metrics in this process, a child of the supervisor, until either ends."""
    supervisor = supervisor_id()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD))
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(InstallationCollector(app))
    start_http_server(port, host, registry)
    while os.getppid() == supervisor:
        time.sleep(PARENT_CHECK_SECONDS)
