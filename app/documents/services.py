"""Documents: uploaded, used by records, and removed when none uses them.

See docs/domain.md, Photos and documents.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app import dates
from app.db import advisory_lock, db, stream_columns
from app.documents import queries
from app.documents.models import Document, DocumentUpload
from app.documents.rules import PDF, check_document
from app.errors import FileLost
from app.photos.services.photo_store import DOCUMENTS, photo_store
from app.photos.services.photos import SweepResult, sweep_uploads


@dataclass(frozen=True)
class NewDocument:
    """A document that was checked, with its content."""

    hash: str
    data: bytes


@dataclass(frozen=True)
class StoredDocument:
    """A stored document of a user, under the SHA-256 of its bytes."""

    id: str
    size: int
    media_type: str
    is_new: bool = False


def document_file(document_hash: str) -> str:
    """Return the name of a document's file in the store."""
    return f"{DOCUMENTS}{document_hash}.pdf"


def read_document(data: bytes) -> NewDocument:
    """Return a sent document; raises the errors of `check_document`."""
    check_document(data)
    return NewDocument(hashlib.sha256(data).hexdigest(), data)


def store_file(document: NewDocument) -> None:
    """Write the file of a document; call it before the transaction that saves the document.

    The store may be slow, and other writers must not wait for it.
    """
    photo_store().put(document_file(document.hash), document.data)


def save_document(document: NewDocument, *, by: int) -> StoredDocument:
    """Save a document with a stored file, and its upload by a user; renew an earlier upload."""
    lock_documents([document.hash])
    now = dates.utc_now()
    row = db.session.get(Document, document.hash)
    if row is None:
        # A sweep may have removed the file before the document had a row.
        if not is_stored(document.hash):
            store_file(document)
        row = Document(hash=document.hash, size=len(document.data), media_type=PDF, stored_at=now)
        db.session.add(row)
        db.session.flush()
    upload = _find_upload(document.hash, by)
    is_new = upload is None
    if upload is None:
        upload = DocumentUpload(user_id=by, document_hash=document.hash)
        db.session.add(upload)
    upload.sent_at = now
    db.session.flush()
    return StoredDocument(row.hash, row.size, row.media_type, is_new)


def renew_upload(document_hash: str, *, by: int) -> StoredDocument | None:
    """Set a user's earlier upload of a document to now, so that no sweep removes it.

    Returns None without an earlier upload; the document must then be prepared.
    """
    lock_documents([document_hash])
    upload = _find_upload(document_hash, by)
    if upload is None:
        return None
    upload.sent_at = dates.utc_now()
    db.session.flush()
    row = db.session.get_one(Document, document_hash)
    return StoredDocument(row.hash, row.size, row.media_type)


def is_stored(document_hash: str) -> bool:
    """Return whether the store still has a document's file.

    Call it outside a transaction: the store may be slow.
    """
    return photo_store().exists(document_file(document_hash))


def lock_documents(hashes: Collection[str]) -> None:
    """Lock documents, in one order, against saving, use and removal by others."""
    for document_hash in sorted(hashes):
        advisory_lock(f"document {document_hash}")


def sweep_document(document_hash: str, *, before: datetime) -> SweepResult:
    """Remove a document's uploads from before a time, and the document if none is left.

    Documents of records stay.
    """
    lock_documents([document_hash])
    return sweep_uploads(queries.UPLOADS, document_hash, before=before)


def delete_orphan_file(name: str, document_hash: str) -> bool:
    """Delete a file that belongs to no document; return False if it belongs to one."""
    lock_documents([document_hash])
    if is_file_of(name, queries.existing_documents([document_hash])):
        return False
    photo_store().delete(name)
    return True


def is_file_of(name: str, hashes: set[str]) -> bool:
    """Return whether a file belongs to one of the documents with these hashes."""
    document_hash = name.removeprefix(DOCUMENTS).partition(".")[0]
    return name == document_file(document_hash) and document_hash in hashes


def document_problems() -> Iterator[str]:
    """Yield a problem for each document with a lost or foreign file.

    Raises Unavailable when the store can't be reached.
    """
    for document_hash, size in stream_columns(
        select(Document.hash, Document.size).order_by(Document.hash)
    ):
        problem = _problem(document_hash, size)
        # A sweep may have removed it meanwhile.
        if problem and queries.existing_documents([document_hash]):
            yield problem


def _problem(document_hash: str, size: int) -> str:
    name = document_file(document_hash)
    try:
        data = photo_store().get(name)
    except FileLost:
        return f"Document {name} is not in the photo store"
    if len(data) != size or hashlib.sha256(data).hexdigest() != document_hash:
        return f"Document {name} is damaged"
    return ""


def _find_upload(document_hash: str, by: int) -> DocumentUpload | None:
    statement = select(DocumentUpload).filter_by(document_hash=document_hash, user_id=by)
    return db.session.execute(statement).scalar_one_or_none()
