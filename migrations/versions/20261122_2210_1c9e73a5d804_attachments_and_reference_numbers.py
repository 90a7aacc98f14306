"""Attachments, and numbers that people can say"""

import sqlalchemy as sa
from alembic import op

revision = "1c9e73a5d804"
down_revision = "b81d4f60a7c2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "number_counter",
        sa.Column("series", sa.String(1), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("series", name="pk_number_counter"),
    )
    op.create_table(
        "document",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("media_type", sa.String(60), nullable=False),
        sa.Column("stored_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_document"),
    )
    op.create_index("ix_document_stored_at", "document", ["stored_at"])
    op.create_table(
        "document_upload",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("document_hash", sa.String(64), nullable=False),
        sa.Column("sent_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_hash"], ["document.hash"], name="fk_document_upload_document_hash_document"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name="fk_document_upload_user_id_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_document_upload"),
        sa.UniqueConstraint(
            "user_id", "document_hash", name="uq_document_upload_user_id_document_hash"
        ),
    )
    op.create_index("ix_document_upload_document_hash", "document_upload", ["document_hash"])
    op.create_table(
        "attachment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subject_kind", sa.String(20), nullable=False),
        sa.Column("subject_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("photo_hash", sa.String(64)),
        sa.Column("document_hash", sa.String(64)),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("added_by", sa.Integer()),
        sa.Column("added_at", sa.DateTime(), nullable=False),
        sa.Column("removed_by", sa.Integer()),
        sa.Column("removed_at", sa.DateTime()),
        sa.CheckConstraint(
            "(photo_hash IS NULL) <> (document_hash IS NULL)", name="ck_attachment_one_content"
        ),
        sa.ForeignKeyConstraint(
            ["added_by"], ["user_account.id"], name="fk_attachment_added_by_user_account"
        ),
        sa.ForeignKeyConstraint(
            ["document_hash"], ["document.hash"], name="fk_attachment_document_hash_document"
        ),
        sa.ForeignKeyConstraint(
            ["photo_hash"], ["photo.hash"], name="fk_attachment_photo_hash_photo"
        ),
        sa.ForeignKeyConstraint(
            ["removed_by"], ["user_account.id"], name="fk_attachment_removed_by_user_account"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_attachment"),
    )
    op.create_index("ix_attachment_document_hash", "attachment", ["document_hash"])
    op.create_index("ix_attachment_photo_hash", "attachment", ["photo_hash"])
    op.create_index(
        "ix_attachment_subject", "attachment", ["subject_kind", "subject_id", "position"]
    )
    op.execute("INSERT INTO number_counter (series, last) VALUES ('D', 0), ('R', 0)")


def downgrade() -> None:
    raise RuntimeError("This migration can't be taken back: restore a backup.")
