"""The columns of people's tables: which of ours they are, and their cells in our spelling.

A table whose header is ours is read literally.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from app.fields import Day, Field, Moment, Pounds, Text, WholeNumber
from app.tables.sheets import COMPARED_ROWS, Sheet

Fields = Mapping[str, Field[Any] | None]
"""Our columns by name, with the kinds of their values; None for texts that stay as they are."""

NO_VALUE = {"n/a", "na", "-", "–", "none", "null", "#n/a"}
SUMS = {"total", "totals", "sum", "grand total"}
UNIT = "unit"
"""Our column of units; in a table that lacks it, amounts such as '6 packs' have them."""

_FIRST_SERIAL = date(1899, 12, 30)
_SERIAL = re.compile(r"[1-9]\d{4}(\.\d+)?", re.ASCII)
_DAY = re.compile(r"(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4}|\d\d)( .*)?", re.ASCII)
_MONTH_NAMES = ("%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d, %Y", "%B %d, %Y")
_POUNDS = re.compile(r"[£\s]|GBP")
_MEASURED = re.compile(r"(.*\d)\s+(?:per )?([^\W\d_]\D*)")
_DECIMAL_COMMA = re.compile(r"-?(\d+|\d{1,3}(\.\d{3})+),\d+", re.ASCII)
_DECIMAL_POINT = re.compile(r"-?(\d+|\d{1,3}(,\d{3})+)\.\d+", re.ASCII)
_GROUPED = re.compile(r"-?\d{1,3}[.,]\d{3}", re.ASCII)
_NUMBER = re.compile(r"(-?(?:\d+|\d{1,3}(?:,\d{3})+))(?:\.0+|(\.\d+))?", re.ASCII)
_SWAPPED_SIGNS = str.maketrans(".,", ",.")


def column_key(name: str) -> str:
    """Return the key by which two names of columns are equal: their letters and digits."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(character for character in plain if character.isalnum())


@dataclass(frozen=True)
class Plan:
    """How a table is read.

    Attributes:
        header: The number of the header's row.
        names: The names of its columns in the file, with their places where they are no name.
        columns: Our names of its columns, '' for columns that are left out.
        is_literal: Whether its header is ours, so that nothing in its cells is guessed.
        day_first: Whether 3/2/2026 is in February.
        decimal: The decimal sign of numbers.
        measured: Our column whose numbers have their units beside them, '' for none.
        repeated: The names of further columns for ours, with ours; the first filled one is taken.
        day_problem: What is wrong with the file's days if no order fits all of them, else ''.
    """

    header: int
    names: Sequence[str]
    columns: Sequence[str]
    is_literal: bool = False
    day_first: bool = True
    decimal: str = "."
    measured: str = ""
    repeated: Mapping[str, str] = field(default_factory=dict)
    day_problem: str = ""

    @property
    def filled(self) -> Sequence[str]:
        """Return our columns that the table has."""
        return [*filter(None, self.columns), *([UNIT] if self.measured else [])]

    @property
    def ignored(self) -> Sequence[str]:
        """Return the names of the columns that aren't ours."""
        pairs = zip(self.names, self.columns, strict=True)
        return [name for name, column in pairs if not column and name not in self.repeated]


@dataclass(frozen=True)
class Choices:
    """What a person chose instead of what was recognised; None and '' for nothing.

    `columns` are our names of columns by their names in the file.
    """

    header: int | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    day_first: bool | None = None
    decimal: str = ""


RECOGNISED = Choices()
NO_NAMES: Mapping[str, str] = {}


def plan_of(
    sheet: Sheet,
    fields: Fields,
    aliases: Mapping[str, str] = NO_NAMES,
    synonyms: Mapping[str, str] = NO_NAMES,
    choices: Choices = RECOGNISED,
) -> Plan:
    """Recognise the columns of a table.

    `aliases` are further names of ours, `synonyms` names that other tools use, both with our
    columns; '' leaves a column out. Raises Invalid for a row that isn't complete.
    """
    # All rows, so that one that isn't complete is refused at once.
    first = [row for n, row in enumerate(sheet) if n < COMPARED_ROWS or row[0] == choices.header]
    ours = {**dict(zip(fields, fields, strict=True)), **aliases}
    by_key = {column_key(name): column for name, column in {**ours, **synonyms}.items()}
    keys = {key for key, column in by_key.items() if column}
    found = [(line, [cell.strip() for cell in row]) for line, row in first]
    headers = [row for row in found if choices.header in (None, row[0])]
    named = (row for row in headers if len({*map(column_key, row[1])} & keys) > 1)
    header, texts = next(named, headers[0] if headers else (0, []))
    is_ours = {*texts} <= {*ours}
    if is_ours and choices == Choices(choices.header):
        columns = [ours[each] for each in texts]
        return _taking_first(Plan(header, texts, columns, is_literal=True), sheet)
    recognised = [by_key.get(column_key(each), "") for each in texts]
    names = _distinct(texts)
    chosen = {*choices.columns.values()}
    columns = [
        choices.columns.get(name, "" if column in chosen else column)
        for name, column in zip(names, recognised, strict=True)
    ]
    plan = _recognise_cells(sheet, _taking_first(Plan(header, names, columns), sheet), fields)
    day_first = plan.day_first if choices.day_first is None else choices.day_first
    return replace(plan, day_first=day_first, decimal=choices.decimal or plan.decimal)


