"""The routes of the product: pages, JSON calls, and the guard in front of them."""

from functools import partial
from pathlib import Path

from flask import Flask

from app import api, gauges, web
from app.accounts import api as accounts_api
from app.accounts import pages as accounts_pages
from app.accounts import queries as accounts_queries
from app.accounts.services import sessions, tokens
from app.assets import api as assets_api
from app.assets import pages as assets_pages
from app.attachments import api as attachments_api
from app.attachments import pages as attachments_pages
from app.audit import pages as audit_pages
from app.bookings import api as bookings_api
from app.bookings import pages as bookings_pages
from app.dashboard import pages as dashboard_pages
from app.defects import api as defects_api
from app.defects import pages as defects_pages
from app.deliveries import api as deliveries_api
from app.deliveries import pages as deliveries_pages
from app.directory import api as directory_api
from app.directory import pages as directory_pages
from app.due import api as due_api
from app.due import pages as due_pages
from app.exports import pages as exports_pages
from app.exports.targets import TARGETS
from app.fleet import api as fleet_api
from app.fleet import pages as fleet_pages
from app.global_search import api as global_search_api
from app.global_search import pages as global_search_pages
from app.imports import api as imports_api
from app.imports import pages as imports_pages
from app.mileage import api as mileage_api
from app.mileage import pages as mileage_pages
from app.offline import pages as offline_pages
from app.photos import api as photos_api
from app.preferences import forms as preferences_forms
from app.preferences import pages as preferences_pages
from app.reorder import api as reorder_api
from app.reorder import pages as reorder_pages
from app.stock import api as stock_api
from app.stock import pages as stock_pages
from app.stock.api import reports as stock_reports
from app.vehicle_file import api as vehicle_file_api
from app.vehicle_file import pages as vehicle_file_pages
from app.views import api as views_api
from app.views import pages as views_pages
from app.views.acts import lists as views_lists
from app.web import access, navigation, rendered

PAGES = (
    accounts_pages,
    preferences_pages,
    dashboard_pages,
    stock_pages,
    deliveries_pages,
    reorder_pages,
    directory_pages,
    fleet_pages,
    defects_pages,
    due_pages,
    mileage_pages,
    vehicle_file_pages,
    bookings_pages,
    attachments_pages,
    assets_pages,
    imports_pages,
    exports_pages,
    audit_pages,
    global_search_pages,
    offline_pages,
    views_pages,
)
"""The features' pages."""

MENU = {
    "Stock": (*stock_pages.SCREENS, *deliveries_pages.SCREENS, *reorder_pages.SCREENS),
    "Desk": directory_pages.SCREENS,
    "Fleet": (
        *fleet_pages.VEHICLES,
        *bookings_pages.SCREENS,
        *fleet_pages.SCREENS,
        *defects_pages.SCREENS,
        *due_pages.SCREENS,
        *mileage_pages.SCREENS,
        *vehicle_file_pages.SCREENS,
    ),
    "Assets": (*assets_pages.SCREENS, *bookings_pages.ASSET_SCREENS),
}
"""The screens of the menu by group, in their order."""

CALLS = (
    accounts_api,
    stock_api,
    stock_reports,
    deliveries_api,
    reorder_api,
    directory_api,
    fleet_api,
    defects_api,
    due_api,
    bookings_api,
    mileage_api,
    vehicle_file_api,
    photos_api,
    attachments_api,
    assets_api,
    global_search_api,
    views_api,
)
"""The features' JSON calls, in the order of their documentation."""


def init_app(app: Flask, root: Path) -> None:
    """Register all pages and calls."""
    access.init_app(
        app,
        load=accounts_queries.signed_in_user,
        bearer=tokens.user_of_access_token,
        renew=sessions.renew_session,
    )
    web.init_app(app, root)
    register_imports = partial(imports_api.register_calls, targets=TARGETS.values())
    api.init_app(app, [*(feature.register_calls for feature in CALLS), register_imports])
    preferences_forms.init_app(app)
    navigation.init_app(app, MENU, dashboard_pages.waiting_in)
    app.extensions["views"] = views_lists
    views_lists.init_app(app)
    app.extensions["gauges"] = gauges.GAUGES
    app.extensions["targets"] = app.jinja_env.globals["import_targets"] = TARGETS
    upkeep = (vehicle_file_pages, due_pages, defects_pages, bookings_pages)
    app.extensions["panels"] = {
        "vehicle": {name: panel for pages in upkeep for name, panel in pages.PANELS.items()},
        "asset": bookings_pages.ASSET_PANELS,
        "item": deliveries_pages.ITEM_PANELS,
    }
    for blueprint in (bp for part in PAGES for bp in part.BLUEPRINTS):
        app.register_blueprint(blueprint)
    rendered.offer_components(app.jinja_env)
