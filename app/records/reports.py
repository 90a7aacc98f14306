"""Reports: a question, whose answer is a page that prints well, a CSV file, and JSON."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from flask import Response

from app.api.fields import json_writer
from app.charts import StackedBars, shares, stacked_bars
from app.dates import format_day
from app.fields import Day
from app.money import format_number, format_pence
from app.paging import Page, page_of
from app.periods import K, Period, Series
from app.records.lists import csv_file
from app.records.record import Column, R
from app.web.list_query import ListQuery, requested_page

ROWS_PER_PAGE = 100
TOP = 10

F = TypeVar("F")


class Figure(NamedTuple):
    """A main figure of a report, a word behind it, a note under it, and where the note leads."""

    text: str
    unit: str = ""
    note: str = ""
    url: str = ""


@dataclass(frozen=True)
class Table(Generic[R]):
    """A table of a report; `links` return where the cells of a column lead, '' for nowhere."""

    caption: str
    columns: Sequence[Column[R]]
    rows: Sequence[R]
    links: Mapping[str, Callable[[R], str]] = field(default_factory=dict)
    heading: str = ""
    kind: str = "log"
    page: Page[R] | None = None

    @property
    def headings(self) -> Sequence[tuple[str, str]]:
        """Return the headings of its columns, and their classes."""
        return [(column.heading, column.css_class) for column in self.columns]


class Bar(NamedTuple):
    """One of the highest rows: its name, its amount, the length of its bar, and its link."""

    name: str
    text: str
    length: float
    url: str


@dataclass(frozen=True)
class Picture:
    """A picture of a report: stacked bars with the table of their figures, or the highest rows."""

    title: str
    total: str
    note: str
    summary: str = ""
    bars: StackedBars | None = None
    names: Sequence[str] = ()
    is_money: bool = False
    table: Table[Any] | None = None
    highest: Sequence[Bar] = ()


@dataclass(frozen=True)
class Answer:
    """What the page of a report has; without a picture and rows it says `nothing`.

    With several tables, `layout` is the class of what they stand in.
    """

    figures: Sequence[Figure] = ()
    picture: Picture | None = None
    tables: Sequence[Table[Any]] = ()
    notes: Sequence[str] = ()
    nothing: str = ""
    layout: str = "split"


@dataclass(frozen=True, kw_only=True)
class Report(Generic[F, R]):
    """A question and its answer for some filters.

    `rows` returns what its file and its JSON have, by `columns`; `answer` what its page has.
    """

    name: str
    title: str
    columns: Callable[[F], Sequence[Column[R]]]
    rows: Callable[[F], Iterable[R]]
    answer: Callable[[ListQuery[F]], Answer]

    def page(self, query: ListQuery[F], **context: Any) -> Mapping[str, Any]:
        """Return what a template needs of the page; a query with errors has no answer."""
        answer = None if query.problems else self.answer(query)
        found = {"report": self, "query": query, "problem": query.problems, "answer": answer}
        return found | context

    def file(self, query: ListQuery[F]) -> Response:
        """Return the CSV file; raises the query's first error."""
        filters = query.valid_filters
        return csv_file(f"{self.name}.csv", self.columns(filters), self.rows(filters))

    def json(self, query: ListQuery[F]) -> Sequence[Mapping[str, Any]]:
        """Return the rows of the file as JSON; raises the query's first error."""
        columns = self.columns(query.valid_filters)
        writers = [
            (each.name, each.value, json_writer(each.field) if each.field else None)
            for each in columns
        ]
        return [
            {
                name: write(value(row)) if write else value(row)
                for name, value, write in writers
                if value
            }
            for row in self.rows(query.filters)
        ]


def paged(
    caption: str, columns: Sequence[Column[R]], rows: Sequence[R], **options: Any
) -> Table[R]:
    """Return a table of one page of rows."""
    page = page_of(rows, requested_page(), per_page=ROWS_PER_PAGE)
    return Table(caption, columns, page.rows, page=page, **options)


def highest_rows(
    title: str,
    rows: Sequence[R],
    amount: Callable[[R], int],
    bar: Callable[[R], tuple[str, str]],
    note: str = "",
    *,
    is_money: bool = False,
) -> Picture | None:
    """Return a picture of the highest rows, which come first; `bar` returns a name and a link."""
    write = format_pence if is_money else format_number
    top = [row for row in rows[:TOP] if amount(row) > 0]
    lengths = shares([amount(row) for row in top])
    found = [
        Bar(name, write(amount(row)), length, url)
        for row, length in zip(top, lengths, strict=True)
        for name, url in [bar(row)]
    ]
    total = write(sum(map(amount, rows)))
    return Picture(title, total, note, highest=found) if found else None


def bars_by_period(
    title: str,
    found: Sequence[Series[K]],
    each: Sequence[Period],
    link: Callable[[Sequence[K], Period], str],
    *,
    is_money: bool = False,
    total: str = "",
    absent: Callable[[Sequence[K], Period], str] = lambda *_: "–",
) -> Picture | None:
    """Return stacked bars of series by period with their table, None if all amounts are 0.

    `link` returns where the amount of some keys leads, of no keys that of all; `absent` what stands
    for 0. A `total` means that amounts are those at the ends of periods, which nobody adds up.
    """
    write = format_pence if is_money else format_number
    bars = stacked_bars(
        [period.label for period in each],
        [one.amounts for one in found],
        unit=100 if is_money else 1,
    )
    if bars is None:
        return None
    period = each[bars.highest.number]
    first, last = format_day(period.first), format_day(period.last)
    lead = total or f"{write(bars.total)} in all"
    most = f"on {last}" if total else f"from {first} to {last}"
    return Picture(
        title=title,
        total=total or write(bars.total),
        note=f"{format_day(each[0].first)} to {format_day(each[-1].last)}",
        summary=f"{lead}, most {most}: {write(bars.highest.total)}.",
        bars=bars,
        names=[one.label for one in found],
        is_money=is_money,
        table=_table_of(title, found, each, link, write, absent, is_at_end=bool(total)),
    )


def _table_of(
    title: str,
    found: Sequence[Series[K]],
    each: Sequence[Period],
    link: Callable[[Sequence[K], Period], str],
    write: Callable[[int], str],
    absent: Callable[[Sequence[K], Period], str],
    *,
    is_at_end: bool,
) -> Table[int]:
    amounts = zip(*(one.amounts for one in found), strict=True)
    whole: Series[K] = Series("In all", (), [sum(column) for column in amounts])

    def column(one: Series[K]) -> Column[int]:
        def text(row: int) -> str:
            return write(one.amounts[row]) if one.amounts[row] else absent(one.keys, each[row])

        return Column(
            one.label, text, heading=one.label, css_class="num" if one.keys else "num amount"
        )

    def links(one: Series[K]) -> Callable[[int], str]:
        return lambda row: link(one.keys, each[row]) if one.amounts[row] else ""

    days = [period.last if is_at_end else period.first for period in each]
    heading = "On" if is_at_end else "From"
    return Table(
        title,
        [
            Column("day", days.__getitem__, field=Day(), heading=heading),
            *map(column, (*found, whole)),
        ],
        range(len(each)),
        {one.label: links(one) for one in (*found, whole)},
    )
