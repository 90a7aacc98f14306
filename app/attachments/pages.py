"""The pages of attachments: they are opened and removed."""

from flask import Blueprint, Response, redirect, url_for
from flask.typing import ResponseReturnValue

from app.attachments import acts
from app.attachments.queries import NO_SUCH_ATTACHMENT
from app.attachments.rules import DIVISIONS
from app.attachments.services import RemovedAttachment
from app.errors import NotFound, QuartermasterError
from app.web import access
from app.web.form_handling import flash_message, handle_form, render_form, respond_with_page
from app.web.forms import Form
from app.web.htmx import wants_fragment

bp = Blueprint("attachments", __name__)
BLUEPRINTS = (bp,)

of_subjects = access.division(*DIVISIONS)


@of_subjects.route(
    bp, "/attachments/<row_id:attachment_id>/<file_name>", "The file can't be opened"
)
def attachment(attachment_id: int, file_name: str) -> Response:
    """Show a photo of a record, or send a document to be saved."""
    row = acts.admitted(attachment_id)
    if file_name != row.name:
        raise NotFound(NO_SUCH_ATTACHMENT)
    return acts.send(row)


@of_subjects.route(bp, "/attachments/<row_id:attachment_id>/remove", "Not removed", "GET", "POST")
def remove(attachment_id: int) -> ResponseReturnValue:
    """Remove a photo or document from its record after a confirmation."""
    form = Form()
    back = form.back_to or url_for("dashboard.show")

    def render() -> str:
        row = acts.admitted(attachment_id)
        return render_form("attachments/remove.html", form=form, default_back=back, row=row)

    def fail(error: QuartermasterError) -> ResponseReturnValue:
        if wants_fragment():
            raise error
        flash_message(f"Not removed. {error.message}", kind="bad")
        return redirect(back, 303)

    return handle_form(
        form,
        RemovedAttachment,
        lambda: acts.remove(attachment_id),
        render=render,
        respond=lambda result: respond_with_page(f"Removed: {result.name}.", back),
        fail=fail,
    )
