"""The page of saved views, the menu of a list, and the tiles of the dashboard."""

from contextlib import suppress
from itertools import groupby
from urllib.parse import parse_qsl, urlsplit

from flask import Blueprint, current_app, render_template, request
from flask.typing import ResponseReturnValue

from app.errors import QuartermasterError
from app.records.acts import serve
from app.sums import count_each
from app.views.acts import ACTS, list_at, seen_views, starred_here
from app.views.acts.lists import address_of, find_list, get_view, strip_of
from app.views.models import SavedView
from app.web import access
from app.web.navigation import referring_path
from app.web.remembered import VIEW

bp = Blueprint("views", __name__)
BLUEPRINTS = (bp,)
serve(bp, *ACTS)


def _label(path: str) -> str:
    """Return the name of a list: that of its screen in the menu, else the end of its path."""
    place, screens = find_list(path), current_app.extensions["screens"]
    labels = [each.label for each in screens if each.url == path]
    owner = min(place.divisions) if place else None
    label = labels[0] if labels else path.strip("/").rpartition("/")[2].capitalize()
    return f"{owner.label}: {label}" if owner else label


@access.signed_in.route(bp, "/views", "Failed to load views")
def views() -> ResponseReturnValue:
    """Show a person's own and shared views by list, all or those of one."""
    path = request.args.get("list", "")
    rows = [row for row, _ in seen_views(*([SavedView.list == path] if path else []))]
    lists = [(_label(at), [*some]) for at, some in groupby(rows, lambda row: row.view.list)]
    return render_template("views/views.html", lists=lists, path=path, address_of=address_of)


@access.signed_in.route(bp, "/views/menu", "Failed to load views")
def menu() -> ResponseReturnValue:
    """Show the views of a list, and what can be done with the filters of the page behind it."""
    path = request.args.get("list", "")
    values = dict(parse_qsl(urlsplit(referring_path() or "").query))
    filters = list_at(path).filters
    view = get_view(values[VIEW], path) if VIEW in values else None
    strip = strip_of(path, filters, values, view)
    views = [row.view for row, _ in seen_views(SavedView.list == path)]
    return render_template("views/_menu.html", views=views, address_of=address_of, **strip)


@access.signed_in.route(bp, "/views/tiles", "Failed to load views")
def tiles() -> ResponseReturnValue:
    """Show the starred views of the chosen division with how many rows each has."""
    views = starred_here()
    counted = {}
    for view, place in views:
        with suppress(QuartermasterError):
            if (statement := place.matches(view.query)) is not None:
                counted[view.id] = statement
    counts = dict(zip(counted, count_each(*counted.values()) if counted else (), strict=True))
    return render_template("views/_tiles.html", views=views, counts=counts)
