"""The folders of backups; each gets its name only once it is complete."""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from app.backups import rules
from app.backups.rules import Manifest
from app.backups.services.files import Damaged, new_file
from app.errors import Conflict, Invalid, NotFound
from app.photos.services.photo_store import fsync_folder


@contextmanager
def lock_place(place: Path) -> Iterator[None]:
    """Lock a folder of backups against other backups, creating it if missing.

    Removes the remains of interrupted backups. Raises Conflict when it is locked.
    """
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Without O_NOFOLLOW a link would let us lock and create files elsewhere.
    flags = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW
    with os.fdopen(os.open(place / rules.LOCK, flags, mode=0o600)) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Conflict(f"Another backup is being written to {place}.") from None
        for remains in place.glob(f"{rules.UNFINISHED}*"):
            if _is_folder(remains):
                shutil.rmtree(remains)
            else:
                remains.unlink()
        yield


@contextmanager
def unfinished_in(place: Path) -> Iterator[Path]:
    """Create a folder for writing a backup; it is removed unless `finish` renames it."""
    folder = Path(mkdtemp(prefix=rules.UNFINISHED, dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def finish(folder: Path, manifest: Manifest) -> Path:
    """Write the manifest, flush all to the disk, and give the backup its name.

    Returns the backup's folder. Raises Conflict when the name exists.
    """
    text = rules.dump_manifest(manifest).encode()
    with new_file(folder / rules.MANIFEST) as file:
        file.write(text)
    with new_file(folder / rules.MANIFEST_HASH) as file:
        file.write(f"{hashlib.sha256(text).hexdigest()}  {rules.MANIFEST}\n".encode())
    for inner in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        fsync_folder(inner)
    named = folder.with_name(rules.backup_name(manifest.made_at))
    if named.exists():
        raise Conflict(f"{named} already exists.")
    folder.rename(named)
    fsync_folder(named.parent)
    return named


def backups_in(place: Path) -> Sequence[Path]:
    """Return the backups of a folder, the newest first."""
    names = (path.name for path in place.iterdir() if _is_folder(path))
    return [place / name for name in rules.backup_names(names)]


def remove_oldest(place: Path, *, keep: int) -> Sequence[str]:
    """Remove all but the `keep` newest backups of a place; return the names of the removed."""
    oldest = backups_in(place)[keep:]
    for backup in oldest:
        # Renamed first, so that a partly removed backup doesn't look like a complete one.
        shutil.rmtree(backup.rename(place / f"{rules.UNFINISHED}{backup.name}"))
    return [backup.name for backup in oldest]


def read_manifest(backup: Path) -> Manifest:
    """Return the manifest of a backup.

    Raises NotFound if it is missing, and Invalid if it is damaged or in another format.
    """
    try:
        text = (backup / rules.MANIFEST).read_bytes()
        expected = (backup / rules.MANIFEST_HASH).read_text().partition(" ")[0]
    except FileNotFoundError as missing:
        raise NotFound(_describe_incomplete(backup, missing)) from None
    except UnicodeDecodeError:
        raise Invalid(f"{rules.MANIFEST_HASH} is damaged.") from None
    if hashlib.sha256(text).hexdigest() != expected:
        raise Damaged(rules.MANIFEST, "is not the file that was written")
    return rules.parse_manifest(text.decode())


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _describe_incomplete(backup: Path, missing: FileNotFoundError) -> str:
    contained = backups_in(backup) if backup.is_dir() else ()
    if contained:
        return f"Name one of the backups in {backup}, such as the newest: {contained[0]}"
    return f"{backup} is not a backup: it has no {Path(missing.filename).name}."
