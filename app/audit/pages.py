"""The address that records why a browser discards a change."""

from collections.abc import Mapping

from flask import Blueprint, Response, jsonify, request
from werkzeug.datastructures import ImmutableMultiDict

from app.audit import services
from app.audit.forms import DiscardForm
from app.audit.services import DiscardResult
from app.db import transaction
from app.errors import Malformed
from app.idempotency import Submission, exactly_once
from app.web import access, outbox
from app.web.access import current_user
from app.web.error_pages import failure_message

bp = Blueprint("audit", __name__)
BLUEPRINTS = (bp,)

_TEXTS = ("entry", "title", "detail", "reason")


@bp.post("/outbox/discarded")
@access.signed_in
@access.takes_json
@failure_message("Failed to discard")
def discard() -> Response:
    """Record why a waiting change is discarded, from JSON or a form."""
    sent = _sent_texts()
    form = DiscardForm(formdata=ImmutableMultiDict(sent))
    if not form.validate():
        raise form.failure()
    by = current_user().user_id
    # An entry is discarded once, also where its person types another reason after a lost reply.
    submission = Submission(by, "POST /outbox/discarded", form.entry.data, ())

    def action() -> DiscardResult:
        return services.record_discard(
            form.title.data,
            detail=form.detail.data,
            reason=form.reason.data,
            made_at=outbox.made_at(),
            by=by,
        )

    # Not by handle_form: it refuses what is too old to be made, which can still be discarded.
    with transaction():
        result = exactly_once(submission, DiscardResult, action)
    return jsonify({"message": f"Discarded: {result.title}."})


def _sent_texts() -> dict[str, str]:
    """Return the texts of the request, each on one line; raises Malformed."""
    try:
        sent = request.get_json() if request.is_json else request.form
    except RecursionError:
        sent = None
    if not isinstance(sent, Mapping):
        raise Malformed("Send an object.")
    texts = {name: sent.get(name) or "" for name in _TEXTS}
    if not all(isinstance(text, str) for text in texts.values()):
        raise Malformed("Send texts only.")
    return {name: " ".join(text.split()) for name, text in texts.items()}
