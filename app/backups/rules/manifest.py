"""The manifest of a backup, which is enough to check it without its installation."""

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
    """A table's file: the number of its rows, and the SHA-256 of their lines.

    `last_id` is the last id given to a row, even if it was removed; None without integer ids.
    """

    name: str
    rows: int
    sha256: str
    last_id: int | None


@dataclass(frozen=True)
class StoreSums:
    """The sums of a store's items and of its ledger."""

    store: str
    items: int
    amount: int
    entries: int
    booked: int


@dataclass(frozen=True)
class PhotoFiles:
    """The files of photos, thumbnails and documents, and the SHA-256 of the lines of their list.

    `missing` names the files that were missing in the photo store or damaged.
    """

    files: int
    bytes: int
    sha256: str
    missing: Sequence[str]


@dataclass(frozen=True)
class Manifest:
    """The content of a backup; its tables are in the order in which they can be filled.

    `version` is the release that made it, '' in backups of earlier releases.
    """

    made_at: datetime
    revision: str
    tables: Sequence[TableFile]
    stores: Sequence[StoreSums]
    photos: PhotoFiles
    version: str = ""

    @property
    def rows(self) -> int:
        """Return the number of rows of all tables."""
        return sum(table.rows for table in self.tables)


def dump_manifest(manifest: Manifest) -> str:
    """Return a manifest as JSON text."""
    content = {"format": FORMAT} | asdict(manifest)
    return json.dumps(content, indent=1, default=datetime.isoformat) + "\n"


def parse_manifest(text: str) -> Manifest:
    """Return the manifest of a JSON text; raises Invalid when it isn't one of this format."""
    try:
        content = json.loads(text)
        format_ = content.pop("format")
        if format_ != FORMAT:
            raise Invalid(
                f"The backup has format {format_}, this version reads {FORMAT}. Restore it with "
                "the version that made it."
            )
        manifest = _manifest(**content)
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
