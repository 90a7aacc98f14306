"""An asset's own page; adding and editing."""

from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.assets.forms import AddAssetForm, EditAssetForm
from app.assets.pages.addresses import ASSET, bp, for_owner
from app.assets.queries import moves
from app.assets.queries import register as queries
from app.assets.rules.assets import STATUSES, tone
from app.assets.services import register as services
from app.assets.services.register import AssetChange
from app.errors import EditConflict
from app.names import merge_names
from app.versions import version_of
from app.web import access, caching
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form
from app.web.htmx import is_htmx
from app.web.navigation import back_link
from app.web.paging import requested_page


@bp.get(ASSET)
@for_owner
@failure_message("Failed to load assets")
def asset(number: int) -> ResponseReturnValue:
    """Show all that is known of an asset, and how it moved."""
    back = back_link("/assets") or back_link("/assets/history") or url_for("assets.assets")
    same = caching.not_modified(version_of(queries.LIST), version_of(moves.LIST), back)
    if same is not None:
        return same
    found = queries.asset(number)
    return render_template(
        "assets/asset.html",
        asset=found,
        page=moves.moves_of(found.asset_key, requested_page()),
        back=back,
        tone=tone,
    )


@bp.route("/assets/add", methods=["GET", "POST"])
@for_owner
@access.redisplays_form
@failure_message("Failed to add asset")
def add_asset() -> ResponseReturnValue:
    """Add an asset to the register."""
    form = AddAssetForm()

    def work() -> AssetChange:
        return services.add_asset(form.state())

    def ask() -> str:
        return _form("add_asset", form=form, back=form.back_to or url_for("assets.assets"))

    return handle_form(
        form, AssetChange, work, render=ask, respond=lambda done: _done(done, "Added")
    )


@bp.route(f"{ASSET}/edit", methods=["GET", "POST"])
@for_owner
@access.redisplays_form
@failure_message("Update failed")
def edit_asset(number: int) -> ResponseReturnValue:
    """Change what an asset is."""
    form = EditAssetForm(obj=queries.asset(number) if request.method == "GET" else None)

    def work() -> AssetChange:
        revision = -1 if form.revision.data is None else form.revision.data
        by = current_user().user_id
        return services.edit_asset(number, form.state(), revision=revision, by=by)

    def ask() -> str:
        found = queries.asset(number)
        now = None
        if isinstance(form.refusal, EditConflict):
            form.revision.data = found.revision
            now = form.others(queries.state_of(found))
        back = url_for("assets.asset", number=number)
        return _form("edit_asset", form=form, back=back, asset=found, now=now)

    return handle_form(
        form, AssetChange, work, render=ask, respond=lambda done: _done(done, "Saved")
    )


def _form(name: str, **context: Any) -> str:
    """Render a form: the fragment for htmx, a page of its own without a script."""
    offers = queries.in_use()
    fragment = "_" if is_htmx() else ""
    return render_template(
        f"assets/{fragment}{name}.html",
        suppliers=queries.known_suppliers(),
        locations=offers.locations,
        categories=offers.categories,
        statuses=merge_names(STATUSES, offers.statuses),
        **context,
    )


def _done(change: AssetChange, said: str) -> ResponseReturnValue:
    flash(f"{said} {change.item}.")
    page = url_for("assets.asset", number=change.number)
    if is_htmx():
        return "", 200, {"HX-Redirect": page}
    return redirect(page, 303)
