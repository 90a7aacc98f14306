"""Stored contents, photos or documents: locked, swept, and compared with their files."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select, union
from sqlalchemy.orm import InstrumentedAttribute

from app.db import advisory_lock, db, references_to, stream_columns
from app.errors import FileLost
from app.photos.services.photo_store import hash_of, photo_store


@dataclass(frozen=True)
class SweepResult:
    """How many uploads a sweep removed, and photos or documents."""

    uploads: int = 0
    contents: int = 0


@dataclass(frozen=True)
class ContentKind:
    """A kind of stored content.

    Attributes:
        label: Its name for people.
        contents: The table of contents; its key is their hash.
        uploads: The table of their uploads.
        name: The column of the uploads that has the hash.
        files: Returns the names of a content's files in the store, by its hash: its own, and
            thumbnails.
    """

    label: str
    contents: type[Any]
    uploads: type[Any]
    name: InstrumentedAttribute[str]
    files: Callable[[str], Sequence[str]]

    def lock(self, hashes: Collection[str]) -> None:
        """Lock contents, in one order, against saving, use and removal by others."""
        for content_hash in sorted(hashes):
            advisory_lock(f"{self.label.casefold()} {content_hash}")

    def existing(self, hashes: Iterable[str]) -> set[str]:
        """Return the hashes of stored contents among `hashes`."""
        statement = select(self.contents.hash).where(self.contents.hash.in_(set(hashes)))
        return set(db.session.execute(statement).scalars())

    def count(self) -> int:
        """Return the number of contents."""
        return db.session.execute(select(func.count()).select_from(self.contents)).scalar_one()

    def unused(self, before: datetime) -> Sequence[str]:
        """Return the hashes of unused contents that were sent, or stored, before a time."""
        contents, uploads, name = self.contents, self.uploads, self.name
        uses = references_to(contents, but=uploads)
        sent = select(name).where(
            uploads.sent_at < before, *(~select(use).where(use == name).exists() for use in uses)
        )
        any_upload = select(uploads.id).where(name == contents.hash)
        unreferenced = select(contents.hash).where(
            contents.stored_at < before,
            ~any_upload.exists(),
            *(~select(use).where(use == contents.hash).exists() for use in uses),
        )
        return db.session.execute(union(sent, unreferenced)).scalars().all()

    def sweep(self, content_hash: str, *, before: datetime) -> SweepResult:
        """Remove a content's uploads from before a time, and the content if none is left.

        Contents of records stay.
        """
        self.lock([content_hash])
        contents, uploads = self.contents, self.uploads
        if _is_any(references_to(contents, but=uploads), content_hash):
            return SweepResult()
        removed = db.session.execute(
            delete(uploads)
            .where(self.name == content_hash, uploads.sent_at < before)
            .returning(uploads.id)
        ).all()
        if _is_any([self.name], content_hash):
            return SweepResult(len(removed))
        deleted = db.session.execute(
            delete(contents)
            .where(contents.hash == content_hash, contents.stored_at < before)
            .returning(contents.hash)
        ).all()
        return SweepResult(len(removed), len(deleted))

    def is_file_of(self, name: str, hashes: Collection[str]) -> bool:
        """Return whether a file belongs to one of these contents."""
        return hash_of(name) in hashes and name in self.files(hash_of(name))

    def delete_orphan_file(self, name: str) -> bool:
        """Delete a file that belongs to no content; return False if it belongs to one."""
        self.lock([hash_of(name)])
        if self.is_file_of(name, self.existing([hash_of(name)])):
            return False
        photo_store().delete(name)
        return True

    def problems(self) -> Iterator[str]:
        """Yield a problem for each content with a lost or foreign file.

        Raises Unavailable when the store can't be reached.
        """
        stored = select(self.contents.hash, self.contents.size).order_by(self.contents.hash)
        for content_hash, size in stream_columns(stored):
            problem = self._problem(content_hash, size)
            # A sweep may have removed it meanwhile.
            if problem and self.existing([content_hash]):
                yield problem

    def _problem(self, content_hash: str, size: int) -> str:
        own, *thumbnails = self.files(content_hash)
        try:
            data = photo_store().get(own)
        except FileLost:
            return f"{self.label} {own} is not in the photo store"
        if len(data) != size or hashlib.sha256(data).hexdigest() != content_hash:
            return f"{self.label} {own} is damaged"
        lost = (name for name in thumbnails if not photo_store().exists(name))
        return next((f"Thumbnail {name} is not in the photo store" for name in lost), "")


def _is_any(columns: list[Any], content_hash: str) -> bool:
    statements = (select(column).where(column == content_hash).limit(1) for column in columns)
    return any(db.session.execute(statement).first() is not None for statement in statements)
