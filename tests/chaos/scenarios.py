"""All scenarios by their names, how one is run, and the report."""

import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.bench.report import table
from tests.chaos import backups, disks, kills, network, outages, phones, photos, upgrades
from tests.chaos.load import generator
from tests.chaos.trials import Outcome, Place, Trial

SCENARIOS: dict[str, Callable[[Trial], None]] = {
    "durability": outages.judge_durability,
    "kills": kills.kill_processes,
    "network": network.use_faulty_network,
    "offline": phones.use_phones,
    "transfers": network.transfer_in_opposite_directions,
    "restarts": outages.restart_postgresql,
    "foreign lock": outages.lock_by_foreign_writer,
    "full disk": disks.fill_database_disk,
    "photo folder": photos.break_photo_folder,
    "photo bucket": photos.break_photo_bucket,
    "stop": kills.stop_with_requests,
    "migration": upgrades.kill_migrations,
    "clock": outages.jump_clock,
    "backup": backups.back_up_under_load,
}
ON_POSTGRESQL_ALONE = {"restarts"}


def engines_of(scenario: str, engines: Sequence[str]) -> list[str]:
    """Return those of the engines on which a scenario runs."""
    return [e for e in engines if e == "postgresql" or scenario not in ON_POSTGRESQL_ALONE]


def run(scenario: str, place: Place, folder: Path, run_name: str, size: float = 1) -> Outcome:
    """Run a scenario on an engine; its own failure is a problem, too.

    A run of the same name makes the same choices.
    """
    begun = time.monotonic()
    trial = Trial(place, folder, generator(f"{run_name} {scenario} {place.engine}"), size)
    try:
        SCENARIOS[scenario](trial)
    except Exception:
        trial.problems.append(traceback.format_exc())
    return trial.outcome(scenario, begun)


def line(outcome: Outcome) -> str:
    """Return a scenario's line: name, engine, counts, result."""
    return "  ".join(_row(outcome))


def text(outcomes: Sequence[Outcome]) -> str:
    """Return the table of a run."""
    rows = [[*_row(outcome)[:3], _row(outcome)[-1]] for outcome in outcomes]
    return table(("scenario", "engine", "seconds", "result"), rows)


def as_json(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Return what came out as JSON."""
    return [{**vars(outcome), "is_right": outcome.is_right} for outcome in outcomes]


def _row(outcome: Outcome) -> list[str]:
    counts = ", ".join(f"{number:,} {what}" for what, number in outcome.counts.items())
    result = "right" if outcome.is_right else "FAILED"
    return [outcome.scenario, outcome.engine, f"{outcome.seconds:.0f} s", counts, result]
