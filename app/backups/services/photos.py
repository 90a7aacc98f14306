"""The photos and documents of a backup: saved with the rows that name them, and put back."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain
from json import loads
from pathlib import Path

from app.backups import rules
from app.backups.rules import PhotoFiles, line_of
from app.backups.services.files import Advance, Damaged, new_file, read_lines, write_lines
from app.db import db
from app.errors import Conflict, NotFound, Unavailable
from app.photos.services.contents import DOCUMENT, PHOTO, ContentKind
from app.photos.services.photo_store import photo_store

MAX_UNREAD_FILES = 3
"""After this many unreadable files in a row the store counts as out of reach."""


@dataclass(frozen=True)
class PhotoFile:
    """An entry of the backup's list of the files of photos and documents."""

    name: str
    bytes: int
    sha256: str


def save_photos(
    photos: Iterable[str],
    documents: Iterable[str],
    folder: Path,
    earlier: Path | None,
    advance: Advance,
) -> PhotoFiles:
    """Save the files of photos and documents into a backup, linking to files of the `earlier` one.

    `photos` and `documents` are hashes. Raises Unavailable when the photo store can't be reached.
    """
    writer = _PhotoWriter(folder, earlier)
    lines = chain(writer.lines(PHOTO, photos, advance), writer.lines(DOCUMENT, documents, advance))
    count, sha256 = write_lines(folder / rules.PHOTO_LIST, lines)
    return PhotoFiles(count, writer.size, sha256, writer.missing)


def listed_photos(backup: Path, photos: PhotoFiles) -> Iterator[PhotoFile]:
    """Read a backup's list of photos and documents; raises Damaged."""
    for line in read_lines(backup, rules.PHOTO_LIST, photos.files, photos.sha256):
        try:
            file = PhotoFile(**loads(line))
        except (ValueError, TypeError):
            raise Damaged(rules.PHOTO_LIST, "is not a list of photos") from None
        if not rules.is_photo(file.name):
            raise Damaged(rules.PHOTO_LIST, "is not a list of photos")
        yield file


def check_store(backup: Path) -> None:
    """Check that the backup has every file of this installation's photo store.

    Raises Conflict with the name of a missing one.
    """
    for file in photo_store().files():
        if not rules.is_photo(file.name):
            continue
        saved = backup / rules.photo_path(file.name)
        if not saved.is_file() or saved.stat().st_size != file.size:
            raise Conflict(
                f"The photo store holds files that aren't in this backup, such as {file.name}. "
                "Name an empty place in PHOTO_STORE."
            )


def put_photos(backup: Path, photos: PhotoFiles, advance: Advance) -> None:
    """Put a backup's photos and documents into the store; raises Conflict when one differs."""
    store = photo_store()
    for file in listed_photos(backup, photos):
        data = (backup / rules.photo_path(file.name)).read_bytes()
        if store.exists(file.name):
            if store.get(file.name) != data:
                raise Conflict(f"The photo store holds another {file.name}; remove it.")
        else:
            store.put(file.name, data)
        advance(1)


def photo_differences(backup: Path, photos: PhotoFiles, advance: Advance) -> Iterator[str]:
    """Yield a message for each file of a backup that is missing from the store or differs there."""
    store = photo_store()
    for file in listed_photos(backup, photos):
        try:
            sha256 = hashlib.sha256(store.get(file.name)).hexdigest()
        except NotFound:
            yield f"{file.name} is not in the photo store"
        else:
            if sha256 != file.sha256:
                yield f"{file.name} is another file than in the backup"
        advance(1)


class _PhotoWriter:
    def __init__(self, folder: Path, earlier: Path | None) -> None:
        self.missing: list[str] = []
        self.size = 0
        self._folder = folder
        self._earlier = earlier
        self._unread = 0

    def lines(self, kind: ContentKind, hashes: Iterable[str], advance: Advance) -> Iterator[bytes]:
        """Write the files of photos or documents, and yield the lines of their list."""
        for content_hash in hashes:
            for place, name in enumerate(kind.files(content_hash)):
                data = self._read(name)
                digest = hashlib.sha256(data).hexdigest()
                if not data or (place == 0 and digest != content_hash):
                    # A sweep may have removed unused files since the snapshot.
                    if kind.existing([content_hash]):
                        self.missing.append(name)
                    db.session.rollback()
                    continue
                self._write(name, data)
                self.size += len(data)
                yield line_of(asdict(PhotoFile(name, len(data), digest)))
            advance(1)

    def _read(self, name: str) -> bytes:
        try:
            data = photo_store().get(name)
        except NotFound:
            return b""
        except Unavailable:
            self._unread += 1
            if self._unread == MAX_UNREAD_FILES:
                raise
            return b""
        self._unread = 0
        return data

    def _write(self, name: str, data: bytes) -> None:
        path = self._folder / rules.photo_path(name)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        if self._earlier:
            before = self._earlier / rules.photo_path(name)
            with suppress(OSError):
                if before.read_bytes() == data:
                    os.link(before, path)
                    return
        with new_file(path) as file:
            file.write(data)
