"""Quartermaster: stock, fleet and asset management for a company with several divisions."""

import os
from pathlib import Path

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app import api, web
from app.accounts import api as accounts_api
from app.accounts import pages as accounts_pages
from app.accounts import queries as accounts_queries
from app.accounts.services import sessions, tokens
from app.api import ping
from app.assets import api as assets_api
from app.assets import pages as assets_pages
from app.cli.lazy import LazyGroup
from app.config import Settings
from app.dashboard import pages as dashboard_pages
from app.db import db, engine_options, prepare_engine
from app.deliveries import api as deliveries_api
from app.deliveries import pages as deliveries_pages
from app.directory import api as directory_api
from app.directory import pages as directory_pages
from app.fleet import api as fleet_api
from app.fleet import pages as fleet_pages
from app.stock import api as stock_api
from app.stock import pages as stock_pages
from app.web import access, navigation

PAGES = (
    accounts_pages,
    dashboard_pages,
    stock_pages,
    deliveries_pages,
    directory_pages,
    fleet_pages,
    assets_pages,
)
"""The features' pages, in the order of the menu."""

CALLS = (ping, accounts_api, stock_api, deliveries_api, directory_api, fleet_api, assets_api)
"""The features' JSON calls, in the order in which they are documented."""

COMMANDS = {
    "users": "app.accounts.cli:users",
    "tokens": "app.accounts.cli:tokens",
    "stock": "app.stock.cli.lists:stock",
    "ledger": "app.stock.cli.lists:ledger",
    "history": "app.stock.cli.history:history",
    "directory": "app.directory.cli:directory",
    "vehicles": "app.fleet.cli.vehicles:vehicles",
    "photos": "app.fleet.cli.photos:photos",
    "assets": "app.assets.cli:assets",
    "backup": "app.backups.cli:backup",
    "restore": "app.backups.cli:restore",
    "demo": "app.demo.cli:demo",
    "db": "flask_migrate.cli:db",
    "serve": "app.cli.serve:serve",
    "version": "app.cli.version:version",
}
"""What an admin types behind `flask`, and the path from which it is imported when it is used."""

ROOT = Path(__file__).resolve().parent.parent


def create_app(settings: Settings | None = None) -> Flask:
    """Build the WSGI application from the given settings, else from the environment."""
    settings = settings or Settings.from_environment(os.environ, ROOT / "instance")
    app = Flask(__name__, static_folder=None, template_folder=str(ROOT / "templates"))
    app.cli = LazyGroup(app.name, COMMANDS)
    app.config.from_mapping(web.flask_config(settings))
    app.config["SQLALCHEMY_DATABASE_URI"] = settings.database_url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(settings.database_url)
    app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
        app.wsgi_app, x_for=settings.proxy_hops, x_proto=settings.proxy_hops, x_host=0
    )

    db.init_app(app)
    with app.app_context():
        prepare_engine(db.engine)
    access.init_app(
        app,
        load=accounts_queries.signed_in_user,
        bearer=tokens.user_of_access_token,
        renew=sessions.renew_session,
    )
    web.init_app(app, ROOT)
    api.init_app(app, [feature.register_calls for feature in CALLS])
    navigation.init_app(app, [screen for part in PAGES for screen in part.SCREENS])
    for blueprint in (bp for part in PAGES for bp in part.BLUEPRINTS):
        app.register_blueprint(blueprint)
    return app
