"""A migration that is killed half-way, and then run again."""

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

from flask import current_app
from flask_migrate import upgrade
from sqlalchemy import event

from app import create_app
from app.backups.services import files, photos, restoring
from app.db import db, transaction
from tests.chaos.trials import Trial, querying
from tests.databases import settings_for
from tests.serving import ROOT

OLDER = ROOT / "tests" / "backups" / "data" / "of-a91d4c6e70b5"
"""A backup of an early revision."""

KILLS = 10
AMOUNTS = "SELECT site_id, name, amount, unit_price FROM item ORDER BY id"


def kill_migrations(trial: Trial) -> None:
    """Kill `flask db upgrade` of an older database before a random statement, then run it again."""
    older = trial.place.bare()
    fill_older(older, trial.folder)
    with querying(older) as query:
        amounts = query(AMOUNTS)
    statements = int(_upgrade(trial, trial.place.copy(older), 0).stdout)
    kills = trial.times(KILLS)
    for _ in range(kills):
        url = trial.place.copy(older)
        killed = _upgrade(trial, url, trial.rng.randint(1, statements))
        trial.expect(killed.returncode == -signal.SIGKILL, f"it was not killed: {killed.stderr}")
        trial.expect_success(trial.flask("db", "upgrade", url=url), "flask db upgrade")
        trial.expect_success(trial.flask("verify", url=url), "flask verify")
        with querying(url) as query:
            trial.expect(query(AMOUNTS) == amounts, "the upgraded amounts differ")
    trial.counts |= {"kills": kills, "statements": statements}


def fill_older(url: str, folder: Path) -> None:
    """Fill a database without tables with the data of an older revision."""
    app = create_app(settings_for(url, folder))
    manifest = files.read_manifest(OLDER)
    with app.app_context():
        upgrade(revision=manifest.revision)
        photos.put_photos(OLDER, manifest.photos, lambda _: None)
        with transaction():
            restoring.fill(OLDER, manifest, lambda _: None)
        db.session.remove()
        db.engine.dispose()


def _upgrade(trial: Trial, url: str, statement: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.chaos.upgrades", str(statement)]
    variables = trial.environment() | {"DATABASE_URL": url}
    return subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )


def upgrade_until(statement: int) -> int:
    """Upgrade, and die before this statement; return how many there were."""
    numbers = count(1)
    number = 0

    def look(*_: object) -> None:
        nonlocal number
        number = next(numbers)
        if number == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    with create_app().app_context():
        event.listen(current_app.extensions["migrate"].db.engine, "before_cursor_execute", look)
        upgrade()
    return number


if __name__ == "__main__":
    print(upgrade_until(int(sys.argv[1])))