def _distinct(texts: Sequence[str]) -> Sequence[str]:
    first: dict[str, int] = {}
    return [
        text if text and first.setdefault(text, n) == n else f"{text or 'Column'} {n}"
        for n, text in enumerate(texts, 1)
    ]


def _taking_first(plan: Plan, sheet: Sheet) -> Plan:
    """Return the plan with each of our columns once: the first of the file's that is filled."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, column in enumerate(plan.columns):
        if column:
            places[column].append(place)
    several = [place for each in places.values() if len(each) > 1 for place in each]
    filled: set[int] = set()
    for line, row in sheet if several else ():
        if line > plan.header:
            filled.update(each for each in several if "".join(row[each : each + 1]).strip())
    taken = {
        next((each for each in found if each in filled), found[0]) for found in places.values()
    }
    columns = [each if place in taken else "" for place, each in enumerate(plan.columns)]
    pairs = zip(plan.names, plan.columns, columns, strict=True)
    repeated = {name: column for name, column, first in pairs if column and not first}
    return replace(plan, columns=columns, repeated=repeated)


def _recognise_cells(sheet: Sheet, plan: Plan, fields: Fields) -> Plan:
    """Return the plan with the order of days and the decimal sign of the cells."""
    kinds = [fields.get(column) for column in plan.columns]
    read = [
        n for n, kind in enumerate(kinds) if isinstance(kind, Day | Moment | Pounds | WholeNumber)
    ]
    # Most cells of a column recur; a dict keeps their order.
    cells: dict[int, dict[str, None]] = {place: {} for place in read}
    for _, row in _body(sheet, plan):
        for place in read:
            cells[place].update(dict.fromkeys(row[place : place + 1]))
    days, numbers, measured = [], [], ""
    has_units = UNIT in fields and UNIT not in plan.columns
    for place, texts in cells.items():
        kind = kinds[place]
        for text in map(str.strip, texts):
            if isinstance(kind, Day | Moment):
                days.append(_DAY.fullmatch(text))
                continue
            match = _MEASURED.fullmatch(text) if has_units else None
            measured = plan.columns[place] if match and isinstance(kind, WholeNumber) else measured
            numbers.append(_POUNDS.sub("", match[1] if match else text).strip("()-"))
    # A number of a workbook has a point, and no signs between its thousands.
    plain = [
        number
        for number in numbers
        if not _GROUPED.fullmatch(number) or (sheet.sheets and "." in number)
    ]
    commas, points = (
        sum(map(bool, map(sign.fullmatch, plain))) for sign in (_DECIMAL_COMMA, _DECIMAL_POINT)
    )
    day_first, month_first = (
        next((day[0] for day in days if day and int(day[place]) > 12), "") for place in (1, 2)
    )
    problem = f"{day_first} and {month_first} can't both be right."
    return replace(
        plan,
        day_first=not month_first or bool(day_first),
        decimal="," if commas > points else ".",
        measured=measured,
        day_problem=problem if day_first and month_first else "",
    )


class PreparedRow(NamedTuple):
    """A row by our columns, with its number and the number of its cells in the file."""

    line: int
    values: Mapping[str, str]
    width: int


@dataclass(frozen=True)
class Prepared:
    """A table with our columns and cells in our spelling, which are converted as they are read.

    `required` and `optional` are our columns that it has to have, and may have. `mends` are cells
    by the numbers of rows and our columns, which replace those of the file; `left_out` are the
    numbers of rows that aren't read; without `accepts_others` a table with columns that aren't ours
    is refused.
    """

    name: str
    sheet: Sheet
    plan: Plan
    fields: Fields
    required: Sequence[str] = ()
    optional: Sequence[str] = ()
    mends: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    left_out: Collection[int] = ()
    accepts_others: bool = True

    def __iter__(self) -> Iterator[PreparedRow]:
        """Yield the rows without those that only add up others."""
        convert = {each: _converter(self.fields[each], self.plan) for each in self.fields}
        columns = [(each, convert.get(each, str)) for each in self.plan.columns]
        for line, row in _body(self.sheet, self.plan):
            if line not in self.left_out and not self._is_sum(row):
                cells = zip(columns, row, strict=False)
                values = {column: to(cell) for (column, to), cell in cells if column}
                mended = self.mends.get(line, {})
                values.update((each, convert[each](text)) for each, text in mended.items() if each)
                yield PreparedRow(line, {**values, **self._split(values)}, len(row))

    def _split(self, values: Mapping[str, str]) -> dict[str, str]:
        """Return '6' and 'packs' of '6 packs', and '1.20' of '1.20 per pack'."""
        match = _MEASURED.fullmatch(values.get(self.plan.measured, ""))
        if not match:
            return {}
        number, unit = match.groups()
        cells = {self.plan.measured: number_text(number, self.plan.decimal), UNIT: unit}
        for column, text in values.items():
            price = _MEASURED.fullmatch(text) if isinstance(self.fields[column], Pounds) else None
            # 'pack' is the unit of '6 packs'; the price of any other unit is refused.
            if price and unit.casefold().startswith(price[2].casefold()):
                cells[column] = number_text(price[1], self.plan.decimal)
        return cells

    @cached_property
    def sums(self) -> Sequence[int]:
        """Return the numbers of the rows that only add up others."""
        return [line for line, row in _body(self.sheet, self.plan) if self._is_sum(row)]

    def _is_sum(self, row: Sequence[str]) -> bool:
        first = next(filter(None, map(str.strip, row)), "")
        return not self.plan.is_literal and first[:20].casefold() in SUMS


def _body(sheet: Sheet, plan: Plan) -> Iterator[tuple[int, list[str]]]:
    rows: Iterable[tuple[int, list[str]]] = (row for row in sheet if row[0] > plan.header)
    return ((line, row) for line, row in rows if plan.is_literal or any(map(str.strip, row)))


def _converter(kind: Field[Any] | None, plan: Plan) -> Callable[[str], str]:
    if plan.is_literal:
        return str if kind is None or isinstance(kind, Text) else _unquoted
    if isinstance(kind, Day | Moment):
        options = {"day_first": plan.day_first, "has_time": isinstance(kind, Moment)}
        return lru_cache(4096)(lambda cell: day_text(cell, **options))
    if isinstance(kind, Pounds | WholeNumber):
        return lru_cache(4096)(lambda cell: number_text(cell, plan.decimal))
    return str


def _unquoted(cell: str) -> str:
    """Return a cell without the ' by which a text is no formula."""
    return cell.removeprefix("'")


