"""Checks of data and installation."""

import hashlib
import secrets
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from app import dates
from app.assets.queries.moves import location_problems
from app.audit import services as audit
from app.backups.services import files
from app.bookings.queries import bookings
from app.config import Settings
from app.db import db
from app.defects.queries import off_road, repairs
from app.diagnostics import queries, rules
from app.diagnostics.queries import count_problems, event_problems, posting_problems
from app.diagnostics.rules import Finding
from app.due.queries.due import left_problems
from app.engines import SQLITE_VERSION, wal_is_safe
from app.errors import NotFound, QuartermasterError
from app.mileage.queries import reading_problems
from app.photos.services.contents import DOCUMENT, PHOTO
from app.photos.services.photo_store import S3_SCHEME, photo_store
from app.revisions import all_revisions, current_revision
from app.stock.queries import books

RESTORE = "Stop the product and restore the newest backup that flask verify finds right."


@dataclass(frozen=True)
class DataCheck:
    """A promise, the search for violations, the advice about them, and notes that are none."""

    name: str
    problems: Callable[[], Iterator[str]]
    advice: str
    notes: Callable[[], Iterator[str]] = lambda: iter(())


CHECKS = (
    DataCheck(
        "Ledger, amounts and sums",
        books.ledger_problems,
        f"For counts, sums and texts run: flask ledger rebuild. For amounts: {RESTORE.lower()}",
    ),
    DataCheck("Transfers", books.transfer_problems, RESTORE),
    DataCheck("Exactly-once keys", books.key_problems, RESTORE),
    DataCheck("Deliveries posted once", posting_problems, RESTORE),
    DataCheck(
        "Asset locations", location_problems, "Move each asset to where it is; that records it."
    ),
    DataCheck(
        "Photo files",
        PHOTO.problems,
        "Copy them from a backup: its folder photos has the same names.",
    ),
    DataCheck(
        "Document files",
        DOCUMENT.problems,
        "Copy them from a backup: its folder documents has the same names.",
    ),
    DataCheck("Times off the road", off_road.off_road_problems, RESTORE),
    DataCheck(
        "Stop defects",
        off_road.stop_problems,
        "Open each defect and assess it again, which takes its vehicle off the road.",
    ),
    DataCheck("Repairs taken back", repairs.repair_problems, RESTORE),
    DataCheck(
        "Open work of listed vehicles",
        left_problems,
        "Withdraw the item, or close the defect, on its page.",
    ),
    DataCheck(
        "Readings that never fall",
        reading_problems,
        "Void the wrong reading on the vehicle's page of readings.",
    ),
    DataCheck("Parts of repairs", repairs.part_problems, RESTORE, repairs.part_notes),
    DataCheck(
        "Bookings that overlap",
        bookings.overlap_problems,
        "Cancel one of them, or give it another vehicle, on its page.",
    ),
    DataCheck("Handovers of vehicles", bookings.step_problems, RESTORE),
    DataCheck("Counts by day", count_problems, "Run: flask counts rebuild."),
    DataCheck(
        "Events",
        event_problems,
        "Somebody changed the database itself, or the release before was in use again, which "
        "records none.",
    ),
    DataCheck(
        "Audit trail",
        audit.problems,
        "Somebody changed the database itself: compare the trail with that of a backup.",
    ),
)


OTHERS_MAY_READ = 0o077


def findings(settings: Settings, backups: Path | None, max_age: timedelta) -> Iterator[Finding]:
    """Yield the finding of each look; one that fails doesn't stop the others."""
    yield look_at_settings(settings)
    yield _look("Database", look_at_database, "Start it, or mend DATABASE_URL.")
    yield _look("Schema", look_at_schema, "Mend the database first.")
    yield from look_at_space(settings, backups)
    yield _look("Photo store", look_at_photo_store, "Mend PHOTO_STORE or the rights of its folder.")
    yield _look("Clock", look_at_clock, "Mend the database first.")
    if backups is not None:
        place = backups
        yield _look("Backups", lambda: look_at_backups(place, max_age), "Run flask backup there.")


