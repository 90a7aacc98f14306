"""Where photos lie: a folder or an S3-compatible store, behind one small interface."""

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

BUCKET = "s3://"
_OUT_OF_REACH = "The photo store is out of reach. Try again in a moment."
GONE = "This photo is no longer there."
_OURS = re.compile(r"[0-9a-f]{64}\..+")


@dataclass(frozen=True)
class StoredFile:
    """A file of a store; `photo` is the hash that its name begins with."""

    name: str
    size: int
    modified: datetime

    @property
    def photo(self) -> str:
        """Return the hash of the photo that the file belongs to."""
        return self.name.partition(".")[0]


class PhotoStore(Protocol):
    """Files by name, each written once; all raise Unavailable when the store is out of reach."""

    def put(self, name: str, data: bytes) -> None:
        """Keep a file for good, also through a power cut; one that is there already stays."""

    def get(self, name: str) -> bytes:
        """Read a file; raises NotFound."""

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""

    def exists(self, name: str) -> bool:
        """Tell whether a file is there."""

    def files(self) -> Iterator[StoredFile]:
        """List the files of photos, also unfinished ones; whatever else lies there is left out."""


def photo_store() -> PhotoStore:
    """Return the store of this installation."""
    stores: dict[str, PhotoStore] = current_app.extensions
    if "photo_store" not in stores:
        stores["photo_store"] = open_store(current_app.config["QUARTERMASTER"].photo_store)
    return stores["photo_store"]


def open_store(address: str) -> PhotoStore:
    """Return the store at a folder, or at s3://bucket/prefix."""
    if address.startswith(BUCKET):
        bucket, _, prefix = address.removeprefix(BUCKET).partition("/")
        return BucketStore(bucket, prefix.strip("/"))
    return FolderStore(Path(address))


class FolderStore:
    """A folder, with a folder in it for each first two characters."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, data: bytes) -> None:
        """Write beside, sync, rename: what has the name is whole."""
        path = self._path(name)
        with _within_reach():
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
        """Read a file; raises NotFound."""
        with _within_reach():
            try:
                return self._path(name).read_bytes()
            except FileNotFoundError:
                raise NotFound(GONE) from None

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""
        with _within_reach():
            self._path(name).unlink(missing_ok=True)

    def exists(self, name: str) -> bool:
        """Tell whether a file is there."""
        with _within_reach():
            return self._path(name).exists()

    def files(self) -> Iterator[StoredFile]:
        """List the files of photos, folder by folder."""
        with _within_reach():
            for folder in sorted(self.root.glob("[0-9a-f][0-9a-f]")):
                for path in folder.iterdir():
                    if not _OURS.fullmatch(path.name):
                        continue
                    try:
                        facts = path.stat()
                    except FileNotFoundError:
                        # A file may go, or get its name, while one lists.
                        continue
                    if S_ISREG(facts.st_mode):
                        modified = datetime.fromtimestamp(facts.st_mtime, UTC)
                        yield StoredFile(path.name, facts.st_size, modified)

    def _path(self, name: str) -> Path:
        return self.root / name[:2] / name


class BucketStore:
    """A bucket of an S3-compatible store; address and keys come from the usual AWS_* settings."""

    def __init__(self, bucket: str, prefix: str) -> None:
        self._bucket = S3Store(
            bucket,
            prefix=prefix or None,
            config={"disable_bulk_delete": True},
            # Plain HTTP only where AWS_ENDPOINT_URL says so.
            client_options={"allow_http": True, "timeout": "20s", "connect_timeout": "3s"},
            retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=15)},
        )

    def put(self, name: str, data: bytes) -> None:
        """Send a file; the same name is the same content."""
        with _within_reach():
            self._bucket.put(self._key(name), data, attributes={"Content-Type": "image/jpeg"})

    def get(self, name: str) -> bytes:
        """Read a file; raises NotFound."""
        with _within_reach():
            try:
                return bytes(self._bucket.get(self._key(name)).bytes())
            except FileNotFoundError:
                raise NotFound(GONE) from None

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""
        with _within_reach():
            try:
                self._bucket.delete(self._key(name))
            except FileNotFoundError:
                return

    def exists(self, name: str) -> bool:
        """Tell whether a file is there."""
        with _within_reach():
            try:
                self._bucket.head(self._key(name))
            except FileNotFoundError:
                return False
            return True

    def files(self) -> Iterator[StoredFile]:
        """List the files of photos, a thousand with each call."""
        with _within_reach():
            for found in self._bucket.list():
                for file in found:
                    name = file["path"].rpartition("/")[2]
                    if _OURS.fullmatch(name) and file["path"] == self._key(name):
                        yield StoredFile(name, file["size"], file["last_modified"])

    def _key(self, name: str) -> str:
        return f"{name[:2]}/{name}"


@contextmanager
def _within_reach() -> Iterator[None]:
    try:
        yield
    except (OSError, BaseError) as error:
        log.error("Photo store: %s", str(error).partition("\n")[0])
        raise Unavailable(_OUT_OF_REACH) from None
