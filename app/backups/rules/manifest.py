"""What a backup says of itself: enough to check it without the installation it came from."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app.errors import Invalid

FORMAT = 1

_TABLE = re.compile(r"[a-z_]{1,60}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class TableFile:
    """A table's rows: how many, and the SHA-256 of their lines.

    `last_id` is the last number that a row was given, also one that is gone; None where rows have
    no numbers.
    """

    name: str
    rows: int
    sha256: str
    last_id: int | None


@dataclass(frozen=True)
class StoreSums:
    """What a store held by its items, and by its ledger."""

    store: str
    items: int
    amount: int
    entries: int
    booked: int


@dataclass(frozen=True)
class PhotoFiles:
    """The photos' files, thumbnails among them, and the SHA-256 of their list's lines.

    `missing` names the files that the photo store had lost.
    """

    files: int
    bytes: int
    sha256: str
    missing: Sequence[str]


@dataclass(frozen=True)
class Manifest:
    """A backup; its tables stand in the order in which they refer to each other.

    `version` is the release that made it, empty in backups from before it was recorded.
    """

    made_at: datetime
    revision: str
    tables: Sequence[TableFile]
    stores: Sequence[StoreSums]
    photos: PhotoFiles
    version: str = ""

    @property
    def rows(self) -> int:
        """Return how many rows there are in all."""
        return sum(table.rows for table in self.tables)


def written(manifest: Manifest) -> str:
    """Return a manifest as JSON text."""
    said = {"format": FORMAT} | asdict(manifest)
    return json.dumps(said, indent=1, default=datetime.isoformat) + "\n"


def read(text: str) -> Manifest:
    """Return the manifest that a text holds; raises Invalid."""
    try:
        said = json.loads(text)
        found = said.pop("format")
        if found != FORMAT:
            raise Invalid(
                f"The backup has format {found}, this version reads {FORMAT}. Restore it with the "
                "version that made it."
            )
        manifest = _manifest(**said)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Invalid("manifest.json is not the manifest of a backup.") from None
    return manifest


def _manifest(
    *,
    made_at: str,
    revision: str,
    tables: Sequence[Mapping[str, Any]],
    stores: Sequence[Mapping[str, Any]],
    photos: Mapping[str, Any],
    version: str = "",
) -> Manifest:
    manifest = Manifest(
        made_at=datetime.fromisoformat(made_at),
        revision=revision,
        tables=[TableFile(**table) for table in tables],
        stores=[StoreSums(**store) for store in stores],
        photos=PhotoFiles(**photos),
        version=version,
    )
    if not isinstance(manifest.version, str):
        raise TypeError
    if not all(_TABLE.fullmatch(table.name) for table in manifest.tables):
        raise ValueError
    hashes = [*(table.sha256 for table in manifest.tables), manifest.photos.sha256]
    if not all(_SHA256.fullmatch(sha256) for sha256 in hashes):
        raise ValueError
    return manifest
