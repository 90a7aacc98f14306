"""Attachments in JSON: a record's, and files that a change attaches."""

from typing import Any, ClassVar

from marshmallow import fields, validate

from app.api import replies
from app.api.replies import Reply
from app.api.schemas import Body
from app.api.uploads import EXAMPLE_HASH
from app.attachments.rules import MAX_ATTACHMENTS
from app.sent_files import SentFile

MAX_SENT_NAME = 1000


class AttachmentReply(Reply):
    """A photo or document of a record; `sha256` and `size` are those of what `url` sends."""

    id = replies.number(12)
    name = replies.text("invoice.pdf")
    media_type = replies.text("application/pdf")
    size = replies.number(183204)
    sha256 = replies.text(EXAMPLE_HASH)
    url = replies.text("/api/attachments/12", lambda row: f"/api/attachments/{row.id}")


class AttachmentBody(Body):
    """A photo or document that was uploaded before, by the SHA-256 of what was sent."""

    state_type: ClassVar = SentFile

    name = fields.String(
        required=True,
        validate=validate.Length(max=MAX_SENT_NAME),
        metadata={"example": "invoice.pdf"},
    )
    id = fields.String(
        required=True,
        validate=validate.Regexp(
            r"^[0-9a-f]{64}$", error="Must be the SHA-256 of a file that was sent."
        ),
        metadata={"example": EXAMPLE_HASH},
    )


def attachments_field() -> "fields.List[Any]":
    """Return the optional field of a body that attaches uploaded files."""
    return fields.List(
        fields.Nested(AttachmentBody),
        load_default=list,
        validate=validate.Length(max=MAX_ATTACHMENTS),
        metadata={"description": "Photos and documents that were uploaded before", "example": []},
    )


class AttachingBody(Body):
    """Photos and documents that were uploaded before, and that a record gets."""

    attachments = fields.List(
        fields.Nested(AttachmentBody), required=True, validate=validate.Length(1, MAX_ATTACHMENTS)
    )
