"""Pages of moves."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from flask import Response, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.assets.acts import ASSET_PATH, RELOAD_EVENT, for_assets, undo_url
from app.assets.forms import MoveForm
from app.assets.pages.register import bp
from app.assets.queries import moves as move_queries
from app.assets.queries import register as register_queries
from app.assets.rules import MAX_MOVED, NO_VALUE
from app.assets.schemas.register import MOVE_FILE, MOVE_LIST, asset_query
from app.assets.services import moves as services
from app.assets.services.moves import MoveResult
from app.divisions import Division
from app.errors import Invalid, NotFound
from app.money import count_of, format_number
from app.paging import MAX_ID
from app.records.lists import export_file, exports, find_page, keeps_filters
from app.records.record import Query
from app.versions import versions_of
from app.web import access, caching
from app.web.form_handling import handle_form, render_form, respond_done
from app.web.htmx import is_htmx
from app.web.list_query import FilterChip, filter_chips, range_links, show_history
from app.web.navigation import Screen, back_link

CLEAR_SELECTION = "ticked-moved"
"""The event that clears the selection."""


@for_assets.route(bp, f"{ASSET_PATH}/move", "Failed to move asset", "GET", "POST")
@access.redisplays_form
def move_asset(number: int) -> ResponseReturnValue:
    """Move an asset to a destination."""
    return _move([number], lambda r: f"{r.item} moved to {r.destination}.", RELOAD_EVENT)


@for_assets.route(bp, "/assets/move", "Failed to move asset", "GET", "POST")
@access.redisplays_form
def move_assets() -> ResponseReturnValue:
    """Move the selected assets to one destination."""
    try:
        numbers = _selected_numbers()
    except Invalid as error:
        if is_htmx() or request.method == "POST":
            raise
        # The link on an error page would lead back here.
        flash(error.message)
        return redirect(back_link("/assets") or url_for("assets.assets"), 303)
    return _move(numbers, _message_for_several, f"{RELOAD_EVENT}, {CLEAR_SELECTION}")


def _move(
    numbers: Sequence[int], message: Callable[[MoveResult], str], events: str
) -> ResponseReturnValue:
    form = MoveForm()
    back = url_for("assets.assets")

    def render() -> str:
        assets = register_queries.selected_assets(numbers)
        return render_form(
            "assets/move.html",
            form=form,
            default_back=back,
            assets=assets,
            missing=len(set(numbers)) - len(assets),
            current_locations=Counter(row.location for row in assets).most_common(),
            locations=register_queries.values_in_use()["location"],
        )

    return handle_form(
        form,
        MoveResult,
        lambda: services.move_assets(
            numbers, form.destination.data, by=access.current_user().user_id, stamp=form.stamp()
        ),
        render=render,
        respond=lambda result: respond_done(
            message(result),
            back=form.back_to or back,
            reload_event=events,
            undo=undo_url(result.first_move, result.moved),
        ),
        rebuild=services.rebuild_move,
    )


def _selected_numbers() -> Sequence[int]:
    submitted = request.form if request.method == "POST" else request.args
    if "all" in submitted:
        return _matching_numbers(asset_query(submitted))
    texts = list(dict.fromkeys(submitted.getlist("asset")))
    if not texts:
        raise Invalid("Tick the assets to move first.")
    if len(texts) > MAX_MOVED:
        raise Invalid(
            f"At most {MAX_MOVED} assets can be moved at once, "
            f"and {format_number(len(texts))} are ticked."
        )
    numbers = [int(t) for t in texts if t.isascii() and t.isdecimal() and len(t) < 11]
    if len(numbers) < len(texts) or max(numbers) > MAX_ID:
        raise NotFound(register_queries.NO_SUCH_ASSET)
    return numbers


def _matching_numbers(query: Query) -> Sequence[int]:
    numbers = register_queries.matching_numbers(query, MAX_MOVED + 1)
    if not numbers:
        raise Invalid("No assets match. Load the list again.")
    if len(numbers) > MAX_MOVED:
        raise Invalid(f"At most {MAX_MOVED} assets can be moved at once. Filter the list further.")
    return numbers


def _message_for_several(result: MoveResult) -> str:
    parts = [f"{count_of(result.moved, 'asset')} moved to {result.destination}"]
    if result.unchanged:
        parts.append(f"{count_of(result.unchanged, 'was', 'were')} there already")
    if result.missing:
        parts.append(f"{count_of(result.missing, 'is', 'are')} no longer in the register")
    return "; ".join(parts) + "."


_address = partial(url_for, "assets.history")

SCREENS = [Screen(Division.ASSETS, "History", "assets.history", key="h")]


@for_assets.route(bp, "/assets/history", "Failed to load history")
@keeps_filters(MOVE_LIST, call="asset_history")
def history() -> ResponseReturnValue:
    """Show a page of the moves, newest first."""
    versions = tuple(versions_of((register_queries.LIST, move_queries.LIST)))
    if unchanged := caching.not_modified(*versions, dates.today()):
        return unchanged
    query = MOVE_LIST.parse(request.args)

    def load() -> dict[str, Any]:
        page = {} if query.problems else find_page(MOVE_LIST, query, versions, _address)
        return {
            **page,
            "days": query.days,
            "address": _address,
            "file": partial(url_for, "assets.export_history"),
            "chips": _chips(query),
            "ranges": range_links(_address, query.values, *query.days),
        }

    def load_choices() -> dict[str, Any]:
        return {
            "locations": move_queries.locations(),
            "movers": move_queries.movers(),
            "no_value": NO_VALUE,
        }

    return show_history("assets", query, version=versions, load=load, load_choices=load_choices)


@bp.get("/assets/history/export")
@for_assets
@exports("asset moves", "Failed to load history")
def export_history() -> Response:
    """Send all filtered moves as a file, while they are read."""
    query = MOVE_LIST.parse(request.args)
    query.check()
    rows = move_queries.stream_matching(MOVE_LIST.where(query))
    return export_file(f"assets_history_{dates.today()}.csv", MOVE_FILE, rows)


def _chips(query: Query) -> Sequence[FilterChip]:
    values = query.values
    location, who = values.get("location"), values.get("who")
    texts = {
        "q": f"“{values.get('q')}”",
        "location": "No location" if location == NO_VALUE else location or "",
        "who": f"By {'Terminal' if who == NO_VALUE else who}",
    }
    return filter_chips(_address, values, texts, *query.days)
