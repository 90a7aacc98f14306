"""The JSON calls of stock: under /api/gfm and /api/gpm, and under /api for either."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Response, request

from app import dates, names
from app.api import lists
from app.api.blueprint import Blueprint, IfMatch, change, raises
from app.api.changes import answers_made, find_once, request_stamp, run_once
from app.api.openapi import Api
from app.api.schemas import ListChangeReply
from app.divisions import SITES, Division, Site, Store
from app.errors import Conflict, Forbidden, NotFound, Unsupported
from app.idempotency import Result
from app.lists import ListChange
from app.records import calls
from app.stock.queries import history, levels, overview
from app.stock.queries.history_scope import HistoryFilters
from app.stock.rules.filters import NEWEST_FIRST, StockFilters
from app.stock.rules.items import ItemState
from app.stock.schemas import history as entries
from app.stock.schemas import items as schemas
from app.stock.schemas import movements as bodies
from app.stock.schemas.levels import LEVEL_LIST, LevelBody, LevelReply
from app.stock.schemas.levels import list_of as level_list
from app.stock.services import items as services
from app.stock.services import levels as level_services
from app.stock.services import movements
from app.stock.services.levels import LevelLine
from app.stock.services.movements import MovementResult
from app.web import access
from app.web.access import current_user

TITLE = "Stock"
ABOUT = (
    "Calls under /api/gfm refer to GFM's stock, under /api/gpm to GPM's. Without a prefix they "
    "refer to the chosen division if it keeps stock, else to GFM; without a site to GPM's main."
)

FOR_STOCK_DIVISIONS = access.api_call_by_prefix(*SITES)

bp = Blueprint("stock", TITLE, ABOUT, passes_division=True)
main_bp = Blueprint("main_stock", TITLE, ABOUT, feature="stock", passes_division=True)
transfers_bp = Blueprint("transfers", TITLE, ABOUT, feature="stock", passes_division=True)
history_bp = Blueprint("stock_history", TITLE, ABOUT, feature="stock", passes_division=True)
gpm_history_bp = Blueprint("gpm_stock_history", TITLE, ABOUT, feature="stock", passes_division=True)


def register_calls(api: Api) -> None:
    """Serve the calls; only GPM's list can be named without its site."""
    for division in (Division.GFM, Division.GPM, None):
        sites = {"type": "string", "enum": [site.value for site in SITES[division or Division.GFM]]}
        site = {"in": "path", "name": "site", "schema": sites, "required": True}
        api.register_prefixed(bp, division, parameters=[site])
        if division is not Division.GFM:
            api.register_prefixed(main_bp, division)
        else:
            api.register_prefixed(transfers_bp, division)
        api.register_prefixed(gpm_history_bp if division is Division.GPM else history_bp, division)


def owner_of(division: Division | None) -> Division:
    """Return the division of a call, by default the chosen one or GFM; raises Forbidden."""
    if division:
        return division
    chosen = current_user().chosen
    owner = chosen if chosen and chosen in SITES else Division.GFM
    if owner not in current_user().divisions:
        raise Forbidden(f"This belongs to {Division.GFM.label}; name your division in the address.")
    return owner


def store_of(division: Division | None, site: str | None) -> Store:
    """Return the store of a call, without a site GPM's; raises NotFound and Forbidden."""
    if site is None:
        if Division.GPM not in current_user().divisions:
            raise Forbidden("This belongs to GPM; name your site in the address.")
        return Store(Division.GPM, Site.MAIN)
    owner = owner_of(division)
    if site not in SITES[owner]:
        raise NotFound(f'{owner.label} has no site "{site[:40]}".')
    return Store(owner, Site(site))


SHEET_BODY = {
    "content": {
        "text/csv": {
            "schema": {"type": "string"},
            "example": "item,counted\r\nHAND WARMER UNION JACK,77\r\n",
        }
    },
    "required": True,
}


@main_bp.route("/inventory", methods=["GET"], endpoint="inventory_main")
@bp.route("/inventory/<site>", methods=["GET"])
@FOR_STOCK_DIVISIONS
@bp.lists(schemas.ItemReply, schemas.StockParameters)
def inventory(
    requested: tuple[StockFilters, lists.ListPaging],
    division: Division | None,
    site: str | None = None,
) -> Response:
    """List the items of a site by name, with the list's ETag if it is whole."""
    (filters, paging), store = requested, store_of(division, site)
    if paging.limit is not None:
        part = levels.load_rows(store, filters, paging.after, paging.limit)
        return lists.list_part(map(schemas.item_json, part.rows), paging.limit, part.next_key)

    def rows() -> Iterable[lists.JsonRow]:
        # Read at once: a slow client must not occupy a connection to the database.
        return map(schemas.item_json, levels.load_rows(store, filters, limit=levels.ALL_ROWS).rows)

    return lists.whole_list(_list_name(store), levels.site_state(store).version, rows)


