"""The filters of lists and their calls: their names, their parsing, and their conditions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import InstrumentedAttribute

from app import dates, names
from app.db import db
from app.search import contains_words, distinct_values

Conditions = Sequence[ColumnElement[bool]]

MAX_QUOTED_LENGTH = 40
"""How many characters of a wrong value its message repeats."""

Problems = dict[str, str]
"""The errors in the arguments of an address, by their names."""


@dataclass(frozen=True, kw_only=True)
class Filter(ABC):
    """A filter of a list.

    Attributes:
        name: Its name in addresses, and in calls unless `in_call` is given.
        on_screen: Whether the list's page has it; the call has all.
        refusal: The message about a value that isn't a choice, which stands at its {}.
        parameter: The field of its argument in calls; made from `json_schema` unless given.
    """

    control: ClassVar[str]
    """The macro of templates/records/_controls.html that shows it."""

    name: str
    label: str = ""
    in_call: str = ""
    on_screen: bool = True
    description: str = ""
    example: str = ""
    refusal: str = ""
    parameter: Any = None

    @property
    def arguments(self) -> Sequence[str]:
        """Return the names of its arguments in addresses."""
        return [self.name]

    @property
    def calls(self) -> Mapping[str, str]:
        """Return its arguments: their names in addresses by their names in calls."""
        return {self.in_call: self.name} if self.in_call else {n: n for n in self.arguments}

    @property
    def json_schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of its argument in calls."""
        return {}

    def parse(self, values: Mapping[str, str], problems: Problems) -> Any:  # noqa: ARG002
        """Return the value of its arguments; add their errors to `problems`."""
        return values[self.name]

    def check(self, value: Any) -> str:  # noqa: ARG002
        """Return the page's message about a wrong value, or ''; the call finds no rows for it."""
        return ""

    @abstractmethod
    def where(self, value: Any, *, by_row: bool = False) -> Conditions:
        """Return the conditions of matching rows; `by_row` tests each row without an index."""


@dataclass(frozen=True, kw_only=True)
class Search(Filter):
    """Words of a row. `refer` returns the conditions of a text that names rows, else None."""

    control = "search"

    name: str = "q"
    in_call: str = "search"
    description: str = "Words that a row contains, in any order"
    example: str = "mirror"
    column: InstrumentedAttribute[str]
    refer: Callable[[str], Conditions | None] = lambda _: None
    hint: str = ""

    def where(self, value: str, *, by_row: bool = False) -> Conditions:
        """Return the conditions that a row contains every word, or is named."""
        named = self.refer(value)
        return contains_words(self.column, value, by_row=by_row) if named is None else named


class DayRange(NamedTuple):
    """A range of days; an open end is None."""

    start: date | None = None
    end: date | None = None


DAY_SCHEMA: Mapping[str, Any] = {"format": "date", "maxLength": len("2026-01-15")}
"""The JSON Schema of a day in calls."""


@dataclass(frozen=True, kw_only=True)
class OnDays(Filter):
    """A range of days, both included, by the arguments `from` and `to`, or the word in `range`.

    The column has days, or with `is_moment` moments.
    """

    control = "days"

    name: str = "days"
    description: str = "A day, included"
    example: str = "2026-01-15"
    column: InstrumentedAttribute[Any]
    is_moment: bool = False

    @property
    def arguments(self) -> Sequence[str]:
        """Return both ends of the range, and its word."""
        return ["from", "to", dates.RANGE]

    @property
    def json_schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of a day."""
        return DAY_SCHEMA

    def parse(self, values: Mapping[str, str], problems: Problems) -> DayRange:
        """Return the days; a wrong one is left open."""
        start, end, found = dates.parse_range(values)
        problems |= found
        return DayRange(start, end)

    def where(self, value: DayRange, *, by_row: bool = False) -> Conditions:  # noqa: ARG002
        """Return the conditions that a row's day is in the range."""
        found: list[ColumnElement[bool]] = []
        if value.start:
            start = dates.start_of_day(value.start) if self.is_moment else value.start
            found.append(self.column >= start)
        if value.end:
            is_by_end = self.column < dates.end_of_day(value.end)
            found.append(is_by_end if self.is_moment else self.column <= value.end)
        return found


@dataclass(frozen=True, kw_only=True)
class OneOf(Filter):
    """A choice of few; `conditions` returns the conditions of rows that match it.

    `choices` are values with their texts. Without a `refusal` any other value filters nothing on a
    page; calls refuse it.
    """

    control = "choice"

    choices: Mapping[str, str]
    conditions: Callable[[str], Conditions]
    none: str = ""

    @property
    def json_schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of the choices."""
        return {"enum": list(self.choices)}

    def parse(self, values: Mapping[str, str], problems: Problems) -> str:
        """Return the choice, '' for a wrong one."""
        if (value := values[self.name]) in self.choices:
            return value
        problems[self.name] = self.refusal.format(value[:MAX_QUOTED_LENGTH])
        return ""

    def where(self, value: str, *, by_row: bool = False) -> Conditions:  # noqa: ARG002
        """Return the conditions of the choice."""
        return self.conditions(value) if value else []


@dataclass(frozen=True, kw_only=True)
class Matching(Filter):
    """A text that rows have; `conditions` takes it, and whether each row is tested by itself."""

    control = "values"

    conditions: Callable[[str, bool], Conditions]

    def where(self, value: str, *, by_row: bool = False) -> Conditions:
        """Return the conditions of the rows that have the text."""
        return self.conditions(value, by_row)


@dataclass(frozen=True, kw_only=True)
class Values(Filter):
    """A used value of a text column."""

    control = "values"

    column: InstrumentedAttribute[str]
    none: str = ""

    def in_use(self, scope: Conditions) -> Sequence[str]:
        """Return the values of rows that meet conditions, in alphabetical order."""
        found = distinct_values(self.column, *scope, self.column > "")
        values = select(found.c.value).where(found.c.value.is_not(None))
        return sorted(db.session.execute(values).scalars(), key=names.key)

    def where(self, value: str, *, by_row: bool = False) -> Conditions:  # noqa: ARG002
        """Return the condition that a row has the value."""
        return [self.column == value]
