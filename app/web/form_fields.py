"""Inputs of forms: they parse text into values and carry the messages for what is wrong."""

from collections.abc import Callable
from typing import Any

from wtforms import Field, HiddenField
from wtforms.validators import StopValidation
from wtforms.widgets import TextInput

from app import fields
from app.errors import Invalid


class ParsedField(Field):
    """A text input whose data is the parsed value, `empty` when it is left empty.

    `required` is the message for an empty input; without it the input may be left empty.
    """

    widget = TextInput()

    def __init__(
        self,
        label: str,
        parse: Callable[[str], Any],
        *,
        required: str | None = None,
        empty: Any = None,
        format: Callable[[Any], str] = str,  # noqa: A002 (the name of app.fields)
        **options: Any,
    ) -> None:
        super().__init__(label, **options)
        self.data: Any = None
        self.parse = parse
        self.required = required
        self.empty = empty
        self.format = format

    def process_formdata(self, valuelist: list[str]) -> None:
        """Parse the submitted text; a missing input counts as empty."""
        text = valuelist[0] if valuelist else ""
        self.data = None
        if text.strip():
            try:
                self.data = self.parse(text)
            except Invalid as error:
                raise ValueError(error.message) from None
        elif not self.required:
            self.data = self.empty

    def pre_validate(self, form: Any) -> None:  # noqa: ARG002 (WTForms' signature)
        """Refuse an empty input that is required."""
        if self.data is None and self.required and not self.process_errors:
            raise StopValidation(self.required)

    def _value(self) -> str:
        if self.raw_data:
            return str(self.raw_data[0])
        return "" if self.data is None else self.format(self.data)


def form_field(field: fields.Field[Any], **options: Any) -> ParsedField:
    """Return the input of an entity's field, prefilled with its default.

    Money is labelled '… (£)'. `options` are WTForms' own and win over those of the field.
    """
    label = f"{field.label} (£)" if isinstance(field, fields.Pounds) else field.label
    options = {"label": label, "default": field.default, **options}
    return ParsedField(
        parse=field.parse,
        required=field.required,
        empty=field.default,
        format=field.format,
        **options,
    )


class HiddenNumberField(HiddenField):
    """A hidden whole number; None when it is missing or was tampered with."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Parse the submitted number."""
        text = valuelist[0] if valuelist else ""
        self.data = int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None
