"""Forms: their base classes, which list what is wrong and carry a key for each submission."""

import uuid
from collections.abc import Mapping
from typing import ClassVar

from flask import request
from flask_wtf import FlaskForm
from wtforms import HiddenField

from app.errors import QuartermasterError
from app.web.access import current_user, safe_next
from app.web.idempotency import KeyReused, Submission, form_body

OUT_OF_DATE = "This page was out of date. Check it and send it once more."


def _path_of(referrer: str | None) -> str | None:
    if not referrer or not referrer.startswith(request.host_url):
        return None
    return "/" + referrer.removeprefix(request.host_url)


def new_idempotency_key() -> str:
    """Make a key for one sending of a form."""
    return str(uuid.uuid4())


class BaseForm(FlaskForm):
    """Base of all forms: says in order what is wrong."""

    def problems(self) -> list[tuple[str | None, str]]:
        """List what is wrong as (field id or None, message), in the order of the form."""
        found: list[tuple[str | None, str]] = [(None, str(m)) for m in self.form_errors]
        if self.csrf_token.errors:
            found.append((None, OUT_OF_DATE))
        for field in self:
            if field is not self.csrf_token:
                found += [(field.id, str(message)) for message in field.errors]
        return found


class Form(BaseForm):
    """Base of the forms that change something: each sending carries a key."""

    key = HiddenField(default=new_idempotency_key)
    refusal: QuartermasterError | None = None
    called: ClassVar[Mapping[str, str]] = {}
    """The form's names of the fields that errors call otherwise."""

    @property
    def back_to(self) -> str | None:
        """Return the page the form was opened from, if it is one to go back to."""
        path = safe_next(request.form.get("back") or _path_of(request.referrer))
        leads_on = path and path.partition("?")[0] in ("/login", "/choose", request.path)
        return None if leads_on else path

    def submission(self) -> Submission:
        """Return this sending of the form, as exactly_once takes it."""
        body = form_body(request.form.items(multi=True), without=("key", "csrf_token", "back"))
        return Submission(
            current_user().user_id, f"POST {request.path}", request.form.get("key", ""), body
        )

    def refuse(self, error: QuartermasterError) -> None:
        """Show a service's refusal at its field, or above the form."""
        self.refusal = error
        if isinstance(error, KeyReused) or not self.key.data:
            self.key.data = new_idempotency_key()
            self.key.raw_data = None
        name = self.called.get(error.field or "", error.field)
        if name and name in self:
            self[name].errors = [error.message]
        else:
            self.form_errors.append(error.message)
