"""The page of a kind of record's list, from the declaration, and pages that send files."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, Generic, ParamSpec

from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Select, select

from app import dates
from app.audit.rules import Event
from app.audit.services import record
from app.db import transaction
from app.paging import Page
from app.preferences.forms import columns_of_file
from app.records.filters import Matching, Values
from app.records.reading import read_all, read_page
from app.records.record import NOTHING, Column, Query, R, Record, csv_lines
from app.web import caching, rendered
from app.web.access import view_only
from app.web.downloads import csv_download
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.limits import CostlyRequest, costly
from app.web.list_query import Heading, Sorting, requested_page
from app.web.policies import Policy
from app.web.remembered import View as PageView
from app.web.remembered import remembers_filters

P = ParamSpec("P")


def find_page(
    record: Record[R],
    query: Query,
    version: Hashable,
    address: Callable[..., str],
    total: int | None = None,
) -> Mapping[str, Any]:
    """Return what a template needs of a query's page; `total` is as `read_page` has it."""
    page = read_page(record, query, requested_page(), version, total)
    return describe_page(record, query, page, address)


def describe_page(
    record: Record[R], query: Query, page: Page[R], address: Callable[..., str]
) -> Mapping[str, Any]:
    """Return what a template needs of a page that was read."""
    sorting = None
    if record.sorting:
        order = query.order or record.sorting.default
        sorting = Sorting(record.sorting, order, page.total, address, query.filters)
    headings = [
        (
            sorting.head(each.name, each.css_class)
            if sorting and each.by
            else Heading(each.heading, each.css_class, None)
        )._replace(name="" if each.changes or each.stays else each.name)
        for each in record.headings
        if not (each.changes and view_only())
    ]
    return {
        "record": record,
        "query": query,
        "page": page,
        "sorting": sorting,
        "headings": headings,
        "address": address,
        "args": sorting.args if sorting else query.values,
        "is_fragment": is_htmx_for("list"),
    }


class ListView(Generic[R]):
    """The page of a list, with further `context`; its addresses have the arguments `where`.

    Its template is `<blueprint>/<plural>.html`; without one, the page has the list's columns.
    """

    def __init__(
        self,
        bp: Blueprint,
        record: Record[R],
        context: Mapping[str, Any],
        where: Mapping[str, Any] = NOTHING,
    ) -> None:
        self._record = record
        self._address = partial(url_for, f"{bp.name}.{record.plural}", **where)
        self._file_address = partial(url_for, f"{bp.name}.{record.plural}_csv", **where)
        self._templates = (f"{bp.name}/{record.plural}.html", "records/list.html")
        self._context = context

    def show(self) -> ResponseReturnValue:
        """Show a page of the list, or for htmx its rows; 422 for wrong filters."""
        version = self._record.current_version()
        if unchanged := caching.not_modified(version, dates.today()):
            return unchanged
        query = self._record.parse(request.args)
        return self.show_query(query, version), 422 if query.problems else 200

    def show_query(
        self, query: Query, version: Hashable, load: Callable[[], Mapping[str, Any]] = dict
    ) -> str:
        """Return the page of a query, with what `load` returns: maybe the number of `matches`."""
        context = partial(self._read, query, version, load)
        return rendered.page(self._templates, context, is_kept=not query.problems)

    def render(self, **context: Any) -> str:
        """Return the page that the request's address names."""
        version = self._record.current_version()
        found = self._read(self._record.parse(request.args), version, lambda: context)
        return render_template([*self._templates], **found)

    def _read(
        self, query: Query, version: Hashable, load: Callable[[], Mapping[str, Any]]
    ) -> Mapping[str, Any]:
        more = load()
        total = more.get("matches")
        found = find_page(self._record, query, version, self._address, total)
        return {**found, "file_address": self._file_address, **self._context, **more}


def keeps_filters(
    record: Record[Any], of_page: Callable[..., Record[Any]] | None = None, **options: Any
) -> Callable[[PageView[P]], PageView[P]]:
    """Let a record's list come back as it was left; `options` are those of `remembers_filters`.

    `of_page` returns the record by values and by the path's arguments, where they decide on it.
    """

    def matches(values: Mapping[str, str], **where: Any) -> Select[int]:
        listed = of_page(values, **where) if of_page else record
        query = listed.parse(values)
        query.check()
        return select(listed.model.id).where(*listed.where(query))

    in_use = [each.name for each in record.filters if isinstance(each, Matching | Values)]
    names = options.pop("names", record.arguments)
    about = {"call": record.plural, "in_use": in_use, "matches": matches}
    return remembers_filters(*names, **about | options)


def list_view(
    bp: Blueprint, policy: Policy, record: Record[R], path: str, **context: Any
) -> ListView[R]:
    """Serve the page of a list, and its file if it has columns of one."""
    view = ListView(bp, record, context)
    failure = f"Failed to load {record.plural}"
    show = keeps_filters(record)(partial(view.show))
    bp.get(path, endpoint=record.plural)(policy(failure_message(failure)(show)))
    if record.file_columns:
        export = exports(record.plural, failure)(partial(query_file, record))
        bp.get(f"{path}.csv", endpoint=f"{record.plural}_csv")(policy(export))
    return view


def exports(
    subject: str, failure: str = "Export failed"
) -> Callable[[Callable[P, Response]], Callable[P, Response]]:
    """Return a decorator of views that send a file, the `subject` in the audit trail."""

    def decorate(view: Callable[P, Response]) -> Callable[P, Response]:
        @wraps(view)
        def export(*args: P.args, **kwargs: P.kwargs) -> Response:
            response = view(*args, **kwargs)
            # A page asks which columns the file is to have.
            if response.mimetype != "text/html":
                with transaction():
                    record(Event.EXPORT, subject.format(**kwargs))
            return response

        return costly(CostlyRequest.EXPORTS)(failure_message(failure)(export))

    return decorate


def query_file(record: Record[R]) -> Response:
    """Send the rows that the address asks for as a file; raises the first error in it."""
    query = record.parse(request.args)
    query.check()
    return record_file(f"{record.plural}.csv", record, partial(read_all, record, query))


def record_file(name: str, record: Record[R], rows: Callable[[], Iterable[R]]) -> Response:
    """Send rows as a file; let whoever hides columns of the list choose those of the file."""
    columns = record.file_columns
    listed = [each.name for each in (*record.headings, *record.file)]
    chosen, question = columns_of_file([*columns], listed)
    if not chosen:
        return make_response(render_template("records/file.html", record=record, **question))
    return export_file(name, [columns[each] for each in chosen], rows())


def file_view(
    bp: Blueprint,
    policy: Policy,
    path: str,
    subject: str,
    columns: Sequence[Column[R]],
    rows: Callable[[], Iterable[R]],
) -> None:
    """Serve all `rows` as a file, which is named like the end of its path."""
    name = path.rpartition("/")[2]
    view = exports(subject)(lambda: export_file(name, columns, rows()))
    endpoint = name.replace(".", "_").replace("-", "_")
    bp.get(path, endpoint=endpoint)(policy(view))


def export_file(
    name: str, columns: Sequence[Column[R]], rows: Iterable[R], *, quotes_all: bool = False
) -> Response:
    """Return a response that streams rows as a file of the format that the address asks for."""
    return csv_download(name, csv_lines(columns, rows, quotes_all=quotes_all))
