"""The acts on assets: add one to the register, edit it, undo moves, and import both lists."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from flask import url_for

from app.assets import forms
from app.assets.models import Asset, AssetMove
from app.assets.queries import moves as move_queries
from app.assets.queries import register as queries
from app.assets.queries.numbering import next_id
from app.assets.rules import DASHES, ID, ITEM, QUANTITY, STATUSES, AssetState, AssetUpdate
from app.assets.schemas.register import ASSET_FILE, MOVE_FILE, read_assets, read_moves
from app.assets.services import imports
from app.assets.services import moves as move_services
from app.assets.services import register as services
from app.divisions import Division
from app.errors import Conflict
from app.money import format_number
from app.names import merge_names
from app.records.acts import Act, Outcome, Target, Then, new_record
from app.records.targets import Imported, ImportTarget
from app.versions import version_of
from app.web import access

for_assets = access.division(Division.ASSETS)

ASSET_PATH = "/assets/<row_id:number>"
_MOVE_PATH = "/assets/history/<row_id:move_id>"

RELOAD_EVENT = "assets-changed"
"""The event that makes the list reload."""


def _current(form: forms.EditAssetForm, asset: Asset) -> str:
    changed = form.differences(queries.state_of(asset))
    values = ", ".join(f"{label} {value}" for label, value in changed)
    return f"It is now: {values}." if values else ""


ON_ASSET = Target[Asset](
    read=queries.get_asset,
    page=lambda asset: url_for("assets.asset", number=asset.id),
    then=Then.OPEN,
    current=_current,
)

ON_MOVE = Target[AssetMove](
    read=move_queries.get_move, page=lambda _: url_for("assets.history"), reload_event=RELOAD_EVENT
)


def add_asset(values: AssetState) -> services.AssetChange:
    """Add an asset; one without an id gets the next free one."""
    return services.add_asset(values if values.id else replace(values, id=next_id()))


def _describe_added(change: services.AssetChange) -> Outcome:
    return Outcome(f"Added {change.item}.", url_for("assets.asset", number=change.number))


def _values_in_use(*_: Any) -> Mapping[str, Any]:
    in_use = queries.values_in_use()
    return {
        "suppliers": queries.supplier_suggestions(),
        "locations": in_use["location"],
        "categories": in_use["category"],
        "statuses": merge_names(STATUSES, in_use["status"]),
    }


def _add_values(form: forms.AddAssetForm, _: None) -> Mapping[str, Any]:
    if isinstance(form.refusal, Conflict):
        form.replace_taken_id(next_id)
    return _values_in_use()


def undo_url(first_move: int, moved: int) -> str | None:
    """Return the URL that undoes this many moves made together, None for id 0: it isn't known."""
    if not first_move:
        return None
    return url_for("assets.undo_moves" if moved > 1 else "assets.undo_move", move_id=first_move)


def _one_move(_: Any, move: AssetMove) -> Mapping[str, Any]:
    made_with = len(move_queries.standing_moves_made_with(move.id))
    undo_all = undo_url(move.id, made_with) if made_with > 1 else None
    return {"moves": [move], "undo_all": undo_all, "made_with": made_with}


def _moves_made_together(_: Any, move: AssetMove) -> Mapping[str, Sequence[AssetMove]]:
    standing = move_queries.standing_moves_made_with(move.id)
    return {"moves": standing or move_queries.moves_made_with(move.id)}


def _describe_undone(result: move_services.UndoMovesResult) -> Outcome:
    if result.moved > 1:
        message = f"Undone: {result.moved} assets are back where they were."
    else:
        message = f"Undone: {result.item} is back at {result.location or 'no location'}."
    return Outcome(message, undo=undo_url(result.first_move, result.moved))


def _import(
    updates: Sequence[AssetUpdate], by: int | None, _name: str, progress: services.Progress = iter
) -> Imported:
    change = services.set_assets(updates, by=by, progress=progress)
    without_id = sum(not update.id for update in updates)
    given = f". {format_number(without_id)} got an ID" if without_id else ""
    return Imported(f"{change.summary}{given}")


_ASSETS = ImportTarget(
    key="assets",
    label="Assets",
    call="/assets",
    division=Division.ASSETS,
    columns=ASSET_FILE,
    required=[ITEM.json],
    key_columns=[ID.json],
    alike=["serial"],
    units=QUANTITY.json,
    blanks=DASHES,
    read=read_assets,
    version=partial(version_of, queries.LIST),
    current=queries.stream_register,
    apply=_import,
    remove=lambda keys, by: services.remove_assets(keys, by=by),
)
_MOVES = ImportTarget(
    key="moves",
    label="Moves of assets",
    call="/assets/history",
    division=Division.ASSETS,
    columns=MOVE_FILE,
    required=[column.name for column in MOVE_FILE if column.field],
    new_rows=lambda file: [line.row.line for line in imports.new_moves(file)],
    read=read_moves,
    check=imports.new_moves,
    version=partial(version_of, move_queries.LIST),
    current=lambda: move_queries.stream_matching([]),
    apply=lambda file, by, *_: imports.import_moves(file, by=by),
    way_back="A move can be undone in the history of assets.",
)
TARGETS: Mapping[str, ImportTarget[Any]] = {each.key: each for each in (_ASSETS, _MOVES)}

ACTS = (
    Act(
        "add_asset",
        "/assets/add",
        for_assets,
        forms.AddAssetForm,
        add_asset,
        _describe_added,
        new_record("assets.assets", then=Then.OPEN),
        offer=lambda form, _: form.propose(next_id()),
        shows=_add_values,
        failure="Failed to add asset",
    ),
    Act(
        "edit_asset",
        f"{ASSET_PATH}/edit",
        for_assets,
        forms.EditAssetForm,
        services.edit_asset,
        "Saved {r.item}.",
        ON_ASSET,
        shows=_values_in_use,
    ),
    Act(
        "undo_move",
        f"{_MOVE_PATH}/undo",
        for_assets,
        forms.UndoMovesForm,
        move_services.undo_move,
        _describe_undone,
        ON_MOVE,
        shows=_one_move,
        failure="Failed to move asset",
        is_undo=True,
    ),
    Act(
        "undo_moves",
        f"{_MOVE_PATH}/undo-all",
        for_assets,
        forms.UndoMovesForm,
        move_services.undo_moves,
        _describe_undone,
        ON_MOVE,
        shows=_moves_made_together,
        failure="Failed to move asset",
        template="undo_move",
        is_undo=True,
    ),
)
