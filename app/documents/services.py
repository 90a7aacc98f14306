"""Documents: uploaded, used by records, and removed when none uses them.

See docs/domain.md, Photos and documents.
"""

import hashlib
from dataclasses import dataclass

from sqlalchemy import select

from app import dates
from app.db import db
from app.documents.models import Document, DocumentUpload
from app.documents.rules import PDF, check_document
from app.photos.services.contents import ContentKind
from app.photos.services.photo_store import DOCUMENTS, photo_store


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


DOCUMENT = ContentKind(
    "Document",
    Document,
    DocumentUpload,
    DocumentUpload.document_hash,
    lambda document_hash: (document_file(document_hash),),
)


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
    DOCUMENT.lock([document.hash])
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


def is_stored(document_hash: str) -> bool:
    """Return whether the store still has a document's file.

    Call it outside a transaction: the store may be slow.
    """
    return photo_store().exists(document_file(document_hash))


def _find_upload(document_hash: str, by: int) -> DocumentUpload | None:
    statement = select(DocumentUpload).filter_by(document_hash=document_hash, user_id=by)
    return db.session.execute(statement).scalar_one_or_none()
