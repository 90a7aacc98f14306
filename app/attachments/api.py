"""The calls that read and remove attachments."""

from flask import Response

from app.api.blueprint import NOT_MODIFIED, Blueprint, change, raises
from app.api.changes import run_once
from app.api.openapi import Api
from app.api.uploads import BINARY
from app.attachments.queries import NO_SUCH_ATTACHMENT, AttachmentRow, get_attachment
from app.attachments.rules import DIVISIONS, SUBJECTS
from app.attachments.services import RemovedAttachment, file_of, remove_attachment
from app.errors import Conflict, NotFound
from app.photos.rules import JPEG, PDF
from app.photos.services.contents import PHOTO
from app.photos.services.photo_store import photo_store
from app.web import access
from app.web.access import current_user
from app.web.downloads import IMMUTABLE, file_response
from app.web.rights import require

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
    row = _admitted(attachment_id)
    return file_response(
        photo_store(),
        file_of(row),
        row.media_type,
        IMMUTABLE,
        size=row.size,
        download_name="" if row.is_photo else row.name,
    )


@bp.route("/attachments/<row_id:attachment_id>", methods=["DELETE"])
@OF_SUBJECTS
@bp.response(204)
@change()
@raises(Conflict)
def delete_attachment(attachment_id: int) -> None:
    """Remove a photo or document from its record; who removed it and when is kept."""

    def action() -> RemovedAttachment:
        _admitted(attachment_id, also_removed=True)
        return remove_attachment(attachment_id, by=current_user().user_id)

    run_once(RemovedAttachment, action, list_name="attachments")


@bp.route("/attachments/<row_id:attachment_id>/thumbnail", methods=["GET"])
@OF_SUBJECTS
@bp.alt_response(304, description=NOT_MODIFIED, success=True)
@bp.response(200, BINARY, content_type=JPEG)
def attachment_thumbnail(attachment_id: int) -> Response:
    """Read a photo of a record, at most 160 pixels long."""
    row = _admitted(attachment_id)
    if not row.is_photo:
        raise NotFound(NO_SUCH_ATTACHMENT)
    return file_response(photo_store(), PHOTO.file(row.sha256, "thumbnail"), JPEG, IMMUTABLE)


def _admitted(attachment_id: int, *, also_removed: bool = False) -> AttachmentRow:
    """Return an attachment of a record that the user may see, or change."""
    row = get_attachment(attachment_id, also_removed=also_removed)
    require(access.api_call(*SUBJECTS[row.subject_kind].divisions))
    return row
