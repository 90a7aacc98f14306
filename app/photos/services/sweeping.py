"""Remove unused uploads: photos and documents alike."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select

from app.db import db, references_to
from app.photos.queries import Uploads


@dataclass(frozen=True)
class SweepResult:
    """How many uploads a sweep removed, and photos or documents."""

    uploads: int = 0
    contents: int = 0


def sweep_uploads(tables: Uploads, content_hash: str, *, before: datetime) -> SweepResult:
    """Remove a locked content's uploads from before a time, and the content if none is left.

    Contents that a record uses stay.
    """
    contents, uploads = tables.contents, tables.uploads
    if _is_any(references_to(contents, but=uploads), content_hash):
        return SweepResult()
    removed = db.session.execute(
        delete(uploads)
        .where(tables.name == content_hash, uploads.sent_at < before)
        .returning(uploads.id)
    ).all()
    if _is_any([tables.name], content_hash):
        return SweepResult(len(removed))
    deleted = db.session.execute(
        delete(contents)
        .where(contents.hash == content_hash, contents.stored_at < before)
        .returning(contents.hash)
    ).all()
    return SweepResult(len(removed), len(deleted))


def _is_any(columns: list[Any], content_hash: str) -> bool:
    statements = (select(column).where(column == content_hash).limit(1) for column in columns)
    return any(db.session.execute(statement).first() is not None for statement in statements)
