"""The page of a kind of record's list and its CSV file, from the declaration."""

from functools import partial

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.audit.rules import Event
from app.audit.services import record as record_event
from app.db import transaction
from app.errors import Invalid
from app.records.reading import read_all, read_page
from app.records.record import R, Record
from app.versions import version_of
from app.web import caching
from app.web.downloads import download
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.limits import CostlyRequest, costly
from app.web.paging import requested_page
from app.web.policies import Policy
from app.web.remembered import remembers_filters
from app.web.sorting import Heading


def list_view(bp: Blueprint, policy: Policy, record: Record[R], path: str) -> None:
    """Serve the page of a list, and its CSV file, which is named after the list."""
    endpoint = f"{bp.name}.{record.plural}"
    failure = failure_message(f"Failed to load {record.plural}")

    def show() -> ResponseReturnValue:
        version = version_of(record.list_name)
        unchanged = caching.not_modified(version, dates.today())
        if unchanged is not None:
            return unchanged
        query = record.parse(request.args)
        page = read_page(record, query, requested_page(), version)
        return render_template(
            f"{bp.name}/{record.plural}.html",
            record=record,
            query=query,
            page=page,
            columns=[Heading(each.heading, each.css_class, None) for each in record.headings],
            address=partial(url_for, endpoint),
            file=partial(url_for, f"{endpoint}_csv"),
            is_fragment=is_htmx_for("list"),
        ), 422 if query.problems else 200

    def export() -> Response:
        query = record.parse(request.args)
        for problem in query.problems.values():
            raise Invalid(problem)
        with transaction():
            record_event(Event.EXPORT, record.plural)
        lines = record.csv_lines(read_all(record, query))
        return download(f"{record.plural}.csv", lines, "text/csv")

    remembered = remembers_filters(*record.arguments)
    bp.get(path, endpoint=record.plural)(policy(failure(remembered(show))))
    limited = costly(CostlyRequest.EXPORTS)
    bp.get(f"{path}.csv", endpoint=f"{record.plural}_csv")(policy(limited(failure(export))))
