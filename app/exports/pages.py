"""The page of all lists of a division as files, and everything as one file."""

from flask import Blueprint, Response, render_template, stream_with_context

from app import dates
from app.divisions import Division
from app.errors import NotFound
from app.exports.targets import everything, lists_of
from app.records.lists import export_file, exports
from app.web import access
from app.web.downloads import download

bp = Blueprint("exports", __name__)
BLUEPRINTS = (bp,)

PREFIXES = {division: f"/export/{division}" for division in Division}


@access.any_division.route(bp, "/export", "Failed to load the lists")
def show() -> str:
    """Show the lists of the chosen division."""
    division = access.current_user().chosen
    return render_template("exports/lists.html", division=division, lists=lists_of(division))


@access.division_in_path
@exports("{list_key}")
def export_list(division: str, list_key: str) -> Response:
    """Send all rows of a list as a file."""
    listed = lists_of(Division(division)).get(list_key)
    if not listed:
        raise NotFound(f'There is no list "{list_key[:40]}".')
    return export_file(f"{list_key}.csv", listed.columns, listed.current())


@access.division_in_path.to_change.by_managers
@exports("everything of {division}")
def export_all(division: str) -> Response:
    """Stream all lists of a division as a ZIP of CSV files, for managers."""
    chunks = stream_with_context(everything(Division(division)))
    return download(f"{division}-{dates.today()}.zip", chunks, "application/zip")


access.add_by_division(bp, PREFIXES, "/<list_key>.csv", export_list)
access.add_by_division(bp, PREFIXES, "/all.zip", export_all)
