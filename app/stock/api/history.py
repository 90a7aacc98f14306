"""The history of a division's stock as JSON."""

from functools import partial

from flask import Response

from app.api.blueprint import Blueprint
from app.api.lists import ListPaging, list_response, whole_list
from app.divisions import Division
from app.stock.api.scope import ABOUT, FOR_STOCK_DIVISIONS, TITLE, owner_of
from app.stock.queries import history as queries
from app.stock.queries import history_export as exports
from app.stock.queries.history_scope import HistoryFilters
from app.stock.rules.sorting import NEWEST_FIRST
from app.stock.schemas.history import (
    EntryReply,
    GpmEntryReply,
    GpmHistoryParameters,
    HistoryParameters,
    entry_json,
)

Requested = tuple[HistoryFilters, ListPaging]

bp = Blueprint("stock_history", TITLE, ABOUT, feature="stock", passes_division=True)
gpm_bp = Blueprint("gpm_stock_history", TITLE, ABOUT, feature="stock", passes_division=True)


@bp.route("/history", methods=["GET"])
@FOR_STOCK_DIVISIONS
@bp.lists(EntryReply, HistoryParameters)
def history(requested: Requested, division: Division | None) -> Response:
    """List the history, newest first, with the list's ETag if it is whole."""
    return _list_history(*requested, owner_of(division), with_prices=True)


@gpm_bp.route("/history", methods=["GET"], endpoint="history")
@FOR_STOCK_DIVISIONS
@gpm_bp.lists(GpmEntryReply, GpmHistoryParameters)
def gpm_history(requested: Requested, division: Division) -> Response:
    """List the history, newest first, with the list's ETag if it is whole."""
    return _list_history(*requested, division, with_prices=False)


def _list_history(
    filters: HistoryFilters, paging: ListPaging, owner: Division, *, with_prices: bool
) -> Response:
    name = f"{owner}-history"

    def version() -> int:
        return sum(queries.list_versions(owner))

    if paging.limit is None and filters.order.by != NEWEST_FIRST.by:
        current, found = version(), queries.sorted_rows(owner, filters)
        reply = EntryReply if with_prices else GpmEntryReply
        return whole_list(name, current, lambda: reply.write_all(found))
    return list_response(
        paging,
        name,
        rows=lambda: exports.stream_history(
            owner, filters, oldest_first=not filters.order.descending
        ),
        rows_after=lambda key, limit: exports.history_part(owner, filters, limit, int(key or 0)),
        write=partial(entry_json, with_prices=with_prices),
        version=version,
    )
