"""Stock's reports: their addresses, and the columns of their files and tables."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from marshmallow import fields

from app import dates
from app.api import replies
from app.api.replies import Reply
from app.api.schemas import Body
from app.divisions import SITES, Division, Site
from app.errors import Invalid
from app.fields import Day, Pounds, WholeNumber
from app.money import format_change
from app.periods import first_day, month_number
from app.records.calls import parameter
from app.records.filters import DAY_SCHEMA
from app.records.record import Column
from app.stock.queries.values import LateEntry
from app.stock.rules import items
from app.stock.rules.insight import (
    IDLE_DAYS,
    MAX_DAYS,
    MAX_MONTHS,
    Grouping,
    InsightFilters,
    Question,
)
from app.web.list_query import ListQuery, typed_values

ARGUMENTS = ("site", "from", "to", dates.RANGE, "by", "as_of", "known_on", "days")

DAYS = WholeNumber(minimum=1, maximum=MAX_DAYS, range_message=f"Choose 1 to {MAX_DAYS:,} days.")


def parse_insight(
    division: Division, question: Question, args: Mapping[str, str]
) -> ListQuery[InsightFilters]:
    """Return the filters in an address; without days they are the last twelve months."""
    today, values = dates.today(), typed_values(args, ARGUMENTS)
    start, end, problems = dates.parse_range(values)

    def parse(name: str, read: Callable[[str], Any]) -> Any:
        try:
            return read(values[name]) if name in values else None
        except Invalid as error:
            problems[name] = error.message

    as_of, recorded_by = parse("as_of", dates.parse_day), parse("known_on", dates.parse_day)
    for name, day in {"from": start, "to": end, "as_of": as_of, "known_on": recorded_by}.items():
        if day and day > today:
            problems[name] = "Choose a day up to today."
        elif day and day < dates.EARLIEST_DAY:
            problems[name] = dates.describe_early(dates.EARLIEST_DAY)
    end = end or today
    start = start or first_day(end)
    if not problems and month_number(end) - month_number(start) >= MAX_MONTHS:
        problems["from"] = f"Choose at most {MAX_MONTHS} months."

    site = next((each for each in SITES[division] if each == values.get("site")), None)
    by = next((each for each in Grouping if each == values.get("by")), None)
    if "site" in values and not site:
        problems["site"] = f'There is no site "{values["site"][:40]}".'
    if "by" in values and not by:
        problems["by"] = "Choose team or item."
    default = Grouping.ITEM if question is Question.TOP else Grouping.TEAM
    days = parse("days", DAYS.parse) or (IDLE_DAYS if question is Question.IDLE else None)
    of = (site, by or default, as_of or recorded_by, recorded_by, days)
    return ListQuery(values, InsightFilters(division, start, end, *of), problems)


_TEXT, _UNITS, _MONEY, _DAY = items.REASON, WholeNumber(), Pounds(), Day()

_ABSENT = {"team": "No team", "lastCounted": "Never", "lastWithdrawn": "Never"}


class _Column(Column[Any]):
    def show(self, row: Any) -> Any:
        return super().show(row) or _ABSENT.get(self.name, "")


COLUMNS: Mapping[str, Column[Any]] = {
    name: _Column(name, attrgetter(read), field=field, heading=heading, css_class=css_class)
    for name, read, field, heading, css_class in (
        ("date", "day", _DAY, "Date", ""),
        ("team", "name", _TEXT, "Team", ""),
        ("item", "name", _TEXT, "Item", ""),
        ("site", "site.label", _TEXT, "Site", ""),
        ("units", "amount", _UNITS, "Units", "num"),
        ("amount", "amount", _UNITS, "Amount", "num"),
        ("unit", "unit", _TEXT, "Unit", ""),
        ("unitPriceGBP", "price", _MONEY, "Price", "num"),
        ("valueGBP", "value", _MONEY, "Value", "num amount"),
        ("lastCounted", "last", _DAY, "Last counted", ""),
        ("lastWithdrawn", "last", _DAY, "Last withdrawn", ""),
        ("elsewhere", "elsewhere", _TEXT, "Elsewhere", ""),
        ("lines", "lines", _UNITS, "Lines", "num"),
        ("withoutDifference", "right", _UNITS, "Right", "num"),
        ("shortUnits", "short", _UNITS, "Short", "num"),
        ("shrinkageGBP", "short_value", _MONEY, "Shrinkage", "num amount"),
    )
} | {"month": Column("month", lambda line: f"{line.day:%Y-%m}", heading="Month")}

LATE: Sequence[Column[LateEntry]] = [
    Column("item", attrgetter("name"), heading="Item"),
    COLUMNS["site"],
    Column("day", heading="For", field=_DAY),
    Column("recorded_on", heading="Recorded", field=_DAY),
    Column("delta", lambda entry: format_change(entry.delta), heading="Change", css_class="num"),
]


def columns_of(question: Question, filters: InsightFilters) -> Sequence[Column[Any]]:
    """Return the columns of a report's file, JSON and table."""
    use = "team units" if filters.by is Grouping.TEAM else "item site units unit"
    stock = "item site amount unit"
    names = {
        Question.USE: f"month {use} valueGBP",
        Question.TOP: f"{use} valueGBP",
        Question.VALUE: "date site valueGBP",
        Question.COUNTS: "month site lines withoutDifference shortUnits shrinkageGBP",
        Question.IDLE: f"{stock} valueGBP lastWithdrawn elsewhere",
    }[question]
    if filters.as_of and question is Question.VALUE:
        names = f"{stock} unitPriceGBP valueGBP"
    elif filters.days and question is Question.COUNTS:
        names = f"{stock} valueGBP lastCounted"
    return [COLUMNS[name] for name in names.split()]


class ReportReply(Reply):
    """The rows of a report, the same as in its CSV file, with the days that it is about."""

    question = replies.choice(Question, "use")
    start = replies.day("2025-12-01", data_key="from")
    end = replies.day("2026-11-22", data_key="to")
    rows = replies.field(fields.List, [], inner=[fields.Dict()])


class InsightParameters(Body):
    """The parameters of the call of a report."""

    site = parameter("site", "The site; all if missing", "main", {"enum": [*Site]})
    start = parameter("from", "The first day of the period", "2026-01-15", DAY_SCHEMA)
    end = parameter("to", "The last day; today if missing", "2026-01-15", DAY_SCHEMA)
    by = parameter("by", "What use is added up by", "team", {"enum": [*Grouping]})
    as_of = parameter("as_of", "The day of the stock to value", "2026-01-15", DAY_SCHEMA)
    recorded_by = parameter("known_on", "The day on which it was so", "2026-01-15", DAY_SCHEMA)
    about_days = f"The days without a withdrawal or a stock check, 1 to {MAX_DAYS:,}"
    days = parameter("days", about_days, "90")
