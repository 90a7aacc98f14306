"""Reads of documents: who uploaded them, and which no record uses."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import func, select, union

from app.db import db, references_to
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
    """Return those of these hashes that belong to documents which a user uploaded."""
    statement = (
        select(DocumentUpload.document_hash)
        .filter_by(user_id=user_id)
        .where(DocumentUpload.document_hash.in_(set(hashes)))
    )
    return set(db.session.execute(statement).scalars())


def unused_documents(before: datetime) -> Sequence[str]:
    """Return the hashes of documents without a record that were sent, or stored, before a time."""
    uses = references_to(Document, but=DocumentUpload)
    uploads = select(DocumentUpload.document_hash).where(
        DocumentUpload.sent_at < before,
        *(~select(use).where(use == DocumentUpload.document_hash).exists() for use in uses),
    )
    any_upload = select(DocumentUpload.id).where(DocumentUpload.document_hash == Document.hash)
    unreferenced = select(Document.hash).where(
        Document.stored_at < before,
        ~any_upload.exists(),
        *(~select(use).where(use == Document.hash).exists() for use in uses),
    )
    return db.session.execute(union(uploads, unreferenced)).scalars().all()


def existing_documents(hashes: Iterable[str]) -> set[str]:
    """Return those of these hashes that belong to documents."""
    statement = select(Document.hash).where(Document.hash.in_(set(hashes)))
    return set(db.session.execute(statement).scalars())


def document_count() -> int:
    """Return the number of documents."""
    return db.session.execute(select(func.count()).select_from(Document)).scalar_one()
