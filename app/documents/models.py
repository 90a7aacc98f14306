"""Documents and who uploaded them."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base, UtcDateTime


class Document(Base):
    """A stored document; `hash` is the SHA-256 of its bytes, `size` is in bytes."""

    __tablename__ = "document"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    size: Mapped[int]
    media_type: Mapped[str] = mapped_column(String(60))
    stored_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class DocumentUpload(Base):
    """One user's upload of a document."""

    __tablename__ = "document_upload"
    __table_args__ = (UniqueConstraint("user_id", "document_hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user_account.id"))
    document_hash: Mapped[str] = mapped_column(ForeignKey("document.hash"), index=True)
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)
