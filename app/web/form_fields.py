"""Inputs of forms: they parse text into values and carry the messages for wrong ones."""

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from functools import partial
from typing import Any, TypeVar

from wtforms import BooleanField, Field, HiddenField, SelectChoice, SelectField
from wtforms.fields.core import UnboundField
from wtforms.validators import StopValidation
from wtforms.widgets import TextArea, TextInput

from app import dates, fields, money, names
from app.errors import Invalid
from app.names import Resembling
from app.web.forms import Form

FormType = TypeVar("FormType", bound=type[Any])

Names = Callable[[str], Iterable[str]]
"""Returns the names in use that a typed one may stand for."""


class ParsedField(Field):
    """A text input whose data is the parsed value, `empty` for no text unless it is `required`.

    A form asks whether a name is new that resembles `existing` ones. With `takes_spelling` an equal
    name gets the spelling of the existing one.
    """

    widget = TextInput()
    question: Resembling | None = None

    def __init__(
        self,
        label: str,
        parse: Callable[[str], Any],
        *,
        required: str | None = None,
        empty: Any = None,
        format: Callable[[Any], str] = str,  # noqa: A002 (the name of app.fields)
        attributes: Callable[[], Mapping[str, str]] = dict,
        is_money: bool = False,
        existing: Names | None = None,
        takes_spelling: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(label, **options)
        self.is_money = is_money
        self.existing = existing
        self.takes_spelling = takes_spelling
        self.data: Any = None
        self.parse = parse
        self.required = required
        self.empty = empty
        self.format = format
        self._attributes = attributes

    @property
    def attributes(self) -> Mapping[str, str]:
        """Return its kind and its limits as attributes; a script names problems during typing."""
        return self._attributes()

    def process_formdata(self, valuelist: list[str]) -> None:
        """Parse the submitted text; a missing input counts as empty.

        The last one counts: a button that answers the form's question sends the field's name, too.
        """
        text = valuelist[-1] if valuelist else ""
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
            return str(self.raw_data[-1])
        return "" if self.data is None else self.format(self.data)


class ChoiceField(SelectField):
    """A choice of a member of an enum; its data is the member, None for none."""

    def __init__(self, label: str, choice: fields.Choice[Any], **options: Any) -> None:
        options.setdefault("choices", [SelectChoice(*option) for option in choice.options])
        super().__init__(label, coerce=choice.member, validate_choice=False, **options)
        self.choice = choice

    def offer(self, members: Iterable[Any]) -> None:
        """Offer these members alone."""
        self.choice = dataclasses.replace(self.choice, offered=tuple(members))
        self.choices = [SelectChoice(*option) for option in self.choice.options]

    def pre_validate(self, form: Any) -> None:  # noqa: ARG002 (WTForms' signature)
        """Refuse a value that isn't offered."""
        sent = self.raw_data[0] if self.raw_data else self.data
        if sent not in [value for value, _ in self.choice.options]:
            raise StopValidation(self.choice.refusal)


def form_field(field: fields.Field[Any], **options: Any) -> Field:
    """Return the input of an entity's field, prefilled with its default; `options` override it."""
    label = f"{field.label} (£)" if isinstance(field, fields.Pounds) else field.label
    options = {"label": label, "default": field.default, **options}
    match field:
        case fields.Flag():
            return BooleanField(**options)
        case fields.Choice():
            return ChoiceField(choice=field, **options)
        case fields.Lines():
            options.setdefault("widget", TextArea())
    return ParsedField(
        parse=partial(_parse_day, field) if isinstance(field, fields.Day) else field.parse,
        required=field.required,
        empty=field.default,
        format=field.format,
        attributes=partial(_attributes, field),
        is_money=isinstance(field, fields.Pounds),
        **options,
    )


def inputs_of(state: type[Any], *, without: Collection[str] = ()) -> Callable[[FormType], FormType]:
    """Return a decorator that gives a form an input for each field of a state, in their order.

    An input that the form declares itself takes the place of its attribute; all others follow.
    The form makes a state of its values, unless it is `without` one that has no default. An input
    is named like its attribute, or as the form's `error_field_names` say.
    """

    def add(form: FormType) -> FormType:
        own = {name: each for name, each in vars(form).items() if isinstance(each, UnboundField)}
        needed = set()
        for attribute in dataclasses.fields(state):
            name = attribute.name
            called = form.error_field_names.get(name, name)
            if called in own:
                _place_last(own.pop(called))
            elif name in fields.fields_of(state) and name not in without:
                setattr(form, called, form_field(fields.fields_of(state)[name]))
            if attribute.default is dataclasses.MISSING:
                needed.add(name)
        for declared in own.values():
            _place_last(declared)
        form.state_type = None if needed.intersection(without) else state
        return form

    return add


def _place_last(field: UnboundField) -> None:
    UnboundField.creation_counter += 1
    field.creation_counter = UnboundField.creation_counter


def _parse_day(field: fields.Day, text: str) -> date | None:
    """Return a submitted day; users who pick one don't know the format of files."""
    try:
        dates.parse_day(text)
    except Invalid:
        raise Invalid("Enter a date such as 9 December 2011.") from None
    return field.parse(text)


def _attributes(field: fields.Field[Any]) -> Mapping[str, str]:
    match field:
        case fields.Text():
            return {
                "data-limit": str(field.limit),
                "data-high": names.describe_length(field.limit, field.what),
            }
        case fields.WholeNumber():
            return {
                "inputmode": "numeric",
                "autocomplete": "off",
                "data-min": str(field.minimum),
                "data-low": field.minimum_message,
                "data-max": str(field.maximum),
                "data-high": field.maximum_message,
            }
        case fields.Pounds():
            return {
                "inputmode": "decimal",
                "autocomplete": "off",
                "data-low": money.describe_low_price(field.what),
                "data-pence": str(money.MAX_PENCE),
                "data-high": money.describe_high_price(field.what),
            }
        case fields.Day():
            last = dates.last_day(field.days_ahead)
            return {
                "type": "date",
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


class RevisionForm(Form):
    """A form about a record as it was displayed."""

    revision = HiddenNumberField()


def form_of(state: type[Any], *, without: Collection[str] = (), **inputs: Any) -> type[Form]:
    """Return the form of a state, with `inputs` as `inputs_of` has them, and a revision.

    It adds a record, or gives one other values.
    """
    made = type(f"{state.__name__}Form", (RevisionForm,), inputs)
    return inputs_of(state, without=without)(made)
