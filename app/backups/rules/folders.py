"""What backups and their parts are called."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

MANIFEST = "manifest.json"
MANIFEST_HASH = "manifest.json.sha256"
PHOTO_LIST = "photos.jsonl.gz"
PARTS = ("tables", "photos")
UNFINISHED = ".quartermaster-unfinished-"
LOCK = ".quartermaster-lock"

_BACKUP = re.compile(r"quartermaster-\d{4}-\d{2}-\d{2}T\d{6}Z")
_PHOTO = re.compile(r"[0-9a-f]{64}(\.thumbnail)?\.jpg")


def backup_name(made_at: datetime) -> str:
    """Return the name of a backup's folder; the later one is the greater one."""
    return f"quartermaster-{made_at.astimezone(UTC):%Y-%m-%dT%H%M%SZ}"


def backups_among(names: Iterable[str]) -> Sequence[str]:
    """Return those of the names that are backups', the newest first."""
    return sorted(filter(_BACKUP.fullmatch, names), reverse=True)


def table_path(table: str) -> str:
    """Return where in a backup a table is."""
    return f"tables/{table}.jsonl.gz"


def photo_path(name: str) -> str:
    """Return where in a backup a photo's file is."""
    return f"photos/{name[:2]}/{name}"


def is_photo(name: str) -> bool:
    """Tell whether a file is called as photos and their thumbnails are."""
    return _PHOTO.fullmatch(name) is not None
