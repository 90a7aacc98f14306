"""Forms: their fields parse text into the product's values and say what to mend."""

import uuid
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, ClassVar

from flask import request
from flask_wtf import FlaskForm
from wtforms import Field, HiddenField
from wtforms.validators import StopValidation
from wtforms.widgets import TextInput

from app import dates, money, names
from app.errors import Invalid, QuartermasterError
from app.web.access import current_user, safe_next
from app.web.idempotency import KeyReused, Submission, form_body

OUT_OF_DATE = "This page was out of date. Check it and send it once more."


class ParsedField(Field):
    """A text input whose data is the parsed value, None when it was left empty.

    `required` is the message for an empty field; without it an empty field is fine.
    """

    widget = TextInput()

    def __init__(
        self,
        label: str,
        parse: Callable[[str], Any],
        *,
        required: str | None = None,
        show: Callable[[Any], str] = str,
        **options: Any,
    ) -> None:
        super().__init__(label, **options)
        self.data: Any = None
        self.parse = parse
        self.required = required
        self.show = show

    def process_formdata(self, valuelist: list[str]) -> None:
        """Parse what was typed; a missing field counts as empty."""
        text = valuelist[0] if valuelist else ""
        self.data = None
        if text.strip():
            try:
                self.data = self.parse(text)
            except Invalid as error:
                raise ValueError(error.message) from None

    def pre_validate(self, form: Any) -> None:  # noqa: ARG002 (WTForms' signature)
        """Refuse an empty field that is required."""
        if self.data is None and self.required and not self.process_errors:
            raise StopValidation(self.required)

    def _value(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0])
        return "" if self.data is None else self.show(self.data)


class TextField(ParsedField):
    """One line of text, trimmed; '' when empty."""

    def __init__(self, label: str, *, limit: int, **options: Any) -> None:
        super().__init__(label, lambda text: names.clean(text, limit=limit, what=label), **options)

    def process_formdata(self, valuelist: list[str]) -> None:
        """Keep '' for an empty field that needn't be filled."""
        super().process_formdata(valuelist)
        if self.data is None and not self.required:
            self.data = ""


class WholeNumberField(ParsedField):
    """A whole number within bounds."""

    def __init__(self, label: str, *, least: int, most: int, **options: Any) -> None:
        def parse(text: str) -> int:
            number = money.parse_whole_number(text)
            if number < least:
                raise Invalid(f"{label} must be at least {least}")
            if number > most:
                raise Invalid(f"{label} must be at most {money.format_number(most)}")
            return number

        super().__init__(label, parse, **options)


class PoundsField(ParsedField):
    """Pounds, held in pence; its errors call it `what`."""

    def __init__(self, label: str, *, what: str = "Price", **options: Any) -> None:
        def parse(text: str) -> int:
            return money.parse_pounds(text, what=what)

        super().__init__(label, parse, show=money.plain_pounds, **options)


class DayField(ParsedField):
    """A day, not before `earliest` and at most `days_ahead` in the future."""

    def __init__(
        self,
        label: str,
        *,
        days_ahead: int = 0,
        earliest: date = dates.EARLIEST_DAY,
        **options: Any,
    ) -> None:
        def parse(text: str) -> date:
            return dates.check_day(dates.parse_day(text), days_ahead=days_ahead, earliest=earliest)

        super().__init__(label, parse, show=date.isoformat, **options)


class HiddenNumberField(HiddenField):
    """A whole number that the form carries unseen; None when it is missing or was tampered with."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Parse what came back."""
        text = valuelist[0] if valuelist else ""
        self.data = int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None


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