def _look(name: str, look: Callable[[], Finding], advice: str) -> Finding:
    try:
        return look()
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    except (QuartermasterError, OSError) as error:
        reason = str(error)
    return Finding(name, reason, advice)


def look_at_settings(settings: Settings) -> Finding:
    """Look at the settings; wrong ones keep every command from starting."""
    key = settings.instance / "secret_key"
    if key.exists() and key.stat().st_mode & OTHERS_MAY_READ:
        return Finding("Settings", f"{key} can be read by other users", f"Run: chmod 600 {key}")
    if not settings.production:
        return Finding("Settings", "a developer's run: APP_ENV isn't production")
    hosts = ", ".join(settings.trusted_hosts)
    return Finding("Settings", f"production at {hosts}, PROXY_HOPS {settings.proxy_hops}")


def look_at_database() -> Finding:
    """Look whether the database answers, and how it is set up."""
    with db.engine.connect() as connection:
        settings = queries.settings_of(connection)
        if connection.dialect.name == "postgresql":
            return rules.judge_postgresql(settings)
        version = tuple(map(int, SQLITE_VERSION.split(".")))
        return rules.judge_sqlite(SQLITE_VERSION, settings, wal_is_safe=wal_is_safe(version))


def look_at_schema() -> Finding:
    """Look whether the tables belong to this release."""
    with db.engine.connect() as connection:
        current = current_revision(connection)
    revisions = all_revisions()
    return rules.judge_schema(current, revisions[-1], is_ours=current in revisions)


def look_at_space(settings: Settings, backups: Path | None) -> Iterator[Finding]:
    """Look at the disks of database, photos and backups, as far as they are this machine's."""
    url = db.engine.url
    if url.get_backend_name() == "sqlite" and url.database:
        yield _space("Disk of the database", Path(url.database).parent)
    else:
        yield Finding("Disk of the database", "on its server: look there")
    if not settings.photo_store.startswith(S3_SCHEME):
        yield _space("Disk of the photos", Path(settings.photo_store))
    if backups is not None:
        yield _space("Disk of the backups", backups)


def _space(name: str, folder: Path) -> Finding:
    try:
        usage = shutil.disk_usage(folder)
    except OSError as error:
        return Finding(name, f"{folder}: {error.strerror}", "Make the folder, or name another one.")
    return rules.judge_space(name, str(folder), usage.free, usage.total)


def look_at_photo_store() -> Finding:
    """Look whether the photo store takes a file, returns and removes it."""
    content = secrets.token_bytes(32)
    # The name of a photo's file: a sweep removes it if this is interrupted.
    name = f"{hashlib.sha256(content).hexdigest()}.jpg"
    store = photo_store()
    store.put(name, content)
    try:
        is_same = store.get(name) == content
    finally:
        store.delete(name)
    advice = "" if is_same else "It returns something else than was stored: replace it."
    return Finding("Photo store", "takes, returns and removes a file", advice)


def look_at_clock() -> Finding:
    """Look at the clock beside the database's."""
    with db.engine.connect() as connection:
        is_remote = connection.dialect.name == "postgresql"
        ahead = queries.seconds_ahead(connection) if is_remote else 0.0
        last = queries.last_recorded_at(connection)
    return rules.judge_clock(ahead, last, dates.utc_now())


def look_at_backups(place: Path, max_age: timedelta) -> Finding:
    """Look at the newest backup of a folder."""
    newest = next(iter(files.backups_in(place)), None)
    if newest is None:
        return rules.judge_backup(None, max_age, 0)
    try:
        manifest = files.read_manifest(newest)
    except NotFound:
        return Finding("Backups", f"{newest} has no manifest", "Remove it and run flask backup.")
    age = dates.utc_now() - manifest.made_at
    return rules.judge_backup(age, max_age, len(manifest.photos.missing))
