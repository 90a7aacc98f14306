"""Inputs of forms: they parse text into values and carry the messages for what is wrong."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Any

from wtforms import Field, HiddenField
from wtforms.validators import StopValidation
from wtforms.widgets import TextInput

from app import dates, fields, money, names
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
        limits: Callable[[], Mapping[str, str]] = dict,
        **options: Any,
    ) -> None:
        super().__init__(label, **options)
        self.data: Any = None
        self.parse = parse
        self.required = required
        self.empty = empty
        self.format = format
        self._limits = limits

    @property
    def limits(self) -> Mapping[str, str]:
        """Return its limits as attributes, by which a script names a problem while it is typed."""
        return self._limits()

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
        parse=partial(_parse_day, field) if isinstance(field, fields.Day) else field.parse,
        required=field.required,
        empty=field.default,
        format=field.format,
        limits=partial(_limits, field),
        **options,
    )


def _parse_day(field: fields.Day, text: str) -> date | None:
    """Return a submitted day; who picks one in a form doesn't know how it is written in files."""
    try:
        dates.parse_day(text)
    except Invalid:
        raise Invalid("Enter a date such as 9 December 2011.") from None
    return field.parse(text)


def _limits(field: fields.Field[Any]) -> Mapping[str, str]:
    """Return a field's limits, and the messages beyond them, as `forms/limits.ts` reads them."""
    match field:
        case fields.Text():
            return {
                "data-limit": str(field.limit),
                "data-high": names.describe_length(field.limit, field.what),
            }
        case fields.WholeNumber():
            return {
                "data-min": str(field.minimum),
                "data-low": field.minimum_message,
                "data-max": str(field.maximum),
                "data-high": field.maximum_message,
            }
        case fields.Pounds():
            return {
                "data-low": money.describe_low_price(field.what),
                "data-pence": str(money.MAX_PENCE),
                "data-high": money.describe_high_price(field.what),
            }
        case fields.Day():
            last = dates.last_day(field.days_ahead)
            return {
                "min": field.earliest.isoformat(),
                "data-low": dates.describe_early(field.earliest),
                "max": last.isoformat(),
                "data-high": dates.describe_late(field.days_ahead),
            }
    return {}


class HiddenNumberField(HiddenField):
    """A hidden whole number; None when it is missing or was tampered with."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Parse the submitted number."""
        text = valuelist[0] if valuelist else ""
        self.data = int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None

    @property
    def sent(self) -> int:
        """Return the number; -1 for a missing one, which no revision or amount is."""
        return -1 if self.data is None else self.data
