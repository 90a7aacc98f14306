"""The form for the reason why a waiting change is discarded."""

from app.fields import Text
from app.idempotency import MAX_KEY_LENGTH
from app.web.form_fields import form_field
from app.web.forms import Form

MAX_LENGTH = 400
"""The most characters in each of the form's texts."""


class DiscardForm(Form):
    """A change to discard, and the reason; `entry` is the change's idempotency key."""

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
