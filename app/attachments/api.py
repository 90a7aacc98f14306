"""The calls that read and remove attachments."""

from flask import Response

from app.api.blueprint import NOT_MODIFIED, Blueprint, change, raises
from app.api.changes import run_once
from app.api.openapi import Api
from app.api.uploads import BINARY
from app.attachments import acts
from app.attachments.queries import NO_SUCH_ATTACHMENT
from app.attachments.rules import DIVISIONS
from app.attachments.services import RemovedAttachment
from app.errors import Conflict, NotFound
from app.photos.acts import send_content, sends
from app.photos.rules import JPEG, PDF
from app.photos.services.contents import PHOTO
from app.web import access

bp = Blueprint("attachments", "Attachments", "Photos and documents of defects, repairs and others.")

OF_SUBJECTS = access.api_call(*DIVISIONS)


def register_calls(api: Api) -> None:
    """Serve the calls under /api."""
    api.register_prefixed(bp, None)


@bp.route("/attachments/<row_id:attachment_id>", methods=["GET"])
@OF_SUBJECTS
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.alt_response(200, schema=BINARY, content_type=PDF, success=True)
@bp.response(200, BINARY, content_type=JPEG)
def attachment(attachment_id: int) -> Response:
    """Read a photo or document of a record."""
    return acts.send(acts.admitted(attachment_id))


@bp.route("/attachments/<row_id:attachment_id>", methods=["DELETE"])
@OF_SUBJECTS
@bp.response(204)
@change()
@raises(Conflict)
def delete_attachment(attachment_id: int) -> None:
    """Remove a photo or document from its record; who removed it and when is kept."""
    run_once(RemovedAttachment, lambda: acts.remove(attachment_id), list_name="attachments")


@sends(bp, "/attachments/<row_id:attachment_id>/thumbnail", OF_SUBJECTS)
def attachment_thumbnail(attachment_id: int) -> Response:
    """Read a photo of a record, at most 160 pixels long."""
    row = acts.admitted(attachment_id)
    if not row.is_photo:
        raise NotFound(NO_SUCH_ATTACHMENT)
    return send_content(PHOTO, row.sha256, "thumbnail")
