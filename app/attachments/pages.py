"""The pages of attachments: they are opened and removed."""

from flask import Blueprint, Response, redirect, url_for
from flask.typing import ResponseReturnValue

from app.attachments.queries import NO_SUCH_ATTACHMENT, AttachmentRow, get_attachment
from app.attachments.rules import DIVISIONS, SUBJECTS
from app.attachments.services import RemovedAttachment, file_of, remove_attachment
from app.errors import NotFound, QuartermasterError
from app.photos.services.photo_store import photo_store
from app.web import access
from app.web.access import current_user
from app.web.downloads import IMMUTABLE, file_response
from app.web.error_pages import failure_message
from app.web.form_handling import flash_message, handle_form, render_form, respond_with_page
from app.web.forms import Form
from app.web.htmx import wants_fragment
from app.web.rights import require

bp = Blueprint("attachments", __name__)
BLUEPRINTS = (bp,)

of_subjects = access.division(*DIVISIONS)


@bp.get("/attachments/<row_id:attachment_id>/<file_name>")
@of_subjects
@failure_message("The file can't be opened")
def attachment(attachment_id: int, file_name: str) -> Response:
    """Show a photo of a record, or send a document to be saved."""
    row = _admitted(attachment_id)
    if file_name != row.name:
        raise NotFound(NO_SUCH_ATTACHMENT)
    return file_response(
        photo_store(),
        file_of(row),
        row.media_type,
        IMMUTABLE,
        size=row.size,
        download_name="" if row.is_photo else row.name,
    )


@bp.route("/attachments/<row_id:attachment_id>/remove", methods=["GET", "POST"])
@of_subjects
@failure_message("Not removed")
def remove(attachment_id: int) -> ResponseReturnValue:
    """Remove a photo or document from its record after a confirmation."""
    form = Form()
    back = form.back_to or url_for("dashboard.show")

    def action() -> RemovedAttachment:
        _admitted(attachment_id, also_removed=True)
        return remove_attachment(attachment_id, by=current_user().user_id)

    def render() -> str:
        row = _admitted(attachment_id)
        return render_form("attachments/remove.html", form=form, default_back=back, row=row)

    def fail(error: QuartermasterError) -> ResponseReturnValue:
        if wants_fragment():
            raise error
        flash_message(f"Not removed. {error.message}", kind="bad")
        return redirect(back, 303)

    return handle_form(
        form,
        RemovedAttachment,
        action,
        render=render,
        respond=lambda result: respond_with_page(f"Removed: {result.name}.", back),
        fail=fail,
    )


def _admitted(attachment_id: int, *, also_removed: bool = False) -> AttachmentRow:
    """Return an attachment of a record that the user may see, or change."""
    row = get_attachment(attachment_id, also_removed=also_removed)
    require(access.division(*SUBJECTS[row.subject_kind].divisions))
    return row
