"""Rules of backups."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Any

from app.errors import Invalid

MANIFEST = "manifest.json"
MANIFEST_HASH = "manifest.json.sha256"
PHOTO_LIST = "photos.jsonl.gz"
PARTS = ("tables", "photos", "documents")
UNFINISHED = ".quartermaster-unfinished-"
LOCK = ".quartermaster-lock"

_BACKUP = re.compile(r"quartermaster-\d{4}-\d{2}-\d{2}T\d{6}Z")
_FILE = re.compile(r"[0-9a-f]{64}(\.thumbnail)?\.jpg|documents/[0-9a-f]{64}\.pdf")


def backup_name(made_at: datetime) -> str:
    """Return the name of a backup's folder; names sort by time."""
    return f"quartermaster-{made_at.astimezone(UTC):%Y-%m-%dT%H%M%SZ}"


def backup_names(names: Iterable[str]) -> Sequence[str]:
    """Return the names of backups among `names`, newest first."""
    return sorted(filter(_BACKUP.fullmatch, names), reverse=True)


def table_path(table: str) -> str:
    """Return the path of a table's file in a backup."""
    return f"tables/{table}.jsonl.gz"


def photo_path(name: str) -> str:
    """Return the path of a photo's or document's file in a backup."""
    folder, _, file = name.rpartition("/")
    return f"{folder or 'photos'}/{file[:2]}/{file}"


def is_photo(name: str) -> bool:
    """Return whether a name belongs to a photo's, thumbnail's or document's file."""
    return _FILE.fullmatch(name) is not None


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
        return _manifest(content)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Invalid("manifest.json is not the manifest of a backup.") from None


def _manifest(content: Mapping[str, Any]) -> Manifest:
    parsed = {
        "made_at": datetime.fromisoformat(content["made_at"]),
        "tables": [TableFile(**table) for table in content["tables"]],
        "stores": [StoreSums(**store) for store in content["stores"]],
        "photos": PhotoFiles(**content["photos"]),
    }
    manifest = Manifest(**{**content, **parsed})
    if not isinstance(manifest.version, str):
        raise TypeError
    if not all(_TABLE.fullmatch(table.name) for table in manifest.tables):
        raise ValueError
    hashes = [*(table.sha256 for table in manifest.tables), manifest.photos.sha256]
    if not all(_SHA256.fullmatch(sha256) for sha256 in hashes):
        raise ValueError
    return manifest


def _encode_time(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"A backup can't hold a {type(value).__name__} yet")


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_encode_time).encode


def line_of(row: Mapping[str, Any]) -> bytes:
    """Return a row as a line; raises TypeError for a value that `row_parser` can't restore."""
    return _encode(row).encode() + b"\n"


def row_parser(types: Mapping[str, type]) -> Callable[[bytes], dict[str, Any]]:
    """Return a function that parses lines of a table with these types of columns.

    It raises ValueError for a line that isn't a row of the table.
    """
    parsers = {name: kind.fromisoformat for name, kind in types.items() if issubclass(kind, date)}

    def parse(line: bytes) -> dict[str, Any]:
        row = json.loads(line)
        if not isinstance(row, dict) or row.keys() != types.keys():
            raise ValueError("the columns are others")
        for name, parse_value in parsers.items():
            if row[name] is not None:
                row[name] = parse_value(row[name])
        return row

    return parse
