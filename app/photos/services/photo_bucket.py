"""The store in an S3-compatible bucket."""

import mimetypes
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from threading import BoundedSemaphore

from obstore.exceptions import BaseError
from obstore.store import S3Store

from app.errors import FileLost
from app.photos.services.photo_store import StoredFile, name_at, place_of, report_unavailable

MAX_CALLS = 2
"""How many threads of a worker may wait for the bucket: fewer than the readers."""

MAX_WAIT_SECONDS = 1.0
"""After this time of a call, other calls that wait for a turn fail at once."""


class BucketStore:
    """A bucket of an S3-compatible service, configured by the usual AWS_* variables.

    A bucket that hangs must not hold up people who need no photo.
    """

    def __init__(self, bucket: str, prefix: str) -> None:
        self._bucket = S3Store(
            bucket,
            prefix=prefix or None,
            config={"disable_bulk_delete": True},
            # Plain HTTP is used only for an AWS_ENDPOINT_URL with http://.
            client_options={"allow_http": True, "timeout": "10s", "connect_timeout": "3s"},
            retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=8)},
        )
        self._turns = BoundedSemaphore(MAX_CALLS)
        self._begun: dict[object, float] = {}

    def put(self, name: str, data: bytes) -> None:
        """Upload a file."""
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        with self._turn():
            self._bucket.put(place_of(name), data, attributes={"Content-Type": media_type})

    def get(self, name: str) -> bytes:
        """Return a file; raises FileLost."""
        with self._turn():
            try:
                return bytes(self._bucket.get(place_of(name)).bytes())
            except FileNotFoundError:
                raise FileLost from None

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""
        with self._turn(), suppress(FileNotFoundError):
            self._bucket.delete(place_of(name))

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        with self._turn():
            try:
                self._bucket.head(place_of(name))
            except FileNotFoundError:
                return False
            return True

    def files(self) -> Iterator[StoredFile]:
        """Yield the files, a thousand per request."""
        with report_unavailable(BaseError):
            for batch in self._bucket.list():
                for file in batch:
                    name = name_at(file["path"])
                    if name:
                        yield StoredFile(name, file["size"], file["last_modified"])

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for a turn to call the bucket; raise Unavailable without one or for an error."""
        with report_unavailable(BaseError):
            now = time.monotonic()
            oldest = min(list(self._begun.values()), default=now)
            if not self._turns.acquire(timeout=max(0.0, oldest + MAX_WAIT_SECONDS - now)):
                raise TimeoutError("as many calls wait for the bucket as may")
            call = object()
            self._begun[call] = time.monotonic()
            try:
                yield
            finally:
                del self._begun[call]
                self._turns.release()
