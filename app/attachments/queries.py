"""Reads of attachments, with the content that they have."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, select

from app.accounts.queries import usernames
from app.attachments.models import Attachment
from app.db import db
from app.errors import NotFound
from app.lists import batches, grouped
from app.photos.models import Document, Photo
from app.photos.rules import JPEG

NO_SUCH_ATTACHMENT = "There is no such photo or document."


@dataclass(frozen=True)
class AttachmentRow:
    """A photo or document of a record, with the `sha256` and `size` of the stored bytes.

    `added_by` is a username, empty for the terminal. `is_removed` ones are in no list.
    """

    id: int
    subject_kind: str
    subject_id: int
    name: str
    media_type: str
    size: int
    sha256: str
    added_at: datetime
    added_by: str
    is_photo: bool
    is_removed: bool


def attachments_of(
    subject_kind: str, subject_ids: Iterable[int]
) -> Mapping[int, Sequence[AttachmentRow]]:
    """Return the attachments of records in their order, by the records' ids; none are empty."""
    statement = (
        _rows()
        .where(Attachment.subject_kind == subject_kind, Attachment.removed_at.is_(None))
        .order_by(Attachment.subject_id, Attachment.position)
    )
    some = batches(sorted(subject_ids))
    rows = (row for ids in some for row in _read(statement.where(Attachment.subject_id.in_(ids))))
    return grouped((row.subject_id, row) for row in rows)


def get_attachment(attachment_id: int, *, also_removed: bool = False) -> AttachmentRow:
    """Return an attachment; raises NotFound, for a removed one unless `also_removed`."""
    for row in _read(_rows().where(Attachment.id == attachment_id)):
        if also_removed or not row.is_removed:
            return row
    raise NotFound(NO_SUCH_ATTACHMENT)


def position_and_hashes(subject_kind: str, subject_id: int) -> tuple[int, Sequence[str]]:
    """Return a record's next free position, and the hashes of its attachments."""
    content_hash = func.coalesce(Attachment.photo_hash, Attachment.document_hash)
    statement = select(Attachment.position, Attachment.removed_at, content_hash).where(
        Attachment.subject_kind == subject_kind, Attachment.subject_id == subject_id
    )
    rows = db.session.execute(statement).all()
    position = max((position for position, _, _ in rows), default=-1) + 1
    return position, [content for _, removed_at, content in rows if removed_at is None]


def _rows() -> Select[Attachment, int, int, str]:
    return (
        select(Attachment, Photo.size, Document.size, Document.media_type)
        .outerjoin(Photo, Photo.hash == Attachment.photo_hash)
        .outerjoin(Document, Document.hash == Attachment.document_hash)
    )


def _read(statement: Select[Attachment, int, int, str]) -> list[AttachmentRow]:
    rows = db.session.execute(statement).all()
    names = usernames(row.added_by for row, *_ in rows)
    return [
        AttachmentRow(
            id=row.id,
            subject_kind=row.subject_kind,
            subject_id=row.subject_id,
            name=row.name,
            media_type=media_type or JPEG,
            size=photo_size or document_size or 0,
            sha256=row.photo_hash or row.document_hash or "",
            added_at=row.added_at,
            added_by=names[row.added_by],
            is_photo=row.photo_hash is not None,
            is_removed=row.removed_at is not None,
        )
        for row, photo_size, document_size, media_type in rows
    ]
