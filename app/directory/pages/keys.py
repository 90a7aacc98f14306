"""The pages of keys: their holders, and the dialogs in which they change hands."""

from collections.abc import Callable
from functools import partial

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.directory import queries
from app.directory.forms import HandOverForm, ReturnKeyForm
from app.directory.models import Key
from app.directory.pages.blueprint import bp, for_gpm
from app.directory.rules import DirectoryList, describe_time_out
from app.directory.schemas.lists import KEY_LIST
from app.directory.services import keys as services
from app.directory.services.keys import HANDOVERS, KeyHandover
from app.divisions import Division
from app.errors import Conflict
from app.names import merge_names
from app.records.lists import list_view
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_done
from app.web.list_query import SORT
from app.web.navigation import Screen
from app.web.paging import requested_page
from app.web.sorting import Sorting

SCREENS = [Screen(Division.GPM, "Keys", "directory.keys")]

ONE_KEY = "/keys/<int(max=2147483647):key_id>"
RELOAD_EVENT = "keys-changed"
MAX_RECENT = 4
"""How many of the last holders have a button of their own."""


def _time_out(key: Key) -> str:
    since = key.holder_since
    return "" if since is None else describe_time_out(dates.london_day(since), dates.today())


list_view(bp, for_gpm, KEY_LIST, "/keys", time_out=_time_out)


@bp.get(f"{ONE_KEY}/history")
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
        time_out=_time_out,
    )


@bp.route(f"{ONE_KEY}/hand-over", methods=["GET", "POST"])
@for_gpm
@access.redisplays_form
@failure_message("Failed to hand over key")
def hand_over(key_id: int) -> ResponseReturnValue:
    """Hand a key over to somebody."""
    form = HandOverForm()

    def render() -> str:
        key = queries.key(key_id)
        recent = queries.recent_holders(MAX_RECENT, except_for=key.holder)
        form.holder_before.data = key.holder
        return render_dialog(
            "directory/hand_over.html",
            form=form,
            default_back=url_for("directory.keys"),
            key=key,
            time_out=_time_out,
            recent=recent,
            offered=merge_names(recent, queries.teams_offered()),
        )

    return _handle_handover(key_id, form, lambda: form.new_holder, render)


@bp.route(f"{ONE_KEY}/return", methods=["GET", "POST"])
@for_gpm
@access.redisplays_form
@failure_message("Failed to return key")
def return_key(key_id: int) -> ResponseReturnValue:
    """Take a key back from its holder after a confirmation."""
    form = ReturnKeyForm()

    def render() -> str:
        key = queries.key(key_id)
        form.holder_before.data = key.holder
        return render_dialog(
            "directory/return_key.html",
            form=form,
            default_back=url_for("directory.keys"),
            key=key,
            time_out=_time_out,
        )

    return _handle_handover(key_id, form, lambda: "", render)


def _handle_handover(
    key_id: int,
    form: HandOverForm | ReturnKeyForm,
    holder: Callable[[], str],
    render: Callable[[], str],
) -> ResponseReturnValue:
    def action() -> KeyHandover:
        before = form.holder_before.data or ""
        by = current_user().user_id
        return services.hand_over(key_id, holder(), holder_before=before, by=by)

    def respond(handover: KeyHandover) -> ResponseReturnValue:
        message = (
            f"{handover.label} is with {handover.holder} now."
            if handover.holder
            else f"{handover.label} was returned by {handover.holder_before}."
        )
        back = form.back_to or url_for("directory.keys")
        return respond_done(message, back=back, reload_event=RELOAD_EVENT)

    return handle_form(
        form,
        KeyHandover,
        action,
        render=render,
        respond=respond,
        reload_on=Conflict,
        reload_event=RELOAD_EVENT,
    )
