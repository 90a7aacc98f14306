"""The gauges of /metrics about the installation, read at each scrape."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import current_app

from app.last_runs import BACKUP, LEDGER_CHECK, LastRun, last_run
from app.photos import queries as photos


@dataclass(frozen=True)
class GaugeSource:
    """A value with its explanation; `read` returns None while there is no value."""

    explanation: str
    read: Callable[[], float | None]


def _noted(name: str) -> LastRun | None:
    return last_run(current_app.config["QUARTERMASTER"], name)


def _time_of(name: str) -> float | None:
    run = _noted(name)
    return None if run is None else run.at.timestamp()


def _ledger_is_right() -> float | None:
    run = _noted(LEDGER_CHECK)
    return None if run is None else float(run.is_right)


GAUGES: Mapping[str, GaugeSource] = {
    "quartermaster_photos_stored": GaugeSource("Photos of checks.", photos.number_stored),
    "quartermaster_backup_last_success_timestamp_seconds": GaugeSource(
        "When `flask backup` last made a whole backup on this host.", lambda: _time_of(BACKUP)
    ),
    "quartermaster_ledger_ok": GaugeSource(
        "Whether the last `flask ledger verify` on this host found the books right.",
        _ledger_is_right,
    ),
    "quartermaster_ledger_verified_timestamp_seconds": GaugeSource(
        "When `flask ledger verify` last ran on this host.", lambda: _time_of(LEDGER_CHECK)
    ),
}
"""The gauges by their names in Prometheus."""
