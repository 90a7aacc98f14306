"""The page of an asset."""

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from app.assets.acts import ASSET_PATH, for_assets
from app.assets.pages.blueprint import bp
from app.assets.queries import moves
from app.assets.queries import register as queries
from app.assets.rules.assets import status_tone
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.list_query import requested_page
from app.web.navigation import back_link


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
