"""The page of the search, which the box in the header shows as a list."""

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.divisions import Division
from app.global_search import queries
from app.global_search.schemas import KINDS
from app.web import access
from app.web.access import current_user
from app.web.htmx import is_htmx

bp = Blueprint("global_search", __name__)
BLUEPRINTS = (bp,)


@access.signed_in.route(bp, "/search", "Failed to search")
def search() -> ResponseReturnValue:
    """Show what is found in all divisions; the page opens the only exact result instead."""
    user, is_fragment = current_user(), is_htmx()
    found = queries.find(KINDS, request.args.get("q", ""), user)
    if len(found.exact) == 1 and not is_fragment:
        return redirect(found.exact[0].url)
    divisions = [division.label for division in Division if division in user.divisions]
    return render_template(
        f"global_search/{'_results' if is_fragment else 'search'}.html",
        is_fragment=is_fragment,
        found=found,
        divisions=divisions,
    )
