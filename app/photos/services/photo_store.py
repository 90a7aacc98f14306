"""The store of photos and documents: a folder or an S3-compatible bucket behind one interface."""

import errno
import logging
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, TypeAlias

from flask import current_app

from app.errors import DiskFull, FileLost, Unavailable

if TYPE_CHECKING:
    from app.photos.services.photo_bucket import BucketStore

log = logging.getLogger(__name__)

S3_SCHEME = "s3://"
DOCUMENTS = "documents/"
"""The prefix of documents' file names. Releases without documents leave such files alone."""
_FOLDERS = "[0-9a-f][0-9a-f]"
_STORED_FILE = re.compile(r"[0-9a-f]{64}\..+")


@dataclass(frozen=True)
class StoredFile:
    """A file in the store."""

    name: str
    size: int
    modified: datetime


PhotoStore: TypeAlias = "FolderStore | BucketStore"
"""Files by name; a name always has the same content.

All methods raise Unavailable when the store can't be reached, `put` DiskFull when it is full.
"""


def photo_store() -> PhotoStore:
    """Return the store of this installation."""
    stores: dict[str, PhotoStore] = current_app.extensions
    if "photo_store" not in stores:
        stores["photo_store"] = open_store(current_app.config["QUARTERMASTER"].photo_store)
    return stores["photo_store"]


def hash_of(name: str) -> str:
    """Return the hash of the photo or document that a file of this name belongs to."""
    return name.removeprefix(DOCUMENTS).partition(".")[0]


def place_of(name: str) -> str:
    """Return the path of a file in the store: in a folder named by two digits of its hash."""
    folder, slash, file = name.rpartition("/")
    return f"{folder}{slash}{file[:2]}/{file}"


def name_at(place: str) -> str:
    """Return the name of the photo's or document's file at a place, '' for any other file."""
    folder, _, file = place.rpartition("/")
    name = f"{folder[:-2]}{file}"
    is_ours = name.removesuffix(file) in ("", DOCUMENTS) and _STORED_FILE.fullmatch(file)
    return name if is_ours and place_of(name) == place else ""


def open_store(address: str) -> PhotoStore:
    """Return the store at a folder path or an address s3://bucket/prefix."""
    if address.startswith(S3_SCHEME):
        # Only installations with a bucket import its client.
        from app.photos.services.photo_bucket import BucketStore

        bucket, _, prefix = address.removeprefix(S3_SCHEME).partition("/")
        return BucketStore(bucket, prefix.strip("/"))
    return FolderStore(Path(address))


class FolderStore:
    """A folder with subfolders named by the first two characters of their files.

    The folder itself is created while the settings are read, never later: a missing disk then stays
    out of reach, and its return hides no files stored meanwhile.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, data: bytes) -> None:
        """Write a temporary file, sync and rename it, so that it is never incomplete."""
        path = self._path(name)
        folders = [self.root / folder for folder in path.relative_to(self.root).parents]
        with report_unavailable():
            for folder in reversed(folders[:-1]):
                folder.mkdir(exist_ok=True)
            if not path.exists():
                unfinished = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
                try:
                    with unfinished.open("xb") as file:
                        file.write(data)
                        file.flush()
                        os.fsync(file.fileno())
                    unfinished.replace(path)
                finally:
                    unfinished.unlink(missing_ok=True)
            for folder in folders:
                fsync_folder(folder)

    def get(self, name: str) -> bytes:
        """Return a file; raises FileLost."""
        with report_unavailable():
            try:
                return self._path(name).read_bytes()
            except FileNotFoundError:
                self.root.stat()
                raise FileLost from None

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""
        with report_unavailable():
            self._path(name).unlink(missing_ok=True)

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        with report_unavailable():
            self.root.stat()
            return self._path(name).exists()

    def files(self) -> Iterator[StoredFile]:
        """Yield the files, folder by folder, also unfinished ones, but no foreign ones."""
        with report_unavailable():
            self.root.stat()
            photos = sorted(self.root.glob(_FOLDERS))
            for folder in (*photos, *sorted((self.root / DOCUMENTS).glob(_FOLDERS))):
                for path in folder.iterdir():
                    name = name_at(path.relative_to(self.root).as_posix())
                    if not name:
                        continue
                    # Files are removed and renamed while others are listed.
                    with suppress(FileNotFoundError):
                        status = path.stat()
                        if S_ISREG(status.st_mode):
                            modified = datetime.fromtimestamp(status.st_mtime, UTC)
                            yield StoredFile(name, status.st_size, modified)

    def _path(self, name: str) -> Path:
        return self.root / place_of(name)


@contextmanager
def report_unavailable(failure: type[Exception] = OSError) -> Iterator[None]:
    """Raise Unavailable, or DiskFull, for errors of the operating system and of this kind."""
    try:
        yield
    except (OSError, failure) as error:
        log.error("Photo store: %s", str(error).partition("\n")[0])
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull from None
        raise Unavailable("The photo store is out of reach. Try again in a moment.") from None


def fsync_folder(folder: Path) -> None:
    """Flush to disk the list of a folder's files, after creating or renaming one."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
