"""The form that says why a change which waited in a browser is discarded."""

from app.fields import Text
from app.idempotency import MAX_KEY_LENGTH
from app.web.form_fields import form_field
from app.web.forms import Form

MAX_LENGTH = 400
"""The most characters of each of its texts."""


class DiscardForm(Form):
    """What is discarded, and why; `entry` is the idempotency key of the change."""

    entry = form_field(
        Text(name="entry", label="Entry", limit=MAX_KEY_LENGTH, required="Name the entry.")
    )
    title = form_field(
        Text(name="title", label="Title", limit=MAX_LENGTH, required="Say what it was.")
    )
    detail = form_field(Text(name="detail", label="Detail", limit=MAX_LENGTH, default=""))
    reason = form_field(
        Text(name="reason", label="Reason", limit=MAX_LENGTH, required="Say why it is discarded.")
    )
