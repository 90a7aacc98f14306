"""The page of a reorder list."""

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import SITES, Site
from app.records.acts import METHODS, view_of
from app.records.lists import export_file, exports
from app.reorder.acts import ACTS, context_of, store_of
from app.reorder.forms import ReorderForm
from app.reorder.queries import reorder_list
from app.reorder.schemas import REORDER_FILE
from app.stock.acts import DESKS
from app.web import access
from app.web.error_pages import failure_message
from app.web.navigation import shared_screens
from app.web.remembered import remembers_filters

bp = Blueprint("reorder", __name__)
BLUEPRINTS = (bp,)
SCREENS = shared_screens(SITES, "Reorder", "reorder.reorder", in_path=True, key="r")


@access.division_in_path
@failure_message("Failed to load the reorder list")
@remembers_filters("site", implied={"site": Site.MAIN})
def reorder(division: str) -> ResponseReturnValue:
    """Show what to reorder for a site, from where and how much."""
    form = ReorderForm()
    context = context_of(form, store_of(division))
    return render_template("reorder/reorder.html", form=form, back=None, **context)


@access.division_in_path
@exports("reorder list of {division}")
def reorder_csv(division: str) -> Response:
    """Send the reorder list of a site as a file."""
    return export_file(
        "reorder.csv", REORDER_FILE, reorder_list(store_of(division), dates.today()).proposals
    )


access.add_by_division(bp, DESKS, "/reorder", reorder)
access.add_by_division(bp, DESKS, "/reorder.csv", reorder_csv)
for act in ACTS:
    access.add_by_division(bp, DESKS, act.path, view_of(act), methods=METHODS)
