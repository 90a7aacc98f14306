"""Attachments: the photos and documents of records."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.attachments.rules import MAX_NAME_LENGTH
from app.db import Base, UtcDateTime


class Attachment(Base):
    """A photo or document of a record, under its sender's name for it.

    `subject_kind` and `subject_id` name the record, such as 'defect' and its id. A removed one
    stays with who removed it, and is no longer shown.
    """

    __tablename__ = "attachment"
    __table_args__ = (
        CheckConstraint("(photo_hash IS NULL) <> (document_hash IS NULL)", name="one_content"),
        Index("ix_attachment_subject", "subject_kind", "subject_id", "position"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    subject_kind: Mapped[str] = mapped_column(String(20))
    subject_id: Mapped[int] = mapped_column(index=True)
    position: Mapped[int]
    photo_hash: Mapped[str | None] = mapped_column(ForeignKey("photo.hash"), index=True)
    document_hash: Mapped[str | None] = mapped_column(ForeignKey("document.hash"), index=True)
    name: Mapped[str] = mapped_column(String(MAX_NAME_LENGTH), default="")
    added_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    added_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    removed_by: Mapped[int | None] = mapped_column(ForeignKey("user_account.id"))
    removed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
