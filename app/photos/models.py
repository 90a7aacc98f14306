"""Photos and documents, and who uploaded them."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime
from app.photos.rules import PDF


class Photo(Base):
    """A stored picture; `hash` is the SHA-256 of its re-encoded bytes."""

    __tablename__ = "photo"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    size: Mapped[int]
    width: Mapped[int]
    height: Mapped[int]
    stored_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class PhotoUpload(Base):
    """One user's upload of a photo; `sent_hash` is the SHA-256 of the bytes they sent."""

    __tablename__ = "photo_upload"
    __table_args__ = (UniqueConstraint("user_id", "sent_hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"))
    sent_hash: Mapped[str] = mapped_column(String(64))
    photo_hash: Mapped[str] = mapped_column(ForeignKey("photo.hash"), index=True)
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Document(Base):
    """A stored document; `hash` is the SHA-256 of its bytes, `size` is in bytes."""

    __tablename__ = "document"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    size: Mapped[int]
    media_type: Mapped[str] = mapped_column(String(60), default=PDF)
    stored_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class DocumentUpload(Base):
    """One user's upload of a document."""

    __tablename__ = "document_upload"
    __table_args__ = (UniqueConstraint("user_id", "document_hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"))
    document_hash: Mapped[str] = mapped_column(ForeignKey("document.hash"), index=True)
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)
