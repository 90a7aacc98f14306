"""Fields of the entities: each defined once, for forms, JSON bodies and CSV files.

`app.web.form_fields`, `app.api.fields` and `app.tables.cells` derive their fields from these.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, replace
from dataclasses import field as dataclass_field
from dataclasses import fields as dataclass_fields
from datetime import date, datetime
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

from app import dates, money, names
from app.errors import Invalid

Value = TypeVar("Value")
Computed = TypeVar("Computed")
State = TypeVar("State")


class LabelledEnum(StrEnum):
    """An enum of members with a label and a badge's CSS class: `STOP = "stop", "Stop", "bad"`."""

    label: str
    tone: str

    def __new__(cls, value: str, label: str = "", tone: str = "") -> Self:
        """Return a member with its value, label and tone."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        member.tone = tone
        return member


Member = TypeVar("Member", bound=LabelledEnum)


@dataclass(frozen=True, kw_only=True)
class Field(ABC, Generic[Value]):
    """A field of an entity: its names, its limits and its messages.

    Attributes:
        name: The attribute that holds its value; `attribute` gives it.
        json: Its name in JSON and its column in CSV files; `name` in camel case unless given.
        aliases: Other names that JSON and CSV files accept for `json`.
        label: Its label in forms; the words of `name` unless given.
        what: What error messages call it; `label` unless given.
        required: The message for a field that is left empty; None if that is allowed.
        default: The value of a field that is left empty or missing.
        example: An example for the API's description, as JSON has it.
        description: What the API's description says about it.
    """

    sort_kind: ClassVar[str] = "text"
    """The kind of its values that app.sorting orders."""

    name: str = ""
    json: str = ""
    aliases: tuple[str, ...] = ()
    label: str = ""
    what: str = ""
    required: str | None = None
    default: Value | None = None
    example: Any = None
    description: str = ""

    def __post_init__(self) -> None:
        """Fill in the names that follow from others."""
        object.__setattr__(self, "json", self.json or camel_case(self.name))
        label = self.label or self.name.replace("_", " ").capitalize()
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "what", self.what or self.label)

    def parse(self, text: str) -> Value | None:
        """Return the value of a text, the default for an empty one. Raises Invalid."""
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

    def show(self, value: Value | None) -> str:
        """Return a value as people read it, '' for none."""
        return self.format(value)


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
    """A whole number in a range; `range_message` replaces the messages of both limits."""

    sort_kind = "number"

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

    def show(self, value: int | None) -> str:
        """Return the number as '48,210'."""
        return "" if value is None else money.format_number(value)


@dataclass(frozen=True, kw_only=True)
class Pounds(Field[int]):
    """An amount of money: pounds in texts and JSON, pence as a value; never negative."""

    sort_kind = "number"

    def parse_filled(self, text: str) -> int:
        """Return the amount in pence. Raises Invalid."""
        return money.parse_pounds(text, what=self.what)

    def format(self, value: int | None) -> str:
        """Return pence as '1234.50'."""
        return "" if value is None else money.plain_pounds(value)

    def show(self, value: int | None) -> str:
        """Return pence as '£1,234.50'."""
        return "" if value is None else money.format_pence(value)


@dataclass(frozen=True, kw_only=True)
class Day(Field[date]):
    """A day from `earliest` until `days_ahead` days after today; '2011-12-09' as text."""

    sort_kind = "day"

    earliest: date = dates.EARLIEST_DAY
    days_ahead: int = 0

    def parse_filled(self, text: str) -> date:
        """Return the day. Raises Invalid for any other text and beyond the limits."""
        day = dates.parse_day(text)
        return dates.check_day(day, days_ahead=self.days_ahead, earliest=self.earliest)

    def show(self, value: date | None) -> str:
        """Return the day as '9 Dec 2011'."""
        return "" if value is None else dates.format_day(value)


@dataclass(frozen=True, kw_only=True)
class Moment(Field[datetime]):
    """A time until now, in UTC; a day, a London time or one with an offset as text.

    `to_text` writes it.
    """

    sort_kind = "day"

    to_text: Callable[[datetime], str]

    def parse_filled(self, text: str) -> datetime:
        """Return the time. Raises Invalid for any other text and for a future one."""
        return dates.parse_moment(text)

    def format(self, value: datetime | None) -> str:
        """Return the time as `to_text` writes it."""
        return "" if value is None else self.to_text(value)


@dataclass(frozen=True, kw_only=True)
class Flag(Field[bool]):
    """Whether something is so; 'yes' or 'no' as text."""

    default: bool = False

    def parse_filled(self, text: str) -> bool:
        """Return whether a text says yes. Raises Invalid unless it says yes or no."""
        if text.strip().lower() not in ("yes", "no"):
            raise Invalid(f'"{text[:40]}" is neither yes nor no')
        return text.strip().lower() == "yes"

    def format(self, value: bool | None) -> str:
        """Return 'yes' or 'no'."""
        return "yes" if value else "no"


@dataclass(frozen=True, kw_only=True)
class Choice(Field[Member]):
    """A member of an enum, among those `offered`, else all.

    `none` is what people read for no member, `refusal` the message of forms for anything else.
    """

    kind: type[Member]
    offered: Sequence[Member] | None = None
    none: str = ""
    refusal: str = "Not a valid choice."

    @property
    def members(self) -> Sequence[Member]:
        """Return the members to choose from."""
        return tuple(self.kind) if self.offered is None else self.offered

    @property
    def options(self) -> Sequence[tuple[str, str]]:
        """Return value and label of each choice; the value of `none` is empty."""
        members = [(member.value, member.label) for member in self.members]
        return [("", self.none), *members] if self.none else members

    def member(self, value: Any) -> Member | None:
        """Return the member with a value, None for any other."""
        return self.kind(value) if value in set(self.kind) else None

    def parse_filled(self, text: str) -> Any:
        """Return the member with a value or label, None for `none`. Raises Invalid."""
        plain = text.strip().lower()
        for member in self.members:
            if plain in (member.value, member.label.lower()):
                return member
        if self.none and plain == self.none.lower():
            return None
        values = ", ".join(member.value for member in self.members)
        raise Invalid(f'"{text[:40]}" is none of {values}')

    def show(self, value: Member | None) -> str:
        """Return the label."""
        return self.none if value is None else value.label


def attribute(field: Field[Value], **default: Any) -> Value:
    """Return a dataclass's attribute of a field's values, with its default unless required."""
    default = {"default": MISSING if field.required else field.default} | default
    value: Value = dataclass_field(**default, metadata={"field": field})
    return value


def once_per_state(compute: Callable[[type[Any]], Computed]) -> Callable[[type[Any]], Computed]:
    """Return a function that computes something of a dataclass once and keeps it."""
    return cast(Callable[[type[Any]], Computed], cache(compute))


@once_per_state
def fields_of(state: type[Any]) -> Mapping[str, Field[Any]]:
    """Return the fields of a dataclass whose attributes are made by `attribute`, by name."""
    found = {each.name: each.metadata.get("field") for each in dataclass_fields(state)}
    return {name: replace(field, name=name) for name, field in found.items() if field}


def values_of(state: Any) -> dict[str, Any]:
    """Return the values of a state's fields by name, as its model takes them."""
    return {name: getattr(state, name) for name in fields_of(type(state))}


def state_of(state: type[State], row: object, **others: Any) -> State:
    """Return a state from a row with its fields; `others` are values that the row lacks."""
    values = {name: getattr(row, name) for name in fields_of(state) if hasattr(row, name)}
    return state(**values | others)


def camel_case(name: str) -> str:
    """Return the name in JSON of an attribute, or of its path: 'stockParts.0.item'."""
    return re.sub("(?<=[a-z0-9])_([a-z])", lambda match: match[1].upper(), name)


def aliases_of(fields: Iterable[Field[Any]]) -> dict[str, str]:
    """Return the JSON name that each alias of these fields stands for."""
    return {alias: field.json for field in fields for alias in field.aliases}