def _find_replaced(division: Division | None, site: str | None = None) -> ListChange | None:
    return find_once(ListChange, list_name=_list_name(store_of(division, site)))


@main_bp.route("/inventory", methods=["POST"], endpoint="replace_inventory_main")
@bp.route("/inventory/<site>", methods=["POST"])
@FOR_STOCK_DIVISIONS
@bp.response(200, ListChangeReply)
@answers_made(_find_replaced)
@bp.arguments(schemas.ItemBody(many=True))
@bp.arguments(bodies.ReasonQuery, location="query")
@change(if_match=IfMatch.REQUIRED)
def replace_inventory(
    items: list[ItemState],
    details: dict[str, Any],
    division: Division | None,
    site: str | None = None,
) -> ListChange:
    """Replace the list by exactly these items; items that aren't listed are removed."""
    store = store_of(division, site)
    return _run_once(ListChange, store, services.replace_stock, items, **_details(details))


def _find_patched(division: Division | None, site: str | None = None) -> dict[str, Any] | None:
    name = _list_name(store_of(division, site))
    made = find_once(movements.PatchResult, list_name=name, rebuild=movements.rebuild_patch)
    return bodies.PatchReply.write(made) if made else None


@bp.route("/levels/<site>", methods=["GET"])
@FOR_STOCK_DIVISIONS
@bp.lists(LevelReply, calls.parameters_of(LEVEL_LIST))
def stock_levels(requested: calls.ListRequest, division: Division | None, site: str) -> Response:
    """List the minimums and targets of a site by item, with the list's ETag if it is whole."""
    store = store_of(division, site)
    record = level_list(store)
    # Names are stock's; what replaces the list is based on the version before the point.
    versions = levels.site_state(store)
    query = replace(requested.query, scope=record.scope())
    return calls.list_response(
        replace(requested, query=query),
        record,
        LevelReply.write_all,
        lambda: f"{versions.levels_version}.{versions.version}",
    )


@bp.route("/levels/<site>", methods=["PUT"])
@FOR_STOCK_DIVISIONS.by_managers
@bp.response(200, ListChangeReply)
@bp.arguments(LevelBody(many=True))
@change(if_match=IfMatch.REQUIRED)
def replace_levels(lines: list[LevelLine], division: Division | None, site: str) -> ListChange:
    """Replace the minimums and targets of a site; items that aren't listed have none."""
    store = store_of(division, site)
    name, by = f"{_list_name(store)}-levels", current_user().user_id
    versions = lists.if_match_versions(name)
    replace_all = partial(level_services.replace_levels, store, lines, versions=versions, by=by)
    return run_once(ListChange, replace_all, list_name=name)


@main_bp.route("/inventory", methods=["PATCH"], endpoint="patch_inventory_main")
@bp.route("/inventory/<site>", methods=["PATCH"])
@FOR_STOCK_DIVISIONS
@bp.response(200, bodies.PatchReply)
@answers_made(_find_patched)
@bp.arguments(bodies.PatchBody)
@bp.alt_response(
    409, schema=bodies.PatchConflictReply, description=bodies.PatchConflictReply.__doc__
)
@change(if_match=IfMatch.OPTIONAL)
@raises(Conflict)
def patch_inventory(
    body: dict[str, Any], division: Division | None, site: str | None = None
) -> dict[str, Any]:
    """Apply a set of operations, all of them or none."""
    result = _run_once(
        movements.PatchResult,
        store_of(division, site),
        movements.patch_stock,
        body["ops"],
        rebuild=movements.rebuild_patch,
        **_details(body),
    )
    return bodies.PatchReply.write(result)


def _details(sent: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"reason": sent["reason"], "team": sent["team"], "on": sent.get("ts") or dates.today()}


