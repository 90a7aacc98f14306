"""The fields of JSON bodies and replies; each body field takes values of one JSON type."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, missing, validate

from app import dates, money, names
from app import fields as entity
from app.errors import Invalid, QuartermasterError

DAY_OR_MOMENT: Mapping[str, Any] = {"anyOf": [{"format": "date-time"}, {"format": "date"}]}
"""JSON Schema of a text that is a moment or a day."""


class FullMessage(str):
    """A message that is clear without the name of its field; others are shown behind it.

    'Amount must be at least 1' is one, 'Must be a whole number.' isn't. marshmallow's validators
    and fields format the messages they are given, so formatting keeps the type.
    """

    __slots__ = ()

    def format(self, *args: Any, **kwargs: Any) -> "FullMessage":
        """Return the message with values filled in."""
        return FullMessage(super().format(*args, **kwargs))


class JsonWholeNumber(fields.Integer):
    """A JSON integer: no boolean, fraction or text."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValidationError("Must be a whole number.")
        return super()._deserialize(value, *args, **kwargs)


class JsonFlag(fields.Boolean):
    """A JSON boolean."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise ValidationError("Must be true or false.")
        return super()._deserialize(value, *args, **kwargs)


_FLOAT_NOISE = 1e-6


class JsonPounds(fields.Float):
    """A JSON number of pounds, loaded as pence, whole but for what a sum of floats may be off."""

    def __init__(self, *, what: str = "Price", **options: Any) -> None:
        documented = {"minimum": 0, "maximum": money.MAX_PENCE / 100}
        options["metadata"] = {**documented, **options.get("metadata", {})}
        super().__init__(**options)
        self.what = what

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValidationError("Must be a number of pounds.")
        pounds = round(value, 2)
        if abs(value - pounds) > _FLOAT_NOISE:
            raise ValidationError(f"{self.what} must have at most 2 decimals.")
        # A whole number can be larger than any float.
        text = str(value) if isinstance(value, int) else f"{pounds:.2f}"
        return parse_value(partial(money.parse_pounds, what=self.what), text)


class JsonText(fields.String):
    """One line of text, trimmed; invisible characters are refused.

    With `required` an empty text is refused with `empty_message`, unless `may_be_empty`. Where
    null is allowed it is loaded as the default, as if the field were missing.
    """

    text_format: ClassVar = "one-line"
    clean: ClassVar[Callable[..., str]] = staticmethod(names.clean)

    def __init__(
        self,
        *,
        limit: int,
        what: str,
        may_be_empty: bool = False,
        empty_message: str | None = None,
        **options: Any,
    ) -> None:
        documented = {"format": self.text_format, "maxLength": limit}
        if options.get("required") and not may_be_empty:
            documented["minLength"] = 1
        options["metadata"] = {**documented, **options.get("metadata", {})}
        super().__init__(**options)
        self.limit = limit
        self.what = what
        self.may_be_empty = may_be_empty
        self.empty_message = FullMessage(empty_message or f"{what} is required")

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the text for a value; null is the default."""
        loaded = super().deserialize(value, *args, **kwargs)
        return self.load_default if loaded is None and self.load_default is not missing else loaded

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        cleaned = parse_value(partial(self.clean, limit=self.limit, what=self.what), text)
        if self.required and not cleaned and not self.may_be_empty:
            raise ValidationError(self.empty_message)
        return cleaned


class JsonLines(JsonText):
    """A text of several lines, each trimmed; invisible characters are removed."""

    text_format: ClassVar = "lines"
    clean: ClassVar[Callable[..., str]] = staticmethod(names.clean_lines)