def day_text(cell: str, *, day_first: bool, has_time: bool = False) -> str:
    """Return a day as '2011-12-09', any other text as it is, and '' for no value.

    Without `has_time`, the time beside a day is left out.
    """
    text = " ".join(_unquoted(cell).split())
    if text.casefold() in NO_VALUE:
        return ""
    if match := _DAY.fullmatch(text):
        first, second, year = int(match[1]), int(match[2]), int(match[3])
        day, month = (first, second) if day_first else (second, first)
        century = 0 if year > 99 else 2000 if year < 70 else 1900
        with suppress(ValueError):
            iso = date(century + year, month, day).isoformat()
            return _real_day(f"{iso}{match[4] or ''}" if has_time else iso)
    if _SERIAL.fullmatch(text):
        return _real_day((_FIRST_SERIAL + timedelta(days=int(float(text)))).isoformat())
    for pattern in _MONTH_NAMES:
        with suppress(ValueError):
            return datetime.strptime(text, pattern).date().isoformat()  # noqa: DTZ007 (a day)
    has_more = re.fullmatch(r"\d{4}-\d\d-\d\d[T ].*", text)
    return _real_day(text[:10] if has_more and not has_time else text)


def _real_day(day: str) -> str:
    """Return a day, unless it is the one by which programs say that there is none."""
    return f"{day} (no date)" if day.startswith(("1899-", "1970-01-01")) else day


def number_text(cell: str, decimal: str) -> str:
    """Return a number as '-1234.50', and '' for no value; any other text as it is."""
    text = _unquoted(cell.strip())
    if text.casefold() in NO_VALUE:
        return ""
    plain = _POUNDS.sub("", text).replace("−", "-")
    if plain.startswith("(") and plain.endswith(")"):
        plain = f"-{plain[1:-1]}"
    elif plain.endswith("-"):
        plain = f"-{plain[:-1]}"
    if decimal == ",":
        plain = plain.translate(_SWAPPED_SIGNS)
    # A spreadsheet's 12.0 is the whole number 12.
    match = _NUMBER.fullmatch(plain)
    return f"{match[1].replace(',', '')}{match[2] or ''}" if match else text
