"""The page of an asset, and the forms that add and edit one."""

from dataclasses import replace
from typing import Any

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.assets.forms import AddAssetForm, EditAssetForm
from app.assets.pages.blueprint import ASSET_PATH, bp, for_assets
from app.assets.queries import moves
from app.assets.queries import register as queries
from app.assets.queries.numbering import next_id
from app.assets.rules.assets import STATUSES, status_tone
from app.assets.services import register as services
from app.assets.services.register import AssetChange
from app.errors import Conflict, EditConflict
from app.names import merge_names
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_with_page
from app.web.navigation import back_link
from app.web.paging import requested_page


@bp.get(ASSET_PATH)
@for_assets
@failure_message("Failed to load assets")
def asset(number: int) -> ResponseReturnValue:
    """Show the fields of an asset and its moves."""
    back = back_link("/assets") or back_link("/assets/history") or url_for("assets.assets")
    not_modified = caching.not_modified(version_of(queries.LIST), version_of(moves.LIST), back)
    if not_modified is not None:
        return not_modified
    found = queries.get_asset(number)
    return render_template(
        "assets/asset.html",
        asset=found,
        page=moves.asset_move_page(found.asset_key, requested_page()),
        back=back,
        status_tone=status_tone,
    )


@bp.route("/assets/add", methods=["GET", "POST"])
@for_assets
@access.redisplays_form
@failure_message("Failed to add asset")
def add_asset() -> ResponseReturnValue:
    """Add an asset to the register."""
    form = AddAssetForm()

    def add() -> AssetChange:
        new = form.state()
        return services.add_asset(new if new.id else replace(new, id=next_id()))

    def render() -> str:
        if not form.is_submitted():
            form.propose(next_id())
        elif isinstance(form.refusal, Conflict) and form.has_proposed_id:
            form.replace_taken_id(next_id())
        back = url_for("assets.assets")
        return render_dialog(
            "assets/add_asset.html", form=form, default_back=back, **_suggestions()
        )

    return handle_form(
        form,
        AssetChange,
        add,
        render=render,
        respond=lambda change: _open_asset(change, f"Added {change.item}."),
    )


@bp.route(f"{ASSET_PATH}/edit", methods=["GET", "POST"])
@for_assets
@access.redisplays_form
@failure_message("Update failed")
def edit_asset(number: int) -> ResponseReturnValue:
    """Edit the fields of an asset."""
    form = EditAssetForm(obj=queries.get_asset(number) if request.method == "GET" else None)

    def edit() -> AssetChange:
        revision = form.revision.sent
        by = current_user().user_id
        return services.edit_asset(
            number, form.state(), revision=revision, by=by, stamp=form.stamp()
        )

    def render() -> str:
        current = queries.get_asset(number)
        differences = None
        if isinstance(form.refusal, EditConflict):
            form.revision.data = current.revision
            differences = form.differences(queries.state_of(current))
        return render_dialog(
            "assets/edit_asset.html",
            form=form,
            default_back=url_for("assets.asset", number=number),
            asset=current,
            differences=differences,
            **_suggestions(),
        )

    return handle_form(
        form,
        AssetChange,
        edit,
        render=render,
        respond=lambda change: _open_asset(change, f"Saved {change.item}."),
    )


def _suggestions() -> dict[str, Any]:
    in_use = queries.values_in_use()
    return {
        "suppliers": queries.supplier_suggestions(),
        "locations": in_use.locations,
        "categories": in_use.categories,
        "statuses": merge_names(STATUSES, in_use.statuses),
    }


def _open_asset(change: AssetChange, message: str) -> ResponseReturnValue:
    return respond_with_page(message, url_for("assets.asset", number=change.number))