class JsonChoice(fields.String):
    """The value of a member of an enum, loaded as the member."""

    def __init__(self, choice: entity.Choice[Any], **options: Any) -> None:
        options.setdefault("validate", validate.OneOf(json_choices(choice)))
        super().__init__(**options)
        self.kind = choice.kind

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the member with a value."""
        loaded = super().deserialize(value, *args, **kwargs)
        return self.kind(loaded) if isinstance(loaded, str) else loaded


class JsonDay(fields.Field[date]):
    """A day such as 2011-12-09, or a moment, of which the day in London counts; in a range."""

    documented: ClassVar[Mapping[str, Any]] = {"format": "date"}

    def __init__(
        self, *, days_ahead: int = 0, earliest: date = dates.EARLIEST_DAY, **options: Any
    ) -> None:
        documented = {"type": "string", **self.documented}
        options["metadata"] = {**documented, **options.get("metadata", {})}
        super().__init__(**options)
        self.days_ahead = days_ahead
        self.earliest = earliest

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> date:
        if not isinstance(value, str):
            raise ValidationError("Must be a day such as 2011-12-09.")
        if self.required and not value.strip():
            raise self.make_error("required")
        day: date = parse_value(self._parse_day, value)
        return day

    def _parse_day(self, text: str) -> date:
        return dates.check_day(
            parse_day_or_moment(text), days_ahead=self.days_ahead, earliest=self.earliest
        )


def json_field(field: entity.Field[Any], **options: Any) -> fields.Field[Any]:
    """Return the field of bodies for an entity's field, with its limits, messages and example.

    A missing value is refused with the field's `required` message, else it gets the default. Null
    is accepted if the default is None. `options` are marshmallow's, and override these.
    """
    defaults: dict[str, Any] = {"load_default": field.default, "allow_none": field.default is None}
    if field.required:
        defaults = {"required": True}
        if not isinstance(field, entity.Choice):
            defaults["error_messages"] = {"required": FullMessage(field.required)}
    metadata = {**documented(field), **options.get("metadata", {})}
    options = {**defaults, **options, "metadata": metadata}
    match field:
        case entity.Text():
            empty = field.required
            kind = JsonLines if isinstance(field, entity.Lines) else JsonText
            return kind(limit=field.limit, what=field.what, empty_message=empty, **options)
        case entity.WholeNumber():
            limits = [
                validate.Range(min=field.minimum, error=FullMessage(field.minimum_message)),
                validate.Range(max=field.maximum, error=FullMessage(field.maximum_message)),
            ]
            return JsonWholeNumber(**{"validate": limits, **options})
        case entity.Pounds():
            return JsonPounds(what=field.what, **options)
        case entity.Day():
            return JsonDay(earliest=field.earliest, days_ahead=field.days_ahead, **options)
        case entity.Flag():
            return JsonFlag(**options)
        case entity.Choice():
            return JsonChoice(field, **options)
    raise TypeError(f"{type(field).__name__} has no JSON field")


def json_choices(choice: entity.Choice[Any]) -> Sequence[str]:
    """Return the values to choose from in the order of the enum, whichever that of forms is."""
    return [member.value for member in choice.kind if member in choice.members]


def json_writer(field: entity.Field[Any]) -> Callable[[Any], Any] | None:
    """Return what converts values for JSON (pence to pounds, days to text), None for plain ones."""
    if isinstance(field, entity.Pounds):
        return lambda pence: None if pence is None else pence / 100
    if isinstance(field, entity.Day):
        return lambda day: None if day is None else day.isoformat()
    if isinstance(field, entity.Choice):
        return lambda member: None if member is None else member.value
    return None


def json_moment(moment: datetime | None) -> str | None:
    """Return a moment as replies have it, '2011-12-09T12:50:00Z', None for none."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}" if moment else None


@contextmanager
def rename_fields(names: Mapping[str, str]) -> Iterator[None]:
    """Give errors raised inside fields by JSON's names: those of `names`, else in camel case."""
    try:
        yield
    except QuartermasterError as error:
        error.fields = {
            names.get(field, entity.camel_case(field)): text for field, text in error.fields.items()
        }
        raise


def documented(field: entity.Field[Any]) -> dict[str, Any]:
    """Return the texts about an entity's field for the API's description."""
    about = {"example": field.example, "description": field.description}
    return {name: value for name, value in about.items() if value not in (None, "")}


def parse_day_or_moment(text: str) -> date:
    """Return a day, or the London day of a moment such as 2011-12-09T12:00:00Z; raises Invalid."""
    if len(text) <= len("2011-12-09"):
        return dates.parse_day(text)
    try:
        moment = datetime.fromisoformat(text)
        return dates.london_day(moment) if moment.tzinfo else moment.date()
    except (ValueError, OverflowError):
        raise Invalid(f'"{text[:40]}" is not a date like 2011-12-09') from None


class JsonMoment(JsonDay):
    """A moment that isn't in the future, or a day such as 2011-12-09, loaded as noon in London.

    The day of today is loaded as now. So is a moment later today, since clocks differ.
    """

    documented: ClassVar = DAY_OR_MOMENT

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> datetime:
        day: date = super()._deserialize(value, *args, **kwargs)
        if len(value) <= len("2011-12-09"):
            now = dates.utc_now()
            return now if day == dates.london_day(now) else dates.noon_in_london(day)
        moment = datetime.fromisoformat(value)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=dates.LONDON)
        return min(aware.astimezone(UTC), dates.utc_now())


def parse_value(parse: Callable[[str], Any], text: str) -> Any:
    """Return the result of a parser of texts. Its Invalid becomes marshmallow's ValidationError."""
    try:
        return parse(text)
    except Invalid as error:
        raise ValidationError(FullMessage(error.message)) from None
