"""The gauges of /metrics about the installation, read at each scrape."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import current_app

from app.last_runs import BACKUP, LEDGER_CHECK, LastRun, last_run
from app.photos.services.contents import PHOTO


@dataclass(frozen=True)
class GaugeSource:
    """A value with its explanation; `read` returns None while there is no value."""

    explanation: str
    read: Callable[[], float | None]


def _of_run(name: str, value: Callable[[LastRun], float]) -> Callable[[], float | None]:
    def read() -> float | None:
        run = last_run(current_app.config["QUARTERMASTER"], name)
        return None if run is None else value(run)

    return read


def _time(run: LastRun) -> float:
    return run.at.timestamp()


GAUGES: Mapping[str, GaugeSource] = {
    "quartermaster_photos_stored": GaugeSource("Photos of checks.", PHOTO.count),
    "quartermaster_backup_last_success_timestamp_seconds": GaugeSource(
        "When `flask backup` last made a whole backup on this host.", _of_run(BACKUP, _time)
    ),
    "quartermaster_ledger_ok": GaugeSource(
        "Whether the last `flask ledger verify` on this host found the books right.",
        _of_run(LEDGER_CHECK, lambda run: float(run.is_right)),
    ),
    "quartermaster_ledger_verified_timestamp_seconds": GaugeSource(
        "When `flask ledger verify` last ran on this host.", _of_run(LEDGER_CHECK, _time)
    ),
}
"""The gauges by their names in Prometheus."""
