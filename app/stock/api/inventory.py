"""Stock levels: read, replace whole, patch, update in bulk, transfer."""

from collections.abc import Iterator
from typing import Any

from flask import Response, request

from app import dates
from app.api.calls import Blueprint, ListChangeReply, run_once
from app.api.description import BASED, MATCHED, raises
from app.api.lists import if_match_versions, list_part, whole_list
from app.divisions import Division, Store
from app.errors import Conflict, Unsupported
from app.stock.api.scope import Scope
from app.stock.queries import levels
from app.stock.rules.bulk import Action
from app.stock.schemas import bodies, count_sheets
from app.stock.services import bulk, lists, patches
from app.tables.csv_files import Upload
from app.web.access import current_user

_SAID = bodies.PatchBody(exclude=("ops",))
"""What the books say of a change besides its user."""


def add_calls(blueprint: Blueprint, scope: Scope) -> None:
    """Add the calls to a blueprint; GPM's go without a site too."""
    paths = ["/inventory/<site>"]
    if scope.division is not Division.GFM:
        paths.append("/inventory")
    for path in paths:
        _add_list_calls(blueprint, scope, path)
    if scope.division is Division.GFM:
        _add_transfers(blueprint, scope)


def _add_list_calls(blueprint: Blueprint, scope: Scope, path: str) -> None:
    suffix = "" if "<site>" in path else "_main"
    gaps = [] if suffix else [scope.site_parameter]

    @blueprint.route(path, methods=["GET"], endpoint=f"inventory{suffix}", parameters=gaps)
    @scope.policy
    @blueprint.lists(bodies.ItemReply)
    def inventory(paging: dict[str, Any], site: str | None = None) -> Response:
        """List the items of a site by name, with the list's ETag where it is whole."""
        store = scope.store(site)
        version = levels.data_version(store)
        if "limit" in paging:
            return _part(store, paging["limit"], paging["cursor"])

        def rows() -> Iterator[dict[str, Any]]:
            # Read at once: a slow line must not hold a connection to the database.
            return map(bodies.item_json, list(levels.all_stock(store)))

        return whole_list(_tag(store), version, rows)

    @blueprint.route(path, methods=["POST"], endpoint=f"replace_inventory{suffix}", parameters=gaps)
    @scope.policy
    @blueprint.arguments(bodies.ItemBody(many=True))
    @blueprint.arguments(_SAID, location="query")
    @blueprint.response(200, ListChangeReply)
    @blueprint.doc(parameters=[*MATCHED["parameters"], {"in": "query", "schema": _SAID}])
    def replace_inventory(
        wanted: list[Any], said: dict[str, Any], site: str | None = None
    ) -> lists.ImportResult:
        """Make the list hold exactly these items; what isn't named is removed."""
        store = scope.store(site)
        versions = if_match_versions(_tag(store))
        by = current_user().user_id
        return run_once(
            lists.ImportResult,
            lambda: lists.replace_stock(store, wanted, versions=versions, by=by, **_booking(said)),
            of=_tag(store),
            reads_match=True,
        )

    @blueprint.route(path, methods=["PATCH"], endpoint=f"patch_inventory{suffix}", parameters=gaps)
    @scope.policy
    @blueprint.arguments(bodies.PatchBody)
    @blueprint.response(200, bodies.PatchReply)
    @blueprint.alt_response(
        409, schema=bodies.PatchConflictReply, description=bodies.PatchConflictReply.__doc__
    )
    @blueprint.doc(**BASED)
    @raises(Conflict)
    def patch_inventory(body: dict[str, Any], site: str | None = None) -> dict[str, Any]:
        """Apply a set of operations, all of them or none."""
        store = scope.store(site)
        versions = if_match_versions(_tag(store))
        result = run_once(
            patches.PatchResult,
            lambda: patches.patch_stock(
                store, body["ops"], versions=versions, by=current_user().user_id, **_booking(body)
            ),
            of=_tag(store),
            reads_match=True,
        )
        items = [{"item": name, "amount": amount} for name, amount in result.items]
        return {"operation": result.operation, "items": items}

    @blueprint.route(
        f"{path}/bulk", methods=["POST"], endpoint=f"bulk_update{suffix}", parameters=gaps
    )
    @scope.policy
    @blueprint.arguments(bodies.BulkBody)
    @blueprint.response(200, bodies.BulkReply)
    @blueprint.doc(**BASED)
    @raises(Conflict)
    def bulk_update(body: dict[str, Any], site: str | None = None) -> dict[str, Any]:
        """Deliver, withdraw or transfer by lines of name and quantity, all of them or none."""
        return _bulk(scope.store(site), body)

    @blueprint.route(
        f"{path}/count-sheet", methods=["POST"], endpoint=f"read_sheet{suffix}", parameters=gaps
    )
    @scope.policy
    @blueprint.response(200, count_sheets.SheetReply)
    @blueprint.doc(
        requestBody={
            "content": {
                "text/csv": {
                    "schema": {"type": "string"},
                    "example": "item,counted\r\nHAND WARMER UNION JACK,77\r\n",
                }
            },
            "required": True,
        }
    )
    def read_sheet(site: str | None = None) -> dict[str, Any]:
        """Read a filled-in count sheet; nothing is changed."""
        store = scope.store(site)
        if request.mimetype != "text/csv":
            raise Unsupported("Send the sheet as text/csv.")
        sheet = Upload("count sheet", request.get_data())
        return count_sheets.read_sheet(sheet, levels.amounts(store))


def _booking(said: dict[str, Any]) -> dict[str, Any]:
    on = said.get("ts") or dates.today()
    return {"reason": said["reason"], "team": said["team"], "on": on}


def _add_transfers(blueprint: Blueprint, scope: Scope) -> None:
    @blueprint.route("/transfers", methods=["POST"])
    @scope.policy
    @blueprint.arguments(bodies.TransferBody)
    @blueprint.response(200, bodies.BulkReply)
    @blueprint.doc(**BASED)
    @raises(Conflict)
    def transfer(body: dict[str, Any]) -> dict[str, Any]:
        """Move items from one site to another, all lines or none."""
        moved = body | {"action": Action.TRANSFER, "team": "", "autoCreate": False}
        return _bulk(scope.store(body["source"]), moved)


def _bulk(store: Store, body: dict[str, Any]) -> dict[str, Any]:
    versions = if_match_versions(_tag(store))
    result = run_once(
        bulk.BulkChange,
        lambda: bulk.bulk_update(
            store,
            body["action"],
            body["lines"],
            auto_create=body["autoCreate"],
            destination=body["destination"],
            team=body["team"],
            on=body["date"],
            versions=versions,
            by=current_user().user_id,
        ),
        of=_tag(store),
        reads_match=True,
    )
    lines = [{"name": n, "before": before, "after": after} for n, before, after in result.lines]
    return {"operation": result.operation, "lines": lines}


def _tag(store: Store) -> str:
    return f"{store.division}-{store.site}"


def _part(store: Store, limit: int, cursor: str) -> Response:
    page = levels.stock_page(store, levels.StockFilter(), cursor, limit)
    rows = (bodies.item_json(row) for row in page.rows)
    return list_part(rows, limit, page.more_after)
