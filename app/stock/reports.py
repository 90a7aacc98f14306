"""Stock's reports: their rows, and what their pages have besides."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import url_for

from app import dates, periods
from app.dates import format_day
from app.money import count_of, format_number, format_pence
from app.periods import AmountSeries, Period
from app.records.record import Column
from app.records.reports import (
    Answer,
    Figure,
    Report,
    ReportPicture,
    ReportTable,
    bars_by_period,
    highest_rows,
)
from app.stock.queries import insight, values
from app.stock.queries.insight import Sites
from app.stock.queries.values import ItemLine
from app.stock.rules.insight import (
    NOT_COUNTED_DAYS,
    CountLine,
    InsightFilters,
    Question,
    SiteValue,
    UseLine,
    describe_share,
)
from app.stock.schemas.insight import LATE, columns_of
from app.web.list_query import ListQuery

MAX_LATE = 100
"""The most late entries that are listed, the latest ones."""

_USE = "Withdrawals less what was undone, at their prices. Transfers and stock checks aren't use."
_NOTES = {
    Question.USE: _USE,
    Question.TOP: _USE,
    Question.VALUE: "An amount counts at the last price that was set up to the day.",
    Question.COUNTS: "Accuracy is the share of counted lines without a difference, shrinkage what "
    "was short, at its price. Stock checks that were undone don't count.",
    Question.IDLE: "In stock, and nobody has withdrawn it.",
}
_NOTHING = {
    Question.VALUE: "Not known, or nothing in stock had a price.",
    Question.COUNTS: "Every item was counted in these days.",
    Question.IDLE: "No item was in stock for all these days without a withdrawal.",
}


def _rows(question: Question, filters: InsightFilters, sites: Sites | None = None) -> Sequence[Any]:
    sites = sites or insight.sites_of(filters)
    since = dates.today() - timedelta(days=filters.days or 0)
    match question:
        case Question.USE | Question.TOP:
            return insight.use(filters, sites, by_month=question is Question.USE)
        case Question.VALUE if filters.as_of:
            found = values.stock_on(sites, filters.as_of, filters.recorded_by)
            return sorted(found, key=lambda line: -line.value)
        case Question.VALUE:
            return insight.month_values(filters, sites)
        case Question.COUNTS if not filters.days:
            return insight.counts(filters, sites)
        case Question.COUNTS:
            return insight.not_counted(sites, since)
        case Question.IDLE:
            return insight.idle(filters, sites, since)


def _url(endpoint: str, filters: InsightFilters, **given: Any) -> str:
    site = {"site": filters.site.value} if filters.site else {}
    return url_for(endpoint, **{"division": filters.division.value, **site, **given})


def _history_url(filters: InsightFilters, period: Period, **given: str) -> str:
    days = urlencode({**given, "from": period.first, "to": period.last})
    url = _url("stock_history.history", filters)
    return f"{url}{'&' if '?' in url else '?'}{days}"


def _row_url(filters: InsightFilters, period: Period | None, row: Any) -> str:
    """Return where a row leads: to its history, an item's or a site's; '' for no team or checks."""
    if isinstance(row, CountLine):
        # The history leaves out lines without a difference, and has those that were undone.
        return ""
    if getattr(row, "item_id", None):
        item = {"site": row.site.value, "item_id": row.item_id}
        return _url("stock_history.item_history", filters, **item)
    if isinstance(row, SiteValue):
        of_site = replace(filters, site=row.site)
        return _url("stock.insight", of_site, question="value", as_of=row.day)
    month = Period("", max(row.day, filters.start), min(periods.last_day(row.day), filters.end))
    values = {"event": "withdrawal", "team": row.name}
    return _history_url(filters, period or month, **values) if row.name else ""


def _answer(question: Question, query: ListQuery[InsightFilters]) -> Answer:
    filters = query.filters
    sites = insight.sites_of(filters)
    rows = _rows(question, filters, sites)
    days = f"{format_day(filters.start)} to {format_day(filters.end)}"
    whole = Period("", filters.start, filters.end) if question is Question.TOP else None
    link = partial(_row_url, filters, whole)
    columns = _at_sites(columns_of(question, filters), sites)
    links = dict.fromkeys(("item", "team", "date", "month"), link)
    table = ReportTable[Any](question.label, columns, rows, links)
    nothing = _NOTHING.get(question, "Nothing was withdrawn in these days.")
    answer = Answer((), None, [table] if rows else [], [_NOTES[question]], nothing)
    match question:
        case Question.USE:
            picture = _use_picture(filters, rows)
            return replace(answer, figures=_sums(rows, days), picture=picture)
        case Question.VALUE if not filters.as_of:
            return replace(answer, picture=_value_picture(filters, rows), tables=[])
        case Question.COUNTS if not filters.days:
            picture = _counts_picture(filters, rows)
            return replace(answer, figures=_count_figures(filters, sites, rows), picture=picture)
        case Question.VALUE:
            answer, days = _late_answer(filters, sites, answer)
        case Question.COUNTS:
            days = f"Not counted for {count_of(filters.days or 0, 'day')}"
        case Question.IDLE:
            days = f"No withdrawal for {count_of(filters.days or 0, 'day')}"
    is_money = question is not Question.TOP
    picture = highest_rows(days, rows, link, is_money=is_money)
    return replace(answer, figures=_sums(rows, days), picture=picture)


def _at_sites(columns: Sequence[Column[Any]], sites: Sites) -> Sequence[Column[Any]]:
    return [each for each in columns if len(sites) > 1 or each.name != "site"]


def _sums(rows: Sequence[UseLine] | Sequence[ItemLine], note: str) -> Sequence[Figure]:
    units = Figure(format_number(sum(row.amount for row in rows)), "units")
    return [Figure(format_pence(sum(row.value for row in rows)), note=note), units] if rows else []


def _use_picture(filters: InsightFilters, rows: Sequence[UseLine]) -> ReportPicture | None:
    each = periods.periods(filters.start, filters.end)
    by_key = {row.key: row for row in rows}

    def link(keys: Sequence[Any], period: Period) -> str:
        if not keys:
            return _history_url(filters, period, event="withdrawal")
        return "" if len(keys) > 1 else _row_url(filters, period, by_key[keys[0]])

    amounts = [(row.key, row.day, row.amount) for row in rows]
    others = f"Other {filters.by}s"

    def label(key: Any) -> str:
        row = by_key[key]
        at = f", {row.site.label}" if row.site and len(filters.sites) > 1 else ""
        return f"{row.name or 'No team'}{at}"

    series = periods.series(amounts, each, label, others)
    return bars_by_period(f"Units by month and {filters.by}", series, each, link)


def _value_picture(filters: InsightFilters, rows: Sequence[SiteValue]) -> ReportPicture | None:
    each = periods.periods(filters.start, filters.end)
    found = {(row.day, row.site): row.value for row in rows}
    series = [
        AmountSeries(site.label, [site], [found[period.last, site] or 0 for period in each])
        for site in filters.sites
    ]

    def link(sites: Sequence[Any], period: Period) -> str:
        of_site = replace(filters, site=sites[0]) if sites else filters
        return _url("stock.insight", of_site, question="value", as_of=period.last)

    def absent(sites: Sequence[Any], period: Period) -> str:
        values = [found[period.last, site] for site in sites or filters.sites]
        return "Not known" if values.count(None) == len(values) else format_pence(0)

    total = format_pence(sum(one.amounts[-1] for one in series))
    title = "Value by month and site"
    return bars_by_period(title, series, each, link, is_money=True, total=total, absent=absent)


def _late_answer(filters: InsightFilters, sites: Sites, answer: Answer) -> tuple[Answer, str]:
    """Return an answer with what isn't known of its day or came later, and the day in words."""
    day = filters.as_of or filters.end
    firsts, since = values.first_days(sites), filters.recorded_by or day
    notes = [
        f"{site.label} is not known before {format_day(firsts[id_])}."
        if id_ in firsts
        else f"Nothing was recorded at {site.label} yet."
        for id_, site in sites.items()
        if firsts.get(id_, date.max) > day
    ]
    if len(notes) == len(sites):
        return replace(answer, tables=[], nothing=" ".join(notes)), ""
    late, number = values.late_entries(sites, day, since, MAX_LATE)
    heading = f"Late entries, recorded after {format_day(since)}"
    links = {"item": partial(_row_url, filters, None)}
    columns = _at_sites(LATE, sites)
    tables = [ReportTable(heading, columns, late, links, heading)] if late else []
    tables = [*answer.tables, *tables]
    words = f", as known on {format_day(since)}" if filters.recorded_by else ""
    notes += answer.notes if answer.tables else [answer.nothing]
    if number > len(late):
        notes.append(f"The latest {len(late)} of {format_number(number)} late entries.")
    return replace(answer, tables=tables, notes=notes), f"On {format_day(day)}{words}"


