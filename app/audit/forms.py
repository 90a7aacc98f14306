"""The form for the reason why a waiting change is discarded."""

from functools import partial

from app.fields import Text
from app.idempotency import MAX_KEY_LENGTH
from app.web.form_fields import form_field
from app.web.forms import Form

_text = partial(Text, limit=400)


class DiscardForm(Form):
    """A change to discard, and the reason; `entry` is the change's idempotency key."""

    entry = form_field(
        Text(name="entry", label="Entry", limit=MAX_KEY_LENGTH, required="Name the entry.")
    )
    title = form_field(_text(name="title", label="Title", required="Say what it was."))
    detail = form_field(_text(name="detail", label="Detail", default=""))
    reason = form_field(_text(name="reason", label="Reason", required="Say why it is discarded."))
