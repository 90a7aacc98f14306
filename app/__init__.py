"""Quartermaster: stock, fleet and asset management for a company with several divisions."""

import os
from pathlib import Path

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app import api, web
from app.accounts import api as accounts_api
from app.accounts import cli as accounts_cli
from app.accounts import pages as accounts_pages
from app.accounts import queries as accounts_queries
from app.accounts.services import sessions, tokens
from app.api import ping
from app.assets import api as assets_api
from app.assets import cli as assets_cli
from app.assets import pages as assets_pages
from app.backups import cli as backups_cli
from app.cli import serve, version
from app.config import Settings
from app.dashboard import cli as dashboard_cli
from app.dashboard import pages as dashboard_pages
from app.db import db, engine_options, prepare_engine
from app.deliveries import api as deliveries_api
from app.deliveries import pages as deliveries_pages
from app.demo import cli as demo_cli
from app.directory import api as directory_api
from app.directory import cli as directory_cli
from app.directory import pages as directory_pages
from app.fleet import api as fleet_api
from app.fleet import pages as fleet_pages
from app.fleet.cli.photos import photos
from app.fleet.cli.vehicles import vehicles
from app.stock import api as stock_api
from app.stock import pages as stock_pages
from app.stock.cli import history as history_cli
from app.stock.cli import lists as stock_cli
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

COMMANDS = (
    accounts_cli.users,
    accounts_cli.tokens,
    stock_cli.stock,
    stock_cli.ledger,
    history_cli.history,
    directory_cli.directory,
    vehicles,
    photos,
    assets_cli.assets,
    dashboard_cli.counts,
    backups_cli.backup,
    backups_cli.restore,
    demo_cli.demo,
    serve.serve,
    version.version,
)
"""What an admin types behind `flask`."""

ROOT = Path(__file__).resolve().parent.parent


def create_app(settings: Settings | None = None) -> Flask:
    """Build the WSGI application from the given settings, else from the environment."""
    settings = settings or Settings.from_environment(os.environ, ROOT / "instance")
    app = Flask(__name__, static_folder=None, template_folder=str(ROOT / "templates"))
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
    for group in COMMANDS:
        app.cli.add_command(group)
    return app
