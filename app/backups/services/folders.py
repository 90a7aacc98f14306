"""Where backups lie: one folder each, which has its name only once it is whole."""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from app.backups.rules import folders as rules
from app.backups.rules import manifest as manifests
from app.backups.rules.manifest import Manifest
from app.backups.services.files import Damaged, new_file
from app.durable_files import fsync_folder
from app.errors import Conflict, Invalid, NotFound


@contextmanager
def held(place: Path) -> Iterator[None]:
    """Make a place for backups if need be, and let nobody else write there meanwhile.

    What a backup left that was cut off goes. Raises Conflict.
    """
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Through a link that lies there another file would be held.
    flags = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW
    with os.fdopen(os.open(place / rules.LOCK, flags, mode=0o600)) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Conflict(f"Another backup is being written to {place}.") from None
        for left in place.glob(f"{rules.UNFINISHED}*"):
            if _is_folder(left):
                shutil.rmtree(left)
            else:
                left.unlink()
        yield


@contextmanager
def unfinished_in(place: Path) -> Iterator[Path]:
    """Make a folder for a backup that is being written; without `finish` nothing of it stays."""
    folder = Path(mkdtemp(prefix=rules.UNFINISHED, dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def finish(folder: Path, manifest: Manifest) -> Path:
    """Write the manifest, make all of it last, and give the backup its name; raises Conflict."""
    text = manifests.written(manifest).encode()
    with new_file(folder / rules.MANIFEST) as file:
        file.write(text)
    with new_file(folder / rules.MANIFEST_HASH) as file:
        file.write(f"{hashlib.sha256(text).hexdigest()}  {rules.MANIFEST}\n".encode())
    for inner in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        fsync_folder(inner)
    named = folder.with_name(rules.backup_name(manifest.made_at))
    if named.exists():
        raise Conflict(f"{named} is there already.")
    folder.rename(named)
    fsync_folder(named.parent)
    return named


def backups_in(place: Path) -> Sequence[Path]:
    """Return the backups of a folder, the newest first."""
    folders = (path.name for path in place.iterdir() if _is_folder(path))
    return [place / name for name in rules.backups_among(folders)]


def remove_all_but(newest: int, place: Path) -> Sequence[str]:
    """Remove all but the newest backups of a place; returns the names of those that went."""
    old = backups_in(place)[newest:]
    for backup in old:
        # Half a backup must not look like a whole one.
        going = backup.rename(place / f"{rules.UNFINISHED}{backup.name}")
        shutil.rmtree(going)
    return [backup.name for backup in old]


def read_manifest(backup: Path) -> Manifest:
    """Return what a backup says of itself; raises NotFound and Invalid."""
    try:
        text = (backup / rules.MANIFEST).read_bytes()
        noted = (backup / rules.MANIFEST_HASH).read_text().partition(" ")[0]
    except FileNotFoundError as missing:
        raise NotFound(_not_whole(backup, missing)) from None
    except UnicodeDecodeError:
        raise Invalid(f"{rules.MANIFEST_HASH} is damaged.") from None
    if hashlib.sha256(text).hexdigest() != noted:
        raise Damaged(rules.MANIFEST, "is not the file that was written")
    return manifests.read(text.decode())


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _not_whole(backup: Path, missing: FileNotFoundError) -> str:
    inner = backups_in(backup) if backup.is_dir() else ()
    if inner:
        return f"Name one of the backups in {backup}, such as the newest: {inner[0]}"
    return f"{backup} is not a backup: it has no {Path(missing.filename).name}."
