"""Files of a backup, and its folder, which gets its name only once it is complete.

They are flushed to the disk, readable by their owner only, and checked when read.
"""

import fcntl
import gzip
import hashlib
import os
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from io import BufferedWriter
from pathlib import Path
from tempfile import mkdtemp

from app.backups import rules
from app.backups.rules import Manifest, TableFile
from app.errors import Conflict, Invalid, NotFound
from app.photos.services.photo_store import fsync_folder

Advance = Callable[[int], None]
"""Called with the number of steps done since the last call."""

Bar = Callable[[str, int], AbstractContextManager[Advance]]
"""Shows the progress of some work, by its label and number of steps."""


class Damaged(Invalid):
    """A file of a backup is missing or has changed since the backup was made."""

    def __init__(self, name: str, how: str) -> None:
        super().__init__(f"{name} {how}.")


@contextmanager
def new_file(path: Path) -> Iterator[BufferedWriter]:
    """Create and open a file; when the block ends it is on the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_lines(path: Path, lines: Iterable[bytes]) -> tuple[int, str]:
    """Write lines into a new file, compressed; return their number and SHA-256."""
    count, digest = 0, hashlib.sha256()
    with (
        new_file(path) as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed,
    ):
        for line in lines:
            packed.write(line)
            digest.update(line)
            count += 1
    return count, digest.hexdigest()


def table_lines(backup: Path, table: TableFile) -> Iterator[bytes]:
    """Read the lines of a table's file, as `read_lines` does."""
    return read_lines(backup, rules.table_path(table.name), table.rows, table.sha256)


def read_lines(folder: Path, name: str, expected: int, sha256: str) -> Iterator[bytes]:
    """Read so many lines of a file; raises Damaged, possibly only after the last one."""
    count, digest = 0, hashlib.sha256()
    try:
        with gzip.open(folder / name) as file:
            for line in file:
                yield line
                digest.update(line)
                count += 1
    except FileNotFoundError:
        raise Damaged(name, "is missing") from None
    except EOFError:
        raise Damaged(name, "is cut off") from None
    except (gzip.BadGzipFile, zlib.error):
        raise Damaged(name, "is damaged") from None
    if (count, digest.hexdigest()) != (expected, sha256):
        raise Damaged(name, "is not the file that was written")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
