"""Fields of the entities: each defined once, for forms, JSON bodies and CSV files.

`app.web.form_fields`, `app.api.fields` and `app.tables.cells` derive their fields from these.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import MISSING, dataclass
from dataclasses import field as dataclass_field
from dataclasses import fields as dataclass_fields
from datetime import date
from typing import Any, Generic, TypeVar

from app import dates, money, names
from app.errors import Invalid

Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class Field(ABC, Generic[Value]):
    """A field of an entity: its names, its limits and its messages.

    Attributes:
        name: The attribute that holds its value.
        json: Its name in JSON and its column in CSV files; `name` unless given.
        aliases: Other names that JSON and CSV files accept for `json`.
        label: Its label in forms.
        what: What error messages call it; `label` unless given.
        required: The message for a field that is left empty; None if that is allowed.
        default: The value of a field that is left empty or missing.
        example: An example for the API's description, as JSON has it.
        description: What the API's description says about it.
    """

    name: str
    json: str = ""
    aliases: tuple[str, ...] = ()
    label: str
    what: str = ""
    required: str | None = None
    default: Value | None = None
    example: Any = None
    description: str = ""

    def __post_init__(self) -> None:
        """Fill in the names that are the same as others."""
        object.__setattr__(self, "json", self.json or self.name)
        object.__setattr__(self, "what", self.what or self.label)

    def parse(self, text: str) -> Value | None:
        """Return the value that a text stands for, the default for an empty text.

        Raises Invalid.
        """
        value = self.parse_filled(text) if text.strip() else None
        if value is not None and value != "":
            return value
        if self.required:
            raise Invalid(self.required)
        return self.default

    @abstractmethod
    def parse_filled(self, text: str) -> Value:
        """Return the value of a text that isn't empty. Raises Invalid."""

    def format(self, value: Value | None) -> str:
        """Return a value as plain text, as forms and CSV files show it."""
        return "" if value is None else str(value)


@dataclass(frozen=True, kw_only=True)
class Text(Field[str]):
    """One line of trimmed text with at most `limit` characters."""

    limit: int
    default: str = ""

    def parse_filled(self, text: str) -> str:
        """Return the trimmed text. Raises Invalid when it is too long or not printable."""
        return names.clean(text, limit=self.limit, what=self.what)


@dataclass(frozen=True, kw_only=True)
class Lines(Text):
    """A text of several lines with at most `limit` characters."""

    def parse_filled(self, text: str) -> str:
        """Return the text with each line trimmed. Raises Invalid when it is too long."""
        return names.clean_lines(text, limit=self.limit, what=self.what)


@dataclass(frozen=True, kw_only=True)
class WholeNumber(Field[int]):
    """A whole number from `minimum` to `maximum`.

    `range_message` is one message for both limits; without it each limit has its own.
    """

    minimum: int = 0
    maximum: int = money.MAX_AMOUNT
    range_message: str | None = None

    @property
    def minimum_message(self) -> str:
        """Return the message for a number below the minimum."""
        minimum = money.format_number(self.minimum)
        return self.range_message or f"{self.what} must be at least {minimum}"

    @property
    def maximum_message(self) -> str:
        """Return the message for a number above the maximum."""
        maximum = money.format_number(self.maximum)
        return self.range_message or f"{self.what} must be at most {maximum}"

    def parse_filled(self, text: str) -> int:
        """Return the number. Raises Invalid for any other text and beyond the limits."""
        number = money.parse_whole_number(text)
        if number < self.minimum:
            raise Invalid(self.minimum_message)
        if number > self.maximum:
            raise Invalid(self.maximum_message)
        return number


@dataclass(frozen=True, kw_only=True)
class Pounds(Field[int]):
    """An amount of money: pounds in texts and JSON, pence as a value; never negative."""

    def parse_filled(self, text: str) -> int:
        """Return the amount in pence. Raises Invalid."""
        return money.parse_pounds(text, what=self.what)

    def format(self, value: int | None) -> str:
        """Return pence as '1234.50'."""
        return "" if value is None else money.plain_pounds(value)


@dataclass(frozen=True, kw_only=True)
class Day(Field[date]):
    """A day from `earliest` until `days_ahead` days after today; '2011-12-09' as text."""

    earliest: date = dates.EARLIEST_DAY
    days_ahead: int = 0

    def parse_filled(self, text: str) -> date:
        """Return the day. Raises Invalid for any other text and beyond the limits."""
        day = dates.parse_day(text)
        return dates.check_day(day, days_ahead=self.days_ahead, earliest=self.earliest)


def attribute(field: Field[Value]) -> Value:
    """Return the attribute of a frozen dataclass that holds the values of a field.

    It has the field's default, or none where the field is required. `fields_of` finds the field.
    """
    default: Any = MISSING if field.required else field.default
    value: Value = dataclass_field(default=default, metadata={"field": field})
    return value


def fields_of(entity: type[Any]) -> dict[str, Field[Any]]:
    """Return the fields of a dataclass whose attributes are made by `attribute`, by name."""
    return {each.name: each.metadata["field"] for each in dataclass_fields(entity)}


def aliases_of(fields: Iterable[Field[Any]]) -> dict[str, str]:
    """Return the JSON name that each alias of these fields stands for."""
    return {alias: field.json for field in fields for alias in field.aliases}
