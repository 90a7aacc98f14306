"""What happened to a division's stock."""

from collections.abc import Iterator
from typing import Any

from flask import Response

from app.api.calls import Blueprint
from app.api.lists import list_part, whole_list
from app.divisions import Division
from app.stock.api.scope import Scope
from app.stock.queries import history as queries
from app.stock.queries.history import HistoryFilter
from app.stock.schemas.entries import EntryReply, GpmEntryReply, entry_json


def add_calls(blueprint: Blueprint, scope: Scope) -> None:
    """Add the call to a blueprint; GPM's rows have no prices (seed §3)."""
    is_gpm = scope.division is Division.GPM

    @blueprint.route("/history", methods=["GET"])
    @scope.policy
    @blueprint.lists(GpmEntryReply if is_gpm else EntryReply)
    def history(paging: dict[str, Any]) -> Response:
        """List what happened, newest first, with the list's ETag where it is whole."""
        owner = scope.owner(Division.GFM)
        if "limit" in paging:
            return _part(owner, paging["limit"], paging["cursor"], with_prices=not is_gpm)
        version = sum(queries.data_versions(owner))

        def rows() -> Iterator[dict[str, Any]]:
            found = queries.history_rows(owner, HistoryFilter())
            return (entry_json(row, with_prices=not is_gpm) for row in found)

        return whole_list(f"{owner}-history", version, rows)


def _part(owner: Division, limit: int, cursor: str, *, with_prices: bool) -> Response:
    rows = queries.history_part(owner, limit + 1, int(cursor or 0))
    following = str(rows[limit - 1].id) if len(rows) > limit else None
    shown = (entry_json(row, with_prices=with_prices) for row in rows[:limit])
    return list_part(shown, limit, following)
