"""Backups made under load, and restored into the other engine."""

import json
from pathlib import Path
from typing import Any

from tests.chaos.trials import Trial


def back_up_under_load(trial: Trial) -> None:
    """Back up while 4 clients write, restore each backup into the other engine, and compare."""
    backups = trial.times(3)
    made: list[tuple[Path, set[str]]] = []
    with trial.serving() as server, trial.load(server) as clients:
        for number in range(backups):
            clients.wait_for_progress(20)
            before = set(trial.books.acknowledged)
            place = trial.folder / f"backups-{number}"
            trial.expect_success(trial.flask("backup", str(place)), "flask backup")
            made.append((next(place.glob("quartermaster-*")), before))
    trial.compare()
    for backup, before in made:
        _restore(trial, backup, before)
    trial.counts["backups restored"] = backups


def _restore(trial: Trial, backup: Path, before: set[str]) -> None:
    assert trial.place.other is not None
    url = trial.place.other.empty()
    trial.variables["PHOTO_STORE"] = str(backup.parent / "photos")
    trial.expect_success(trial.flask("restore", str(backup), "--verify", url=url), "flask restore")
    trial.compare(url=url, expected=sorted(before))
    again = backup.parent / "again"
    trial.expect_success(trial.flask("backup", str(again), url=url), "flask backup")
    sums = _sums(backup), _sums(next(again.glob("quartermaster-*")))
    trial.expect(sums[0] == sums[1], f"the restored sums differ: {sums}")


def _sums(backup: Path) -> Any:
    return json.loads((backup / "manifest.json").read_text())["stores"]
