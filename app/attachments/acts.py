"""What the pages and calls of attachments share: they are opened and removed."""

from flask import Response

from app.attachments.queries import AttachmentRow, get_attachment
from app.attachments.rules import SUBJECTS
from app.attachments.services import RemovedAttachment, remove_attachment
from app.photos.acts import send_content
from app.photos.services.contents import DOCUMENT, PHOTO
from app.web import access
from app.web.access import current_user
from app.web.rights import require


def admitted(attachment_id: int, *, also_removed: bool = False) -> AttachmentRow:
    """Return an attachment of a record that the user may see, or change."""
    row = get_attachment(attachment_id, also_removed=also_removed)
    require(access.division(*SUBJECTS[row.subject_kind].divisions))
    return row


def send(row: AttachmentRow) -> Response:
    """Reply with a photo, or with a document to be saved under its name."""
    kind, name = (PHOTO, "") if row.is_photo else (DOCUMENT, row.name)
    return send_content(kind, row.sha256, size=row.size, download_name=name)


def remove(attachment_id: int) -> RemovedAttachment:
    """Remove a photo or document from its record, if the user may change that."""
    admitted(attachment_id, also_removed=True)
    return remove_attachment(attachment_id, by=current_user().user_id)
