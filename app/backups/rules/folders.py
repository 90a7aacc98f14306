"""The names of backups and their parts."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

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
    folder, slash, file = name.rpartition("/")
    return f"{folder}{slash}{file[:2]}/{file}" if slash else f"photos/{file[:2]}/{file}"


def is_photo(name: str) -> bool:
    """Return whether a name belongs to a photo's, thumbnail's or document's file."""
    return _FILE.fullmatch(name) is not None
