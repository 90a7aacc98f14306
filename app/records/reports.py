"""Reports: a question, whose answer is a page that prints well, a file, and JSON."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from flask import Response

from app.api.fields import json_writer
from app.charts import StackedBars, shares, stacked_bars
from app.dates import format_day
from app.money import format_number, format_pence
from app.paging import Page, page_of
from app.periods import AmountSeries, K, Period
from app.records.lists import export_file
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
class ReportTable(Generic[R]):
    """A table of a report; `links` return where the cells of a column lead, '' for nowhere."""

    caption: str
    columns: Sequence[Column[R]]
    rows: Sequence[R]
    links: Mapping[str, Callable[[R], str]] = field(default_factory=dict)
    heading: str = ""
    kind: str = "log"

    @property
    def page(self) -> Page[R]:
        """Return the page of its rows that the address names."""
        return page_of(self.rows, requested_page(), per_page=ROWS_PER_PAGE)


@dataclass(frozen=True)
class ReportPicture:
    """Stacked bars with their table, or the highest rows: name, amount, length of the bar, link."""

    title: str
    total: str
    note: str
    is_money: bool = False
    summary: str = ""
    bars: StackedBars | None = None
    table: ReportTable[Any] | None = None
    highest: Sequence[tuple[str, str, float, str]] = ()


@dataclass(frozen=True)
class Answer:
    """What the page of a report has, or `nothing`; `layout` is the class around several tables."""

    figures: Sequence[Figure] = ()
    picture: ReportPicture | None = None
    tables: Sequence[ReportTable[Any]] = ()
    notes: Sequence[str] = ()
    nothing: str = ""
    layout: str = "split"


@dataclass(frozen=True, kw_only=True)
class Report(Generic[F, R]):
    """A question: `rows` by `columns` are its file and its JSON, `answer` is its page."""

    name: str
    title: str
    columns: Callable[[F], Sequence[Column[R]]]
    rows: Callable[[F], Iterable[R]]
    answer: Callable[[ListQuery[F]], Answer]

    def page(self, query: ListQuery[F], **context: Any) -> Mapping[str, Any]:
        """Return what a template needs of the page; a query with errors has no answer."""
        context["answer"] = None if query.problems else self.answer(query)
        return {"report": self, "query": query, "problem": query.problems, **context}

    def file(self, query: ListQuery[F]) -> Response:
        """Return the file; raises the query's first error."""
        filters = query.valid_filters
        return export_file(f"{self.name}.csv", self.columns(filters), self.rows(filters))

    def json(self, query: ListQuery[F]) -> Sequence[Mapping[str, Any]]:
        """Return the rows of the file as JSON; raises the query's first error."""
        columns = [
            (each.name, each.value, each.field and json_writer(each.field))
            for each in self.columns(query.valid_filters)
            if each.value
        ]
        return [
            {name: write(read(row)) if write else read(row) for name, read, write in columns}
            for row in self.rows(query.filters)
        ]


def highest_rows(
    title: str, rows: Sequence[Any], link: Callable[[Any], str], *, is_money: bool
) -> ReportPicture | None:
    """Return a picture of the highest `value` or `amount` of rows with names, None without any."""
    amount = attrgetter("value" if is_money else "amount")
    write = format_pence if is_money else format_number
    top = sorted((row for row in rows if amount(row) > 0), key=lambda row: -amount(row))[:TOP]
    lengths = shares([amount(row) for row in top])
    highest = [
        (row.name, write(amount(row)), length, link(row))
        for row, length in zip(top, lengths, strict=True)
    ]
    total = write(sum(map(amount, rows)))
    return ReportPicture(title, total, title, is_money, highest=highest) if top else None


def bars_by_period(
    title: str,
    found: Sequence[AmountSeries[K]],
    each: Sequence[Period],
    link: Callable[[Sequence[K], Period], str],
    *,
    is_money: bool = False,
    total: str = "",
    absent: Callable[[Sequence[K], Period], str] = lambda *_: "–",
) -> ReportPicture | None:
    """Return stacked bars of series by period with their table, None if all amounts are 0.

    Without keys, `link` and `absent` are about all. With a `total`, amounts are of ends of periods.
    """
    write, unit = (format_pence, 100) if is_money else (format_number, 1)
    amounts = [one.amounts for one in found]
    bars = stacked_bars([period.label for period in each], amounts, unit=unit)
    if bars is None:
        return None
    every = (*found, AmountSeries[K]("In all", (), [bar.total for bar in bars.bars]))
    names = [format_day(period.last) if total else period.name for period in each]
    columns = [Column[int]("period", names.__getitem__, heading="On" if total else "Period")]

    def text(one: AmountSeries[K], row: int) -> str:
        return write(one.amounts[row]) if one.amounts[row] else absent(one.keys, each[row])

    def url(one: AmountSeries[K], row: int) -> str:
        return link(one.keys, each[row]) if one.amounts[row] else ""

    links = {f"s{number}": partial(url, one) for number, one in enumerate(every)}
    for name, one in zip(links, every, strict=True):
        css_class = "num" if one.keys else "num amount"
        read = partial(text, one)
        columns.append(Column(name, read, heading=one.label, css_class=css_class))
    most = each[bars.highest.number]
    first, last = format_day(most.first), format_day(most.last)
    lead = f"{write(bars.total)} in all, most from {first} to {last}"
    if total:
        lead = f"{total}, most on {last}"
    note = f"{format_day(each[0].first)} to {format_day(each[-1].last)}"
    summary = f"{lead}: {write(bars.highest.total)}."
    table = ReportTable(title, columns, range(len(each)), links)
    return ReportPicture(title, total or write(bars.total), note, is_money, summary, bars, table)
