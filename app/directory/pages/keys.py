"""The pages of keys: their holders, and the dialogs in which they change hands."""

from functools import partial

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.directory import queries
from app.directory.acts import ACTS, KEY, for_gpm, time_out
from app.directory.pages.blueprint import bp
from app.directory.rules import DirectoryList
from app.directory.schemas.lists import KEY_LIST
from app.directory.services.keys import HANDOVERS
from app.divisions import Division
from app.records.acts import serve
from app.records.lists import list_view
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.list_query import SORT
from app.web.navigation import Screen
from app.web.paging import requested_page
from app.web.sorting import Sorting

SCREENS = [Screen(Division.GPM, "Keys", "directory.keys")]

serve(bp, *ACTS)
list_view(bp, for_gpm, KEY_LIST, "/keys", time_out=time_out)


@bp.get(f"{KEY}/history")
@for_gpm
@failure_message("Failed to load keys")
def key_history(key_id: int) -> ResponseReturnValue:
    """Show the handovers of a key, newest first."""
    versions = version_of(DirectoryList.KEYS), version_of(HANDOVERS)
    not_modified = caching.not_modified(*versions, dates.today())
    if not_modified is not None:
        return not_modified
    key = queries.key(key_id)
    columns = queries.HANDOVER_COLUMNS
    order = columns.parse(request.args.get(SORT, ""))
    page = queries.handovers_page(key.label_key, requested_page(), order)
    address = partial(url_for, "directory.key_history", key_id=key_id)
    return render_template(
        "directory/key_history.html",
        key=key,
        page=page,
        sorting=Sorting(columns, order, page.total, address, {}),
        time_out=time_out,
    )
