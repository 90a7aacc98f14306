"""Stored contents, photos or documents: saved, used, swept, and compared with their files.

See docs/domain.md, Photos and documents.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, union
from sqlalchemy.orm import InstrumentedAttribute

from app import dates
from app.db import advisory_lock, db, references_to, single_read, stream_columns
from app.errors import FileLost
from app.photos.models import Document, DocumentUpload, Photo, PhotoUpload
from app.photos.rules import JPEG, PDF, check_document
from app.photos.services.photo_store import DOCUMENTS, hash_of, photo_store


@dataclass(frozen=True)
class NewContent:
    """A checked photo or document: SHA-256 `hash` of its `data`, `sent_hash` of the sent bytes."""

    sent_hash: str
    hash: str
    data: bytes


@dataclass(frozen=True)
class StoredContent:
    """A user's stored content: `id` is the hash of the sent bytes; `is_new` to this user."""

    id: str
    row: Any
    is_new: bool


@dataclass(frozen=True, eq=False)
class ContentKind:
    """A kind of stored content, with its tables and the names of its files in the store.

    The uploads' column `name` has the hash of the content, `sent` that of the sent bytes. `parts`
    are the files by the attribute of new contents with their bytes, the content's own first, and
    `columns` those of its table besides hash, size and time.
    """

    label: str
    media_type: str
    contents: type[Any]
    uploads: type[Any]
    name: InstrumentedAttribute[str]
    sent: InstrumentedAttribute[str]
    parts: Mapping[str, str]
    columns: Sequence[str] = ()

    def file(self, content_hash: str, part: str = "data") -> str:
        """Return the name of a content's file in the store."""
        return self.parts[part].format(content_hash)

    def files(self, content_hash: str) -> Sequence[str]:
        """Return the names of a content's files in the store: its own, and thumbnails."""
        return [self.file(content_hash, part) for part in self.parts]

    def store(self, new: NewContent) -> None:
        """Write a content's files, before the transaction that saves it: the store may be slow."""
        for part in self.parts:
            photo_store().put(self.file(new.hash, part), getattr(new, part))

    def is_stored(self, content_hash: str) -> bool:
        """Return whether the store has a content's own file; it may be slow, as in `store`."""
        return photo_store().exists(self.file(content_hash))

    def uploaded(self, sent_hash: str, by: int) -> Any:
        """Return the row of the content that a user uploaded, None without one."""
        statement = select(self.contents).join(self.uploads)
        mine = statement.where(self.sent == sent_hash, self.uploads.user_id == by)
        return db.session.execute(mine).scalar_one_or_none()

    def uploaded_hashes(self, sent_hashes: Iterable[str], by: int) -> dict[str, str]:
        """Return the hashes of a user's stored contents by the hashes of the uploads."""
        statement = select(self.sent, self.name).where(
            self.uploads.user_id == by, self.sent.in_(set(sent_hashes))
        )
        return dict(db.session.execute(statement).all())

    def save(self, new: NewContent, *, by: int) -> StoredContent:
        """Save a content with stored files, and its upload by a user; renew an earlier upload."""
        self.lock([new.hash])
        now = dates.utc_now()
        row = db.session.get(self.contents, new.hash)
        if row is None:
            # A sweep may have removed files before the content had a row.
            if not all(photo_store().exists(name) for name in self.files(new.hash)):
                self.store(new)
            values = {column: getattr(new, column) for column in self.columns}
            row = self.contents(hash=new.hash, size=len(new.data), stored_at=now, **values)
            db.session.add(row)
            db.session.flush()
        upload = self._upload(new.sent_hash, by)
        is_new = upload is None
        if upload is None:
            upload = self.uploads(user_id=by, **{self.sent.key: new.sent_hash})
            db.session.add(upload)
        setattr(upload, self.name.key, row.hash)
        upload.sent_at = now
        db.session.flush()
        return StoredContent(new.sent_hash, row, is_new)

    def renew(self, sent_hash: str, *, by: int) -> StoredContent | None:
        """Set a user's earlier upload to now, so that no sweep removes it; None without one."""
        upload = self._upload(sent_hash, by)
        if upload is None:
            return None
        self.lock([getattr(upload, self.name.key)])
        # A sweep may have removed the content before it was locked.
        row = self.uploaded(sent_hash, by)
        if row is None:
            return None
        upload.sent_at = dates.utc_now()
        db.session.flush()
        return StoredContent(sent_hash, row, is_new=False)

    def use(
        self, ids: Sequence[str], new: Sequence[NewContent], uploads: Mapping[str, str], *, by: int
    ) -> dict[str, str]:
        """Lock earlier uploads and save new contents; return the stored hashes of the sent ids.

        It lacks earlier `uploads` that a sweep removed before they were locked.
        """
        self.lock({*uploads.values(), *(each.hash for each in new)})
        for each in new:
            self.save(each, by=by)
        return self.uploaded_hashes(ids, by)

    def lock(self, hashes: Collection[str]) -> None:
        """Lock contents, in one order, against saving, use and removal by others."""
        for content_hash in sorted(hashes):
            advisory_lock(f"{self.label.casefold()} {content_hash}")

    def existing(self, hashes: Iterable[str]) -> set[str]:
        """Return the hashes of stored contents among `hashes`."""
        statement = select(self.contents.hash).where(self.contents.hash.in_(set(hashes)))
        return set(db.session.execute(statement).scalars())

    def count(self) -> int:
        """Return the number of contents, read on a connection of its own."""
        with single_read() as connection:
            return connection.execute(select(func.count()).select_from(self.contents)).scalar_one()

    def unused(self, before: datetime) -> Sequence[str]:
        """Return the hashes of unused contents that were sent, or stored, before a time."""
        contents, uploads, name = self.contents, self.uploads, self.name
        uses = references_to(contents, but=uploads)
        sent = select(name).where(uploads.sent_at < before, *_have_none(uses, name))
        unreferenced = select(contents.hash).where(
            contents.stored_at < before, *_have_none([name, *uses], contents.hash)
        )
        return db.session.execute(union(sent, unreferenced)).scalars().all()

    def sweep(self, content_hash: str, *, before: datetime) -> tuple[int, int]:
        """Remove a content's uploads from before a time, and the content if none is left.

        Contents of records stay. Returns how many uploads and contents were removed.
        """
        self.lock([content_hash])
        contents, uploads = self.contents, self.uploads
        if _is_any(references_to(contents, but=uploads), content_hash):
            return 0, 0
        removed = db.session.execute(
            delete(uploads)
            .where(self.name == content_hash, uploads.sent_at < before)
            .returning(uploads.id)
        ).all()
        if _is_any([self.name], content_hash):
            return len(removed), 0
        deleted = db.session.execute(
            delete(contents)
            .where(contents.hash == content_hash, contents.stored_at < before)
            .returning(contents.hash)
        ).all()
        return len(removed), len(deleted)

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
        """Yield a problem for each content with a lost or foreign file; raises Unavailable."""
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

    def _upload(self, sent_hash: str, by: int) -> Any:
        statement = select(self.uploads).where(self.sent == sent_hash, self.uploads.user_id == by)
        return db.session.execute(statement).scalar_one_or_none()


PHOTO = ContentKind(
    "Photo",
    JPEG,
    Photo,
    PhotoUpload,
    PhotoUpload.photo_hash,
    PhotoUpload.sent_hash,
    {"data": "{}.jpg", "thumbnail": "{}.thumbnail.jpg"},
    ("width", "height"),
)
DOCUMENT = ContentKind(
    "Document",
    PDF,
    Document,
    DocumentUpload,
    DocumentUpload.document_hash,
    DocumentUpload.document_hash,
    {"data": f"{DOCUMENTS}{{}}.pdf"},
)


def read_document(data: bytes) -> NewContent:
    """Return a sent document; raises the errors of `check_document`."""
    check_document(data)
    digest = hashlib.sha256(data).hexdigest()
    return NewContent(digest, digest, data)


def _have_none(columns: list[Any], content_hash: Any) -> Iterator[ColumnElement[bool]]:
    return (~select(column).where(column == content_hash).exists() for column in columns)


def _is_any(columns: list[Any], content_hash: str) -> bool:
    statements = (select(column).where(column == content_hash).limit(1) for column in columns)
    return any(db.session.execute(statement).first() is not None for statement in statements)
