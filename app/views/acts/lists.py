"""Lists with saved views: their addresses, their headings, and their calls."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Flask, Response, current_app, g, render_template, request
from markupsafe import Markup
from sqlalchemy import Select

from app import dates
from app.divisions import Division
from app.errors import Invalid, NotFound
from app.preferences.forms import COLUMNS
from app.sorting import SORT
from app.sums import count_each
from app.views import queries
from app.views.models import SavedView
from app.web.access import current_user
from app.web.htmx import is_htmx_for
from app.web.list_query import typed_values
from app.web.policies import policy_of, route_at
from app.web.remembered import DAYS, VIEW, ListFilters


@dataclass(frozen=True)
class ListPlace:
    """The list at a path of this site, and those of the user's divisions that it belongs to."""

    filters: ListFilters
    arguments: Mapping[str, Any]
    divisions: frozenset[Division]

    def matches(self, query: str) -> Select[*tuple[Any, ...]] | None:
        """Return the statement of the rows that match a view's query."""
        return self.filters.matches(dict(parse_qsl(query)), **self.arguments)


def find_list(path: str) -> ListPlace | None:
    """Return the list whose page is at a path, None if there is none."""
    endpoint, arguments = route_at(path) or ("", {})
    filters = getattr(current_app.view_functions.get(endpoint), "list_filters", None)
    policy = policy_of(endpoint, arguments) if filters else None
    if filters is None or policy is None:
        return None
    return ListPlace(filters, arguments, policy.divisions & current_user().divisions)


