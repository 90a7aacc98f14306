"""The judgements and advice of `flask doctor`; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

MIN_FREE_BYTES = 1024**3
MIN_FREE_PERCENT = 5
MAX_CLOCK_SECONDS = 5
OLDEST_POSTGRESQL = 13

_SAFE_FSYNC, _SAFE_COMMIT = ("on",), ("on", "remote_write", "remote_apply", "local")
_FULL = ("2", "3")
TIME_LIMITS = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")


@dataclass(frozen=True)
class Finding:
    """The finding of one look at the installation; with `advice` something is wrong."""

    name: str
    text: str
    advice: str = ""


def judge_sqlite(version: str, settings: Mapping[str, str], *, wal_is_safe: bool) -> Finding:
    """Judge how SQLite is set up."""
    text = f"SQLite {version}, journal {settings['journal_mode']}"
    advice = ""
    if not wal_is_safe:
        text += " because this version's WAL can damage the database"
        if settings["journal_mode"] == "wal":
            advice = "Stop the product, then start it again, so that it leaves the WAL."
    if settings["synchronous"] not in _FULL:
        advice = "What is saved may be lost in a power cut: synchronous must be FULL."
    elif settings["foreign_keys"] != "1":
        advice = "Foreign keys aren't enforced by this SQLite: install the product's packages."
    return Finding("Database", text, advice)


def judge_postgresql(settings: Mapping[str, str]) -> Finding:
    """Judge how PostgreSQL is set up."""
    version = settings["server_version"].partition(" ")[0]
    text = (
        f"PostgreSQL {version}, lock_timeout {settings['lock_timeout']}, "
        f"statement_timeout {settings['statement_timeout']}"
    )
    return Finding("Database", text, _postgresql_advice(version, settings))


def _postgresql_advice(version: str, settings: Mapping[str, str]) -> str:
    if settings["standby"] == "yes":
        return "This is a standby, which takes no changes: name the primary in DATABASE_URL."
    if int(version.partition(".")[0]) < OLDEST_POSTGRESQL:
        return f"Update it to {OLDEST_POSTGRESQL} or newer."
    if settings["fsync"] not in _SAFE_FSYNC:
        return "What is saved may be lost in a power cut: set fsync = on."
    if settings["synchronous_commit"] not in _SAFE_COMMIT:
        return "What is saved may be lost in a crash: set synchronous_commit = on."
    unlimited = [name for name in TIME_LIMITS if settings[name] == "0"]
    if unlimited:
        return (
            f"{' and '.join(unlimited)} of the connection is lost on the way: a pooler between "
            "must pass on what a connection sets."
        )
    return ""


def judge_schema(current: str | None, newest: str, *, is_ours: bool) -> Finding:
    """Judge the revision of the tables; `is_ours` says that this release has the revision."""
    if current == newest:
        return Finding("Schema", f"revision {current}")
    if current is None:
        return Finding("Schema", "no tables", "Run: flask db upgrade, or restore a backup.")
    if is_ours:
        return Finding("Schema", f"revision {current}, not {newest}", "Run: flask db upgrade")
    advice = "The tables are of a newer release: install that one."
    return Finding("Schema", f"revision {current}, not {newest}", advice)


def judge_space(name: str, folder: str, free: int, total: int) -> Finding:
    """Judge the free space of the disk that a folder is on."""
    percent = 100 * free // total if total else 0
    text = f"{free / 1024**3:,.1f} GiB ({percent} %) free at {folder}"
    is_short = free < MIN_FREE_BYTES or percent < MIN_FREE_PERCENT
    advice = "Make room, or move it to a larger disk: a full one refuses all changes."
    return Finding(name, text, advice if is_short else "")


def judge_clock(ahead: float, last_recorded: datetime | None, now: datetime) -> Finding:
    """Judge the clock by the database's clock and by the latest record."""
    if abs(ahead) > MAX_CLOCK_SECONDS:
        direction = "ahead of" if ahead > 0 else "behind"
        text = f"{abs(ahead):.0f} seconds {direction} the database's"
        return Finding("Clock", text, "Let both machines set their clocks by NTP.")
    if last_recorded and last_recorded - now > timedelta(seconds=MAX_CLOCK_SECONDS):
        text = f"before the last entry, of {last_recorded:%Y-%m-%d %H:%M} UTC"
        return Finding("Clock", text, "The clock was set back: set it by NTP.")
    return Finding("Clock", "agrees with the database")


def judge_backup(age: timedelta | None, maximum: timedelta, missing_photos: int) -> Finding:
    """Judge the newest backup by its age, None without a backup, and by its missing files."""
    advice = "Look why the nightly flask backup failed, and run it now."
    if age is None:
        return Finding("Backups", "none", "Run flask backup there, and every night by cron.")
    hours = int(age.total_seconds() // 3600)
    text = f"the newest is {hours} hours old"
    if age > maximum:
        return Finding("Backups", text, advice)
    if missing_photos:
        text += f" and lacks {missing_photos} files of photos or documents"
        return Finding("Backups", text, "Run flask verify: it names the photos that are lost.")
    return Finding("Backups", text)