def _counts_picture(filters: InsightFilters, rows: Sequence[CountLine]) -> ReportPicture | None:
    each = periods.periods(filters.start, filters.end)
    amounts = [("Without a difference", row.day, row.right) for row in rows]
    amounts += [("With a difference", row.day, row.lines - row.right) for row in rows]
    series = periods.series(amounts, each, str, "")
    return bars_by_period("Counted lines by month", series, each, lambda *_: "")


def _count_figures(
    filters: InsightFilters, sites: Sites, rows: Sequence[CountLine]
) -> Sequence[Figure]:
    lines, right = sum(row.lines for row in rows), sum(row.right for row in rows)
    right_of = f"{format_number(right)} of {count_of(lines, 'line')} without a difference"
    short_of = f"{count_of(sum(row.short for row in rows), 'unit')} of shrinkage"
    figures = [
        Figure(describe_share(right, lines), "right", right_of),
        Figure(format_pence(sum(row.short_value for row in rows)), "short", short_of),
    ]
    limits = {days: dates.today() - timedelta(days=days) for days in NOT_COUNTED_DAYS}
    lasts = [row.last or date.min for row in insight.not_counted(sites, max(limits.values()))]
    for days, limit in limits.items():
        number = format_number(sum(last <= limit for last in lasts))
        url = _url("stock.insight", filters, question="counts", days=days)
        figures.append(Figure(number, "not counted", f"For {days} days", url))
    return figures


REPORTS: Mapping[Question, Report[InsightFilters, Any]] = {
    question: Report(
        name=question.value,
        title=question.label,
        columns=partial(columns_of, question),
        rows=partial(_rows, question),
        answer=partial(_answer, question),
    )
    for question in Question
}