def parse(filters: ListFilters, values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the values of an address that a view keeps; days of a quick range are its word."""
    typed = {**filters.implied, **typed_values(values, (*filters.names, SORT, COLUMNS))}
    for quick in dates.quick_ranges(dates.today()):
        if [typed.get(name) for name in DAYS] == [str(quick.start), str(quick.end)]:
            return {n: v for n, v in typed.items() if n not in DAYS} | {dates.RANGE: quick.word}
    return typed


def is_same(filters: ListFilters, query: str, values: Mapping[str, str]) -> bool:
    """Return whether the address of a view's query shows the same as one with values."""
    each = (parse(filters, dict(parse_qsl(query))), parse(filters, values))
    one, other = ({**found, **dates.days_of_range(found), dates.RANGE: ""} for found in each)
    return one == other


def address_of(view: SavedView) -> str:
    """Return the full address of a view's list."""
    return f"{view.list}?{urlencode({**dict(parse_qsl(view.query)), VIEW: view.id})}"


def get_view(text: str, path: str = "") -> SavedView:
    """Return the view with a number, of the list at a path if one is given; raises NotFound."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    view = queries.get_view(current_user(), number)
    if path not in ("", view.list):
        raise NotFound(f"This view is of another list, {view.list}.")
    return view


def open_view() -> str:
    """Read the view that the address names; return the query that the address lacks."""
    number = request.args.get(VIEW)
    g.saved_view = view = None if number is None else get_view(number, request.path)
    is_short = view and view.query and request.args.keys() <= {VIEW, "page"}
    return urlsplit(address_of(view)).query if view and is_short else ""


def opening(left: Mapping[str, str] | None) -> str:
    """Return the query of what a device left, else of the person's default view, else ''.

    What was left without filters, {}, is the whole list; a view that no longer exists is nothing.
    """
    if left is not None:
        with suppress(NotFound):
            view = get_view(left[VIEW], request.path) if VIEW in left else None
            is_whole = view and left.keys() == {VIEW}
            return urlsplit(address_of(view)).query if view and is_whole else urlencode(left)
    user = current_user()
    default = queries.find_default(user, request.path) if user.preference_revision else None
    return urlsplit(address_of(default)).query if default else ""


def left(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return what a device remembers: of a view as it is saved nothing else."""
    view = g.saved_view
    if view is None:
        return values
    is_saved = is_same(g.list_filters, view.query, request.args)
    return {**({} if is_saved else values), VIEW: str(view.id)}


def finish(response: Response) -> None:
    """Add to rows that htmx loads whether they are still those of the view."""
    if g.saved_view and is_htmx_for("list") and response.status_code in (200, 422):
        state = render_template("views/_state.html", is_fragment=True, **_strip())
        response.set_data(response.get_data(as_text=True) + state)


def strip_of(
    path: str, filters: ListFilters, values: Mapping[str, str], view: SavedView | None
) -> Mapping[str, Any]:
    """Return what the heading and the menu of a list show of the view that its address names."""
    return {
        "view": view,
        "list": path,
        "query": urlencode(parse(filters, values)),
        "is_changed": view and not is_same(filters, view.query, values),
        "is_all": view is None and is_same(filters, "", values),
    }


def _strip() -> Mapping[str, Any]:
    return strip_of(request.path, g.list_filters, request.args, g.saved_view)


def view_heading(heading: str) -> Markup:
    """Return the heading of a page, for a list with its view and the menu of its views."""
    if "list_filters" not in g:
        return Markup('<h1 tabindex="-1">{}</h1>').format(heading)
    # The template has escaped it.
    return Markup(render_template("views/_strip.html", heading=heading, **_strip()))  # noqa: S704


def view_notices() -> Sequence[tuple[str, str]]:
    """Return what of the address's view no longer exists, each with the address without it."""
    view = g.get("saved_view")
    if view is None:
        return []
    filters, values = g.list_filters, dict(parse_qsl(view.query))
    notices = [
        (f"“{view.name}” also filtered by {name}, which this list no longer does.", "")
        for name in sorted(values.keys() - {*filters.names, SORT, COLUMNS})
    ]
    # A dash stands for rows without a value.
    in_use = {n: v for n in filters.in_use if (v := values.get(n, "")).strip("–")}
    used = {n: v for n, v in in_use.items() if request.args.get(n) == v}
    statements = {n: filters.matches({n: v}, **(request.view_args or {})) for n, v in used.items()}
    counts = count_each(*statements.values()) if statements else ()
    for name, count in zip(used, counts, strict=True):
        # An address with the view alone is that of all its filters.
        rest = {n: v for n, v in request.args.items() if n != "page"} | {name: ""}
        if not count:
            text = f"“{view.name}” filters by {name} {used[name]}, which no longer exists."
            notices.append((text, f"{request.path}?{urlencode(rest)}"))
    return notices


def fill_in(
    sent: Mapping[str, str], called: Mapping[str, str], names: Collection[str]
) -> Mapping[str, str]:
    """Return the parameters of a list's call with those of the view that it names; sent ones win.

    `called` are names of the page in calls, `names` the call's parameters. Raises Invalid.
    """
    arguments = request.view_args or {}
    try:
        view = get_view(sent[VIEW])
    except NotFound as error:
        raise Invalid(error.message, VIEW) from None
    place, values = find_list(view.list), dict(parse_qsl(view.query))
    where = {**values, **(place.arguments if place else {})}
    call = (request.endpoint or "").rpartition(".")[2].removesuffix("_main")
    others = [name for name in arguments if name in where and where[name] != arguments[name]]
    if place is None or call != place.filters.call or others:
        raise Invalid(f"This view is of another list, {view.list}.", VIEW)
    day = {"today": dates.today()} if dates.RANGE in values else {}
    g.view_in_call = {"revision": view.revision, **day}
    days = {*DAYS, dates.RANGE}
    taken = {*arguments, *(days if days & sent.keys() else ())}
    found = {called.get(n, n): value for n, value in values.items() if n not in taken}
    rest = {name: text for name, text in sent.items() if name != VIEW}
    return {name: value for name, value in found.items() if name in names} | rest


def init_app(app: Flask) -> None:
    """Let the pages of lists have views, and their links to themselves keep the address's view."""
    app.jinja_env.globals.update(view_heading=view_heading, view_notices=view_notices)

    @app.url_defaults
    def keep_view(endpoint: str, values: dict[str, Any]) -> None:
        view = g.get("saved_view")
        where = request.view_args if view else None
        if view is None or endpoint != request.endpoint or where is None:
            return
        is_same_list = all(values.get(name, value) == value for name, value in where.items())
        filtered = {name: value for name, value in values.items() if name not in where and value}
        # The whole list is nobody's view.
        if is_same_list and filtered.items() - g.list_filters.implied.items():
            values.setdefault(VIEW, view.id)
