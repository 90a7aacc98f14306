"""The store of photo files: a folder or an S3-compatible bucket behind one interface."""

import logging
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from stat import S_ISREG
from typing import Protocol

from flask import current_app
from obstore.exceptions import BaseError
from obstore.store import S3Store

from app.durable_files import fsync_folder
from app.errors import NotFound, Unavailable

log = logging.getLogger(__name__)

S3_SCHEME = "s3://"
_UNAVAILABLE = "The photo store is out of reach. Try again in a moment."
PHOTO_MISSING = "This photo is no longer there."
_PHOTO_FILE = re.compile(r"[0-9a-f]{64}\..+")


@dataclass(frozen=True)
class StoredFile:
    """A file in the store."""

    name: str
    size: int
    modified: datetime

    @property
    def photo(self) -> str:
        """Return the hash of the photo that the file belongs to, by its name."""
        return self.name.partition(".")[0]


class PhotoStore(Protocol):
    """Files by name; a name always has the same content.

    All methods raise Unavailable when the store can't be reached.
    """

    def put(self, name: str, data: bytes) -> None:
        """Write a file durably, unless it exists."""

    def get(self, name: str) -> bytes:
        """Return a file; raises NotFound."""

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""

    def files(self) -> Iterator[StoredFile]:
        """Yield the files of photos, unfinished ones too, but no others."""


def photo_store() -> PhotoStore:
    """Return the store of this installation."""
    stores: dict[str, PhotoStore] = current_app.extensions
    if "photo_store" not in stores:
        stores["photo_store"] = open_store(current_app.config["QUARTERMASTER"].photo_store)
    return stores["photo_store"]


def open_store(address: str) -> PhotoStore:
    """Return the store at a folder path or an address s3://bucket/prefix."""
    if address.startswith(S3_SCHEME):
        bucket, _, prefix = address.removeprefix(S3_SCHEME).partition("/")
        return BucketStore(bucket, prefix.strip("/"))
    return FolderStore(Path(address))


class FolderStore:
    """A folder with subfolders named by the first two characters of their files."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, data: bytes) -> None:
        """Write a file under another name, sync and rename it, so that it is never incomplete."""
        path = self._path(name)
        with _report_unavailable():
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                unfinished = path.with_name(f"{name}.{secrets.token_hex(8)}.part")
                try:
                    with unfinished.open("xb") as file:
                        file.write(data)
                        file.flush()
                        os.fsync(file.fileno())
                    unfinished.replace(path)
                finally:
                    unfinished.unlink(missing_ok=True)
            fsync_folder(path.parent)
            fsync_folder(self.root)

    def get(self, name: str) -> bytes:
        """Return a file; raises NotFound."""
        with _report_unavailable():
            try:
                return self._path(name).read_bytes()
            except FileNotFoundError:
                raise NotFound(PHOTO_MISSING) from None

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""
        with _report_unavailable():
            self._path(name).unlink(missing_ok=True)

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        with _report_unavailable():
            return self._path(name).exists()

    def files(self) -> Iterator[StoredFile]:
        """Yield the files of photos, folder by folder."""
        with _report_unavailable():
            for folder in sorted(self.root.glob("[0-9a-f][0-9a-f]")):
                for path in folder.iterdir():
                    if not _PHOTO_FILE.fullmatch(path.name):
                        continue
                    try:
                        status = path.stat()
                    except FileNotFoundError:
                        # Files are removed and renamed while others are listed.
                        continue
                    if S_ISREG(status.st_mode):
                        modified = datetime.fromtimestamp(status.st_mtime, UTC)
                        yield StoredFile(path.name, status.st_size, modified)

    def _path(self, name: str) -> Path:
        return self.root / name[:2] / name


class BucketStore:
    """A bucket of an S3-compatible service, configured by the usual AWS_* variables."""

    def __init__(self, bucket: str, prefix: str) -> None:
        self._bucket = S3Store(
            bucket,
            prefix=prefix or None,
            config={"disable_bulk_delete": True},
            # Plain HTTP is used only for an AWS_ENDPOINT_URL with http://.
            client_options={"allow_http": True, "timeout": "20s", "connect_timeout": "3s"},
            retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=15)},
        )

    def put(self, name: str, data: bytes) -> None:
        """Upload a file."""
        with _report_unavailable():
            self._bucket.put(self._key(name), data, attributes={"Content-Type": "image/jpeg"})

    def get(self, name: str) -> bytes:
        """Return a file; raises NotFound."""
        with _report_unavailable():
            try:
                return bytes(self._bucket.get(self._key(name)).bytes())
            except FileNotFoundError:
                raise NotFound(PHOTO_MISSING) from None

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""
        with _report_unavailable():
            try:
                self._bucket.delete(self._key(name))
            except FileNotFoundError:
                return

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        with _report_unavailable():
            try:
                self._bucket.head(self._key(name))
            except FileNotFoundError:
                return False
            return True

    def files(self) -> Iterator[StoredFile]:
        """Yield the files of photos, a thousand per request."""
        with _report_unavailable():
            for batch in self._bucket.list():
                for file in batch:
                    name = file["path"].rpartition("/")[2]
                    if _PHOTO_FILE.fullmatch(name) and file["path"] == self._key(name):
                        yield StoredFile(name, file["size"], file["last_modified"])

    def _key(self, name: str) -> str:
        return f"{name[:2]}/{name}"


@contextmanager
def _report_unavailable() -> Iterator[None]:
    """Raise Unavailable for errors of the file system or the service."""
    try:
        yield
    except (OSError, BaseError) as error:
        log.error("Photo store: %s", str(error).partition("\n")[0])
        raise Unavailable(_UNAVAILABLE) from None
