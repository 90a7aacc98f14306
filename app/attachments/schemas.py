"""Attachments in JSON: a record's, and files that a change attaches."""

from typing import Any

from marshmallow import fields, post_load, validate

from app.api.schemas import Body, Reply
from app.api.uploads import EXAMPLE_HASH
from app.attachments.queries import AttachmentRow
from app.attachments.rules import MAX_ATTACHMENTS
from app.sent_files import SentFile

MAX_SENT_NAME = 1000


class AttachmentReply(Reply):
    """A photo or document of a record; `sha256` and `size` are those of what `url` sends."""

    id = fields.Integer(metadata={"example": 12})
    name = fields.String(metadata={"example": "invoice.pdf"})
    mediaType = fields.String(metadata={"example": "application/pdf"})  # noqa: N815 (the API's name)
    size = fields.Integer(metadata={"example": 183204})
    sha256 = fields.String(metadata={"example": EXAMPLE_HASH})
    url = fields.String(metadata={"example": "/api/attachments/12"})


class AttachmentBody(Body):
    """A photo or document that was uploaded before, by the SHA-256 of what was sent."""

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

    @post_load
    def _file(self, data: dict[str, Any], **_: Any) -> SentFile:
        return SentFile(data["name"], data["id"])


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
        fields.Nested(AttachmentBody),
        required=True,
        validate=validate.Length(1, MAX_ATTACHMENTS),
    )


def attachments_reply() -> "fields.List[Any]":
    """Return the field of a reply that has a record's attachments."""
    return fields.List(fields.Nested(AttachmentReply))


def attachment_json(row: AttachmentRow) -> dict[str, Any]:
    """Return an attachment as JSON."""
    return {
        "id": row.id,
        "name": row.name,
        "mediaType": row.media_type,
        "size": row.size,
        "sha256": row.sha256,
        "url": f"/api/attachments/{row.id}",
    }
