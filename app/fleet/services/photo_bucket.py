"""The photo store in an S3-compatible bucket."""

from collections.abc import Iterator
from datetime import timedelta

from obstore.exceptions import BaseError
from obstore.store import S3Store

from app.errors import NotFound
from app.fleet.services.photo_store import (
    PHOTO_FILE,
    PHOTO_MISSING,
    StoredFile,
    report_unavailable,
)


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
        with report_unavailable(BaseError):
            self._bucket.put(self._key(name), data, attributes={"Content-Type": "image/jpeg"})

    def get(self, name: str) -> bytes:
        """Return a file; raises NotFound."""
        with report_unavailable(BaseError):
            try:
                return bytes(self._bucket.get(self._key(name)).bytes())
            except FileNotFoundError:
                raise NotFound(PHOTO_MISSING) from None

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""
        with report_unavailable(BaseError):
            try:
                self._bucket.delete(self._key(name))
            except FileNotFoundError:
                return

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        with report_unavailable(BaseError):
            try:
                self._bucket.head(self._key(name))
            except FileNotFoundError:
                return False
            return True

    def files(self) -> Iterator[StoredFile]:
        """Yield the files of photos, a thousand per request."""
        with report_unavailable(BaseError):
            for batch in self._bucket.list():
                for file in batch:
                    name = file["path"].rpartition("/")[2]
                    if PHOTO_FILE.fullmatch(name) and file["path"] == self._key(name):
                        yield StoredFile(name, file["size"], file["last_modified"])

    def _key(self, name: str) -> str:
        return f"{name[:2]}/{name}"
