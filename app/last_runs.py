"""When the nightly commands last ran on this host, and whether all was right."""

import hashlib
import json
import logging
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import make_url

from app.config import Settings

BACKUP = "backup"
LEDGER_CHECK = "ledger-verify"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LastRun:
    """The end of the last run of a command, and its finding `is_right`."""

    at: datetime
    is_right: bool


def record_run(settings: Settings, name: str, *, is_right: bool = True) -> None:
    """Note in the instance folder that a command has just run; a full disk doesn't fail it."""
    file = _file(settings, name)
    unfinished = file.with_suffix(f".{os.getpid()}")
    run = {"at": datetime.now(UTC).isoformat(), "isRight": is_right}
    try:
        unfinished.write_text(json.dumps(run))
        unfinished.replace(file)
    except OSError as error:
        log.warning("The run of %s isn't noted for /metrics: %s", name, error)


def last_run(settings: Settings, name: str) -> LastRun | None:
    """Return the last run of a command, None if none is noted."""
    try:
        run = json.loads(_file(settings, name).read_text())
        return LastRun(datetime.fromisoformat(run["at"]), bool(run["isRight"]))
    except (OSError, ValueError, KeyError):
        return None


def _file(settings: Settings, name: str) -> Path:
    """Return the file of a command and a database: a copy of the database has runs of its own."""
    database = make_url(settings.database_url).render_as_string(hide_password=True)
    number = hashlib.sha256(database.encode()).hexdigest()[:12]
    return settings.instance / f"last-{name}-{number}.json"
