"""Reads of documents: their uploaders, and the unused ones."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import func, select

from app.db import db
from app.documents.models import Document, DocumentUpload
from app.photos.queries import Uploads, unused_contents

UPLOADS = Uploads(Document, DocumentUpload, DocumentUpload.document_hash)


def uploaded_document(document_hash: str, user_id: int) -> Document | None:
    """Return a document that a user uploaded."""
    statement = (
        select(Document)
        .join(DocumentUpload)
        .filter_by(document_hash=document_hash, user_id=user_id)
    )
    return db.session.execute(statement).scalar_one_or_none()


def uploaded_documents(hashes: Iterable[str], user_id: int) -> set[str]:
    """Return the hashes of a user's uploaded documents among `hashes`."""
    statement = (
        select(DocumentUpload.document_hash)
        .filter_by(user_id=user_id)
        .where(DocumentUpload.document_hash.in_(set(hashes)))
    )
    return set(db.session.execute(statement).scalars())


def unused_documents(before: datetime) -> Sequence[str]:
    """Return the hashes of unused documents that were sent, or stored, before a time."""
    return unused_contents(UPLOADS, before)


def existing_documents(hashes: Iterable[str]) -> set[str]:
    """Return the hashes of stored documents among `hashes`."""
    statement = select(Document.hash).where(Document.hash.in_(set(hashes)))
    return set(db.session.execute(statement).scalars())


def document_count() -> int:
    """Return the number of documents."""
    return db.session.execute(select(func.count()).select_from(Document)).scalar_one()
