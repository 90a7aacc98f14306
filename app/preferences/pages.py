"""The pages of preferences: the columns of a list, and the keys."""

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.db import transaction
from app.preferences.forms import COLUMNS, read_menu, write_hidden
from app.preferences.services import change_preference
from app.web import access, caching
from app.web.access import current_user
from app.web.navigation import referring_path

bp = Blueprint("preferences", __name__)
BLUEPRINTS = (bp,)

KEYS = "keys"
"""The preference that is False for a person who has switched the keys off."""


@access.signed_in.by_viewers.route(bp, "/columns", "Update failed", "POST")
def choose_columns() -> ResponseReturnValue:
    """Hide the columns of a list that aren't ticked, or with `once` in its address alone."""
    path, listed = read_menu(request.form.get("list", ""))
    ticked = request.form.getlist("column")
    hidden = [name for name in listed if name not in ticked]
    back = urlsplit(referring_path() or path)
    query = [each for each in parse_qsl(back.query, keep_blank_values=True) if each[0] != COLUMNS]
    if "once" in request.form:
        query.append((COLUMNS, write_hidden(hidden)))
    else:

        def change(lists: Mapping[str, Sequence[str]] | None) -> Mapping[str, Sequence[str]]:
            # A list may have other columns at other times, such as those of another status.
            others = [name for name in (lists or {}).get(path, ()) if name not in listed]
            return {**(lists or {}), path: [*others, *hidden]}

        with transaction():
            change_preference(current_user().user_id, COLUMNS, change)
    query = query if back.path == path else []
    return redirect(f"{path}?{urlencode(query)}" if query else path, 303)


@bp.get("/shortcuts")
@access.signed_in.by_viewers
def shortcuts() -> ResponseReturnValue:
    """Show the keys, with the switch that turns them off; scripts read the letters here."""
    unchanged = caching.not_modified()
    return unchanged or render_template("preferences/shortcuts.html")


@access.signed_in.by_viewers.route(bp, "/shortcuts", "Update failed", "POST")
def switch_keys() -> ResponseReturnValue:
    """Turn the keys off, or on again, for all devices of the user."""
    with transaction():
        change_preference(current_user().user_id, KEYS, lambda _: "on" in request.form)
    return redirect(url_for("preferences.shortcuts"), 303)
