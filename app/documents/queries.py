"""Reads of documents and of their uploaders."""

from collections.abc import Iterable

from sqlalchemy import select

from app.db import db
from app.documents.models import Document, DocumentUpload


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