@main_bp.route("/inventory/bulk", methods=["POST"], endpoint="bulk_update_main")
@bp.route("/inventory/<site>/bulk", methods=["POST"])
@FOR_STOCK_DIVISIONS
@bp.arguments(bodies.BulkBody)
@bp.response(200, bodies.BulkReply)
@bp.alt_response(409, schema=bodies.NotEnoughReply, description=bodies.NotEnoughReply.__doc__)
@bp.alt_response(422, schema=bodies.NewTeamReply, description=bodies.NewTeamReply.__doc__)
@change(if_match=IfMatch.OPTIONAL)
@raises(Conflict)
def bulk_update(
    body: dict[str, Any], division: Division | None, site: str | None = None
) -> dict[str, Any]:
    """Deliver, withdraw or transfer by lines of name and quantity, all of them or none."""
    store = store_of(division, site)
    sent = {name: body[name] for name in ("destination", "auto_create", "team")}
    move = partial(movements.move, body["action"], **sent)

    def check_and_move(*values: Any, **details: Any) -> MovementResult:
        if not body["new_team"]:
            names.match("team", body["team"], overview.team_names(store.division))
        return move(*values, **details)

    return _move_once(store, check_and_move, body)


@transfers_bp.route("/transfers", methods=["POST"])
@FOR_STOCK_DIVISIONS
@bp.arguments(bodies.TransferBody)
@bp.response(200, bodies.BulkReply)
@bp.alt_response(409, schema=bodies.NotEnoughReply, description=bodies.NotEnoughReply.__doc__)
@change(if_match=IfMatch.OPTIONAL)
@raises(Conflict)
def transfer(body: dict[str, Any], division: Division) -> dict[str, Any]:
    """Transfer items from one site to another, all lines or none."""
    store = store_of(division, body["source"])
    return _move_once(store, partial(movements.transfer, destination=body["destination"]), body)


@main_bp.route("/inventory/count-sheet", methods=["POST"], endpoint="read_sheet_main")
@bp.route("/inventory/<site>/count-sheet", methods=["POST"])
@FOR_STOCK_DIVISIONS
@bp.response(200, schemas.SheetReply)
@bp.doc(requestBody=SHEET_BODY)
def read_sheet(division: Division | None, site: str | None = None) -> dict[str, Any]:
    """Read a filled-in count sheet; nothing is changed."""
    store = store_of(division, site)
    if request.mimetype != "text/csv":
        raise Unsupported("Send the sheet as text/csv.")
    return schemas.read_count_sheet(request.get_data(), levels.items_by_key(store))


def _move_once(
    store: Store, move: Callable[..., MovementResult], body: Mapping[str, Any]
) -> dict[str, Any]:
    result = _run_once(
        MovementResult,
        store,
        move,
        body["lines"],
        rebuild=movements.rebuild_movement,
        on=body["date"],
    )
    return bodies.BulkReply.write(result)


def _run_once(
    result_type: type[Result],
    store: Store,
    service: Callable[..., Result],
    *values: Any,
    rebuild: Callable[[int], Result] | None = None,
    **details: Any,
) -> Result:
    name = _list_name(store)
    versions, by, stamp = lists.if_match_versions(name), current_user().user_id, request_stamp(name)
    return run_once(
        result_type,
        partial(service, store, *values, versions=versions, by=by, stamp=stamp, **details),
        list_name=name,
        rebuild=rebuild,
    )


def _list_name(store: Store) -> str:
    return f"{store.division}-{store.site}"


Requested = tuple[HistoryFilters, lists.ListPaging]


@history_bp.route("/history", methods=["GET"], endpoint="history")
@FOR_STOCK_DIVISIONS
@history_bp.lists(entries.EntryReply, entries.HistoryParameters)
def gfm_history(requested: Requested, division: Division | None) -> Response:
    """List the history, newest first, with the list's ETag if it is whole."""
    return _list_history(*requested, owner_of(division), with_prices=True)


@gpm_history_bp.route("/history", methods=["GET"], endpoint="history")
@FOR_STOCK_DIVISIONS
@gpm_history_bp.lists(entries.GpmEntryReply, entries.GpmHistoryParameters)
def gpm_history(requested: Requested, division: Division) -> Response:
    """List the history, newest first, with the list's ETag if it is whole."""
    return _list_history(*requested, division, with_prices=False)


def _list_history(
    filters: HistoryFilters, paging: lists.ListPaging, owner: Division, *, with_prices: bool
) -> Response:
    name = f"{owner}-history"

    def version() -> int:
        return sum(history.list_versions(owner))

    if filters.order.by != NEWEST_FIRST.by:
        is_part = paging.limit is not None
        current, found = version(), history.sorted_rows(owner, filters, is_part=is_part)
        reply = entries.EntryReply if with_prices else entries.GpmEntryReply
        return lists.whole_list(name, current, lambda: reply.write_all(found))
    return lists.list_response(
        paging,
        name,
        rows=lambda: history.stream_history(
            owner, filters, oldest_first=not filters.order.descending
        ),
        rows_after=lambda key, limit: history.history_part(owner, filters, limit, int(key or 0)),
        write=partial(entries.entry_json, with_prices=with_prices),
        version=version,
    )
